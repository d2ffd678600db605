import Stripe from 'stripe'
import { AppError } from '#shared/errors.ts'
import { customerOf } from './stripe.ts'
import { syncSubscription, type SyncContext } from './sync-subscription.ts'

/**
 * Takes one webhook: checks its signature, records it, reads the customer's subscription anew. It answers only after
 * all is stored, so that a failure brings the event again.
 * @throws WEBHOOK_UNSIGNED
 */
export async function receiveWebhook(ctx: SyncContext, body: Buffer, signature: string | undefined): Promise<void> {
  const event = verified(ctx, body, signature)
  await ctx.db.system.query('insert into stripe_events (id, type) values ($1, $2) on conflict (id) do nothing', [
    event.id,
    event.type,
  ])
  const customer = customerOf(event)
  if (customer && (await isOurs(ctx, customer))) await syncSubscription(ctx, customer)
  await ctx.db.system.query('update stripe_events set processed_at = coalesce(processed_at, now()) where id = $1', [
    event.id,
  ])
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
