import type { JobContext } from '#server/context.ts'
import { inParallel } from './in-parallel.ts'
import { planAccounts } from './plan-accounts.ts'

/** In one transaction: more would keep who writes in one of them waiting. */
const TOGETHER = 20
const AT_ONCE = 4
const PAGE = TOGETHER * AT_ONCE * 5
/** No account waits longer than until its hour of tomorrow: whoever does was planned by a clock that was ahead. */
const LONGEST_WAIT = '26 hours'

/** Plans every account whose time has come; which those are, an index knows. One that fails waits for its next turn. */
export async function planReminders(ctx: JobContext): Promise<void> {
  const seen = new Set<number>()
  for (let due = await dueAccounts(ctx, seen); due.length > 0; due = await dueAccounts(ctx, seen)) {
    for (const accountId of due) seen.add(accountId)
    await inParallel(groupsOf(due), { most: AT_ONCE }, (group) => planGroup(ctx, group))
  }
}

async function dueAccounts({ db, services, signal }: JobContext, seen: Set<number>): Promise<number[]> {
  if (signal.aborted) return []
  const { rows } = await db.system.query<{ accountId: number }>({
    text: `select account_id as "accountId" from reminder_schedules
      where (next_plan_at <= $1 or next_plan_at > $1::timestamptz + interval '${LONGEST_WAIT}')
        and account_id <> all($2::int[]) order by next_plan_at, account_id limit ${PAGE}`,
    // Planned accounts are not due any more; these are the ones that were left.
    values: [services.now(), [...seen]],
  })
  return rows.map(({ accountId }) => accountId)
}

function groupsOf(accountIds: number[]): number[][] {
  const count = Math.ceil(accountIds.length / TOGETHER)
  return Array.from({ length: count }, (_group, at) => accountIds.slice(at * TOGETHER, (at + 1) * TOGETHER))
}

/** Where one account cannot be planned, the others are planned without it. */
async function planGroup(ctx: JobContext, group: number[]): Promise<void> {
  if (ctx.signal.aborted) return
  await planAccounts(ctx, group).catch(async () => {
    for (const accountId of group) await planOne(ctx, accountId)
  })
}

async function planOne(ctx: JobContext, accountId: number): Promise<void> {
  if (ctx.signal.aborted) return
  await planAccounts(ctx, [accountId]).catch((error: unknown) => {
    ctx.log.error({ err: error, accountId }, 'the reminders of an account could not be planned')
  })
}
