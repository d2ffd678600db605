import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import type { JobContext } from '#server/context.ts'
import { instant } from '#server/db/columns.ts'
import { readRows } from '#server/db/rows.ts'
import { isAboutOne } from './stripe.ts'
import { syncSubscription } from './sync-subscription.ts'

const EVERY_HOURS = 6
const AT_ONCE = 100

const Due = z.object({
  accountId: z.int(),
  customer: z.string(),
  status: z.string().nullable(),
  /** When it was last read from Stripe. */
  readAt: instant.nullable(),
})
type Due = z.output<typeof Due>

/**
 * Makes up for lost webhooks: reads the subscriptions that were read longest ago from Stripe, a limited number in each
 * run. If Stripe cannot be reached, the rest waits for the next run.
 */
export async function resyncSubscriptions(ctx: JobContext): Promise<void> {
  for (let count = 0; count < AT_ONCE && !ctx.signal.aborted; count += 1) {
    const due = await claimNext(ctx)
    if (!due || !(await resync(ctx, due))) return
  }
}

/** Returns false if Stripe cannot be reached, so that the next one would fail as well. */
async function resync(ctx: JobContext, due: Due): Promise<boolean> {
  try {
    // Other servers may show the old status for half a minute, until their cache expires.
    await syncSubscription({ ...ctx, callers: { forget: () => {} } }, due.customer)
    await warnOfLostWebhook(ctx, due)
    return true
  } catch (error) {
    ctx.log.error({ err: error, accountId: due.accountId }, 'a subscription could not be read; it is tried again')
    return isAboutOne(error)
  }
}

// The time is set when a subscription is claimed, so that one that fails is retried last.
async function claimNext({ db }: JobContext): Promise<Due | undefined> {
  const statement = sql`
    update accounts a set subscription_read_at = now() where id = (
      select id from accounts where stripe_customer_id is not null and deleting_at is null
        and subscription_read_at < now() - interval '${raw(String(EVERY_HOURS))} hours'
      order by subscription_read_at, id limit 1)
    returning id as "accountId", stripe_customer_id as customer,
      (select status from subscriptions s where s.account_id = a.id) as status,
      (select synced_at from subscriptions s where s.account_id = a.id) as "readAt"`
  const [due] = await readRows(db.system, statement, Due)
  return due
}

/** Logs a warning: a change that no webhook reported means that webhooks are not set up correctly. */
async function warnOfLostWebhook({ db, log }: JobContext, { accountId, status, readAt }: Due): Promise<void> {
  const statement = sql`
    select status from subscriptions where account_id = ${accountId} and status is distinct from ${status}`
  const [now] = await readRows(db.system, statement, StatusRow)
  if (now) log.warn({ accountId, readAt, from: status, to: now.status }, 'a subscription changed without a webhook')
}

const StatusRow = z.object({ status: z.string() })
