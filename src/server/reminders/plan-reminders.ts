import type { JobContext } from '#server/context.ts'
import { inParallel } from './in-parallel.ts'
import { planAccount } from './plan-account.ts'

const ACCOUNTS_AT_ONCE = 4
const PAGE = 200

/** Plans every account whose time has come; which those are, an index knows. One that fails waits for its next turn. */
export async function planReminders(ctx: JobContext): Promise<void> {
  const seen = new Set<number>()
  for (let due = await dueAccounts(ctx, seen); due.length > 0; due = await dueAccounts(ctx, seen)) {
    for (const accountId of due) seen.add(accountId)
    await inParallel(due, ACCOUNTS_AT_ONCE, (accountId) => planOne(ctx, accountId))
  }
}

async function dueAccounts({ db, services, signal }: JobContext, seen: Set<number>): Promise<number[]> {
  if (signal.aborted) return []
  const { rows } = await db.system.query<{ accountId: number }>({
    name: 'due_accounts',
    text: `select account_id as "accountId" from reminder_schedules
      where next_plan_at <= $1 and account_id <> all($2::int[]) order by next_plan_at, account_id limit ${PAGE}`,
    // Planned accounts are not due any more; these are the ones that were left.
    values: [services.now(), [...seen]],
  })
  return rows.map(({ accountId }) => accountId)
}

async function planOne(ctx: JobContext, accountId: number): Promise<void> {
  if (ctx.signal.aborted) return
  await planAccount(ctx, accountId).catch((error: unknown) => {
    ctx.log.error({ err: error, accountId }, 'the reminders of an account could not be planned')
  })
}
