import sql from 'sql-template-tag'
import { z } from 'zod'
import type { JobContext, RequestContext } from '#server/context.ts'
import { readRows } from '#server/db/rows.ts'
import { customerOf, readEvent, type StripeEvent } from './stripe.ts'
import { syncSubscription, type SyncContext } from './sync-subscription.ts'

/**
 * Checks the signature of a webhook, records its event, and syncs the customer's subscription. It returns only after all
 * is stored, so that Stripe repeats an event that failed. A repeated event that has been processed does nothing. Any
 * refund is logged.
 * @throws WEBHOOK_UNSIGNED, WEBHOOK_STALE, WEBHOOK_UNREADABLE
 */
export async function receiveWebhook(
  request: SyncContext & Pick<RequestContext, 'security'>,
  body: Buffer,
  signature: string | undefined,
): Promise<void> {
  const ctx = { ...request, db: request.db.as('stripe') }
  const event = readEvent(body, signature ?? '', ctx.services.stripeWebhookSecret)
  if (await isDone(ctx, event)) return
  const customer = customerOf(event)
  const account = customer && (await accountOf(ctx, customer))
  if (account) {
    await syncSubscription(ctx, customer)
    if (event.type === 'refund.created') ctx.security('payment.refunded', { actor: 'stripe', account })
  }
  await ctx.db.system.query('update stripe_events set processed_at = now() where id = $1', [event.id])
}

/** Deletes events that Stripe will not repeat any more. */
export async function sweepEvents({ db, services }: Pick<JobContext, 'db' | 'services'>): Promise<void> {
  await db.system.query('delete from stripe_events where received_at < now() - make_interval(days => $1)', [
    services.storage.keptDays.stripeEvents,
  ])
}

/** Records an event. Returns true if it has been processed before. */
async function isDone({ db }: SyncContext, { id, type }: StripeEvent): Promise<boolean> {
  const statement = sql`
    insert into stripe_events (id, type) values (${id}, ${type}) on conflict (id) do update set type = excluded.type
    returning processed_at is not null as "isDone"`
  const [event] = await readRows(db.system, statement, EventRow)
  return event?.isDone ?? false
}

const EventRow = z.object({ isDone: z.boolean() })

/** The account of this customer. None for some events: Stripe also sends those about deleted accounts. */
async function accountOf({ db }: SyncContext, customer: string): Promise<number | undefined> {
  const statement = sql`select id from accounts where stripe_customer_id = ${customer}`
  const [account] = await readRows(db.system, statement, z.object({ id: z.int() }))
  return account?.id
}
