import sql, { type Sql } from 'sql-template-tag'
import type { Term } from '#shared/domain/contract-term.ts'
import { addDays, type Day } from '#shared/domain/day.ts'
import { mayBeDue, REPLAN_AFTER_MINUTES } from '#shared/domain/replanning.ts'
import type { SubscriberContext } from '#server/context.ts'
import type { Read } from '#server/db/database.ts'

// Every statement that changes when an account's reminders are planned is here.

interface At {
  accountId: number
  now: Date
}

type Writer = Pick<SubscriberContext, 'accountId' | 'today' | 'services'>

/** Has an account planned again by the next run of the job, because what decides about its reminders has changed. */
export async function replan(write: Read, { accountId, now }: At): Promise<void> {
  await write(replanning(sql`${accountId}::int`, now))
}

/** The same within a statement, of the account that `account` selects. */
export function replanning(account: Sql, now: Date): Sql {
  return sql`update reminder_schedules set next_plan_at = ${now} where account_id = (${account})`
}

/**
 * Has an account planned in a few minutes where one of these contracts, which were changed, may ask for a message today.
 * Whoever writes contracts calls this or `planningOfNew` in the same transaction; `tests/server/replanning.test.ts` knows them all.
 */
export async function planSoon(
  ctx: Writer & Pick<SubscriberContext, 'write'>,
  changed: readonly Term[],
): Promise<void> {
  if (changed.some((contract) => mayBeDue(contract, ctx.today))) await ctx.write(planningOfNew(ctx, changed))
}

/** The same for new contracts, as a statement; from the first one on, an account has a schedule. */
export function planningOfNew({ accountId, today, services }: Writer, added: readonly Term[]): Sql {
  const soon = new Date(services.now().getTime() + REPLAN_AFTER_MINUTES * 60_000)
  // Updates only what needs it: an update waits for the process that is planning the account.
  const ifPlanned = added.some((contract) => mayBeDue(contract, today))
    ? sql`do update set next_plan_at = least(s.next_plan_at, excluded.next_plan_at)`
    : sql`do nothing`
  return sql`
    insert into reminder_schedules as s (account_id, planned_through, next_plan_at)
    values (${accountId}, ${addDays(today, -1)}, ${soon}) on conflict (account_id) ${ifPlanned}`
}

/** Locks the schedule of an account, so that nobody plans it meanwhile, and a second click waits. */
export async function lockSchedule(write: Read, accountId: number): Promise<void> {
  await write(sql`select from reminder_schedules where account_id = ${accountId} for update`)
}

/** Says when an account is planned next, and through which day it is planned now; undefined where that stays as it is. */
export function scheduleNext({ accountId, now }: At, { next, through }: { next: Date; through: Day | undefined }): Sql {
  if (through === undefined)
    return sql`update reminder_schedules set next_plan_at = ${next} where account_id = ${accountId}`
  return sql`
    update reminder_schedules set planned_through = ${through}, planned_at = ${now}, next_plan_at = ${next}
    where account_id = ${accountId}`
}
