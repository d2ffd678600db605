import Stripe from 'stripe'
import { AppError } from '#shared/errors.ts'
import type { JobContext } from '#server/context.ts'
import { customerOf } from './stripe.ts'
import { syncSubscription, type SyncContext } from './sync-subscription.ts'

/** Stripe sends an event again for three days at most. */
const KEPT_DAYS = 30

/**
 * Takes one webhook: checks its signature, records it, reads the customer's subscription anew. It answers only after
 * all is stored, so that a failure brings the event again; one that is done already asks nothing of Stripe.
 * @throws WEBHOOK_UNSIGNED
 */
export async function receiveWebhook(ctx: SyncContext, body: Buffer, signature: string | undefined): Promise<void> {
  const event = verified(ctx, body, signature)
  if (await isDone(ctx, event)) return
  const customer = customerOf(event)
  if (customer && (await isOurs(ctx, customer))) await syncSubscription(ctx, customer)
  await ctx.db.system.query('update stripe_events set processed_at = now() where id = $1', [event.id])
}

/** Forgets events that nobody will send again. */
export async function sweepEvents({ db }: Pick<JobContext, 'db'>): Promise<void> {
  await db.system.query(`delete from stripe_events where received_at < now() - interval '${KEPT_DAYS} days'`)
}

/** Records an event; true where it was recorded before, and all that it asks for is done. */
async function isDone({ db }: SyncContext, { id, type }: Stripe.Event): Promise<boolean> {
  const { rows } = await db.system.query<{ done: boolean }>(
    `insert into stripe_events (id, type) values ($1, $2) on conflict (id) do update set type = excluded.type
      returning processed_at is not null as done`,
    [id, type],
  )
  return rows[0]?.done ?? false
}

/** Whether an account has this customer; of a deleted account Stripe still has things to say. */
async function isOurs({ db }: SyncContext, customer: string): Promise<boolean> {
  const { rowCount } = await db.system.query('select from accounts where stripe_customer_id = $1', [customer])
  return rowCount !== 0
}

function verified({ services }: SyncContext, body: Buffer, signature: string | undefined): Stripe.Event {
  try {
    return Stripe.webhooks.constructEvent(body, signature ?? '', services.stripeWebhookSecret)
  } catch (error) {
    throw new AppError('WEBHOOK_UNSIGNED', { cause: error })
  }
}
