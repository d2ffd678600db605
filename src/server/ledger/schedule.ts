import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isOpen } from '#shared/domain/contract-status.ts'
import type { Term } from '#shared/domain/contract-term.ts'
import { addDays, type Day } from '#shared/domain/day.ts'
import { mayBeDue, REPLAN_AFTER_MINUTES } from '#shared/domain/replanning.ts'
import type { SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Write } from '#server/db/database.ts'
import type { AccountMoment } from './ledger.ts'
import { ReminderScheduleEntity } from './reminder.entity.ts'

// Every statement that changes when an account's reminders are planned.

type Writer = Pick<SubscriberContext, 'accountId' | 'today' | 'services'>

/** Has the job's next run plan an account, because something that decides about its reminders has changed. */
export async function replan(write: Write, { accountId, now }: AccountMoment): Promise<void> {
  await write(replanning(sql`${accountId}::int`, now))
}

/** The same as part of a statement, for the account that `account` selects. */
export function replanning(account: Sql, now: Date): Sql {
  return sql`update reminder_schedules set next_plan_at = ${now} where account_id = (${account})`
}

/**
 * Has an account planned in a few minutes if a reminder of one of these changed contracts may be due today, or if the account
 * has chosen any rule about notices, which may be due at any time before renewal. All code that writes contracts calls this or
 * `planningOfNew` in the same transaction; `tests/server/replanning.test.ts` checks that.
 */
export async function planSoon(
  ctx: Writer & Pick<SubscriberContext, 'write'>,
  changed: readonly Term[],
): Promise<void> {
  if (changed.some(({ status }) => isOpen(status))) await ctx.write(planningOfNew(ctx, changed))
}

/** The same for new contracts, as a statement. The first contract adds the account's schedule. */
export function planningOfNew({ accountId, today, services }: Writer, added: readonly Term[]): Sql {
  // Updates only what needs it: an update waits for the process that is planning the account.
  const ifNeeded = added.some((contract) => mayBeDue(contract, today))
    ? empty
    : sql`where not exists (select from reminder_schedules where account_id = ${accountId})
        or ${added.some(({ status }) => isOpen(status))} and ${hasChosenRules(accountId)}`
  return sql`
    insert into reminder_schedules as s (account_id, planned_through, next_plan_at)
    select ${accountId}::int, ${addDays(today, -1)}::date, ${soonAfter(services)}::timestamptz ${ifNeeded}
    on conflict (account_id) do update set next_plan_at = least(s.next_plan_at, excluded.next_plan_at)`
}

/** The same where it may have changed which rules about notices apply, if any is chosen. */
export async function planNoticesSoon({
  write,
  accountId,
  services,
}: Pick<SubscriberContext, 'write' | 'accountId' | 'services'>): Promise<void> {
  await write(sql`
    update reminder_schedules set next_plan_at = least(next_plan_at, ${soonAfter(services)})
    where account_id = ${accountId} and ${hasChosenRules(accountId)}`)
}

function hasChosenRules(accountId: number): Sql {
  return sql`exists (select from notice_choices where account_id = ${accountId})`
}

function soonAfter(services: Writer['services']): Date {
  return new Date(services.now().getTime() + REPLAN_AFTER_MINUTES * 60_000)
}

/** Locks the schedule of an account, so that nobody plans it meanwhile and a second click waits. */
export async function lockSchedule(write: Write, accountId: number): Promise<void> {
  await write(sql`select from reminder_schedules where account_id = ${accountId} for update`)
}

/** The same; returns the first day that has not been planned yet: today, or tomorrow. */
export async function lockUnplanned({
  write,
  accountId,
  today,
}: Pick<SubscriberContext, 'write' | 'accountId' | 'today'>) {
  const statement = sql`select ${PLANNED} from reminder_schedules s where account_id = ${accountId} for update`
  const [schedule] = await write(statement, PlannedRow)
  return schedule && schedule.plannedThrough >= today ? addDays(today, 1) : today
}

const PLANNED = columnsOf(ReminderScheduleEntity, 's', ['plannedThrough'])
const PlannedRow = z.object(PLANNED.fields)

/** Sets when an account is planned next, and through which day it has been planned; undefined leaves that unchanged. */
export function scheduleNext(
  { accountId, now }: AccountMoment,
  { next, through }: { next: Date; through: Day | undefined },
): Sql {
  if (through === undefined)
    return sql`update reminder_schedules set next_plan_at = ${next} where account_id = ${accountId}`
  return sql`
    update reminder_schedules set planned_through = ${through}, planned_at = ${now}, next_plan_at = ${next}
    where account_id = ${accountId}`
}
