import type { RequestContext } from '#server/context.ts'
import { readSubscription, type SubscriptionFacts } from './stripe.ts'

export type SyncContext = Pick<RequestContext, 'db' | 'services' | 'callers'>

/**
 * Brings an account's subscription to what Stripe says now. Never from an event's payload, so order and repetition do
 * not matter; one at a time for a customer, so that an older answer cannot overwrite a newer one. No transaction
 * spans the call to Stripe.
 */
export async function syncSubscription(ctx: SyncContext, stripeCustomerId: string): Promise<void> {
  await whileNobodySyncs(ctx, stripeCustomerId, (sync) => sync())
}

/** Holds off every other sync of the customer while `work` runs, which syncs itself where it needs to. */
export async function whileNobodySyncs<T>(
  ctx: SyncContext,
  stripeCustomerId: string,
  work: (sync: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return ctx.db.oneAtATime(`subscription:${stripeCustomerId}`, () =>
    work(async () => {
      const facts = await readSubscription(ctx.services.stripe, stripeCustomerId)
      await storeSubscription(ctx, stripeCustomerId, facts)
    }),
  )
}

async function storeSubscription({ db, callers }: SyncContext, customer: string, facts: SubscriptionFacts | null) {
  const { rows } = await db.system.query<{ owner: string }>(facts ? storing(customer, facts) : removing(customer))
  for (const { owner } of rows) callers.forget(owner)
}

function storing(customer: string, facts: SubscriptionFacts) {
  return {
    text: `with account as (
        update accounts set trial_used_at = coalesce(trial_used_at, $2) where stripe_customer_id = $1
        returning id, clerk_user_id as owner),
      stored as (
        insert into subscriptions (account_id, stripe_subscription_id, status, trial_end, current_period_end, cancel_at,
          canceled_at, ended_at, past_due_since, ever_paid_or_trialed, synced_at)
        select id, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() from account
        on conflict (account_id) do update set stripe_subscription_id = excluded.stripe_subscription_id,
          status = excluded.status, trial_end = excluded.trial_end, current_period_end = excluded.current_period_end,
          cancel_at = excluded.cancel_at, canceled_at = excluded.canceled_at, ended_at = excluded.ended_at,
          past_due_since = excluded.past_due_since, synced_at = excluded.synced_at,
          ever_paid_or_trialed = subscriptions.ever_paid_or_trialed or excluded.ever_paid_or_trialed)
      select owner from account`,
    values: [
      customer,
      facts.trialUsedAt,
      facts.stripeSubscriptionId,
      facts.status,
      facts.trialEnd,
      facts.currentPeriodEnd,
      facts.cancelAt,
      facts.canceledAt,
      facts.endedAt,
      facts.pastDueSince,
      facts.everPaidOrTrialed,
    ],
  }
}

function removing(customer: string) {
  return {
    text: `with account as (select id, clerk_user_id as owner from accounts where stripe_customer_id = $1),
      removed as (delete from subscriptions s using account where s.account_id = account.id)
      select owner from account`,
    values: [customer],
  }
}
