import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Callers, RequestContext } from '#server/context.ts'
import { readRows } from '#server/db/rows.ts'
import { closeCheckouts, readSubscription, type SubscriptionFacts } from './stripe.ts'

export interface SyncContext extends Pick<RequestContext, 'db' | 'services'> {
  callers: Pick<Callers, 'forget'>
}

/**
 * Stores the subscription as it is at Stripe now. It never trusts an event's payload, so the order of events and their
 * repetition do not matter. One sync of a customer runs at a time, so that an older response cannot overwrite a newer one.
 * No transaction is open during the call to Stripe.
 */
export async function syncSubscription(ctx: SyncContext, stripeCustomerId: string): Promise<void> {
  await withSyncLock(ctx, stripeCustomerId, (sync) => sync())
}

/** Runs `work`, which gets a function that syncs, while every other sync of the customer waits. */
export async function withSyncLock<T>(
  ctx: SyncContext,
  stripeCustomerId: string,
  work: (sync: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return ctx.db.oneAtATime(`subscription:${stripeCustomerId}`, () =>
    work(async () => {
      await storeSubscription(ctx, stripeCustomerId, await readWithOneTrial(ctx, stripeCustomerId))
    }),
  )
}

/**
 * The subscription at Stripe. If two accounts of a mailbox began a trial at the same time, the second one is canceled
 * first. Nothing is charged, since its checkout offered 14 free days.
 */
async function readWithOneTrial({ db, services: { stripe } }: SyncContext, customer: string) {
  const facts = await readSubscription(stripe, customer)
  if (!facts?.trialUsedAt) return facts
  const { stripeSubscriptionId: id, status, isBought } = facts
  const statement = sql`
    select claim_trial(${customer}, ${facts.trialUsedAt}) as "isOwn",
      exists (select from subscriptions where stripe_subscription_id = ${id}) as "isKnown"`
  const [trial] = await readRows(db.system, statement, TrialRow)
  if (!trial || trial.isOwn || trial.isKnown || status !== 'trialing' || !isBought) return facts
  await stripe.subscriptions.cancel(id)
  return readSubscription(stripe, customer)
}

const TrialRow = z.object({ isOwn: z.boolean(), isKnown: z.boolean() })

async function storeSubscription(ctx: SyncContext, customer: string, facts: SubscriptionFacts | null) {
  const now = ctx.services.billingNow()
  const statement = facts ? storing(customer, facts, now) : ending(customer, now)
  const stored = await readRows(ctx.db.system, statement, StoredRow)
  for (const { owner, others } of stored) {
    ctx.callers.forget(owner)
    for (const other of others) await closeCheckouts(ctx.services.stripe, other)
  }
}

const StoredRow = z.object({
  owner: z.string(),
  /** The customers of this mailbox's other accounts, whose open checkouts may still offer the trial that was just used. */
  others: z.array(z.string()),
})

/** How long Stripe repeats an event whose webhook failed; ours also fails if a checkout could not be closed. */
const REPEATED_FOR = raw(`interval '3 days'`)

function storing(customer: string, facts: SubscriptionFacts, now: Date): Sql {
  return sql`
    with account as (
      update accounts set subscription_read_at = now()
      where stripe_customer_id = ${customer} returning id, clerk_user_id as owner, email),
    others as (
      select o.stripe_customer_id as customer from accounts o, account
      where ${facts.trialUsedAt}::timestamptz is not null and o.id <> account.id
        and account.email <> '' and trial_hash(o.email) = trial_hash(account.email)),
    stored as (
      insert into subscriptions (account_id, stripe_subscription_id, status, trial_end, current_period_end, cancel_at,
        canceled_at, ended_at, past_due_since, ever_paid_or_trialed, price_cents, synced_at)
      select id, ${facts.stripeSubscriptionId}, ${facts.status}, ${facts.trialEnd}, ${facts.currentPeriodEnd},
        ${facts.cancelAt}, ${facts.canceledAt}, ${facts.endedAt}, ${facts.pastDueSince}, ${facts.everPaidOrTrialed},
        ${facts.priceCents}, now()
      from account
      on conflict (account_id) do update set stripe_subscription_id = excluded.stripe_subscription_id,
        status = excluded.status, trial_end = excluded.trial_end, current_period_end = excluded.current_period_end,
        cancel_at = excluded.cancel_at, canceled_at = excluded.canceled_at, ended_at = excluded.ended_at,
        past_due_since = excluded.past_due_since, price_cents = excluded.price_cents,
        synced_at = excluded.synced_at,
        ever_paid_or_trialed = subscriptions.ever_paid_or_trialed or excluded.ever_paid_or_trialed)
    select owner, array(select customer from others where customer is not null
      and ${facts.trialUsedAt}::timestamptz > ${now}::timestamptz - ${REPEATED_FOR}) as others from account`
}

/** A stored subscription that Stripe no longer has belonged to a customer who was deleted there. */
function ending(customer: string, now: Date): Sql {
  return sql`
    with account as (
      update accounts set subscription_read_at = now() where stripe_customer_id = ${customer}
      returning id, clerk_user_id as owner),
    ended as (
      update subscriptions s set status = 'canceled', canceled_at = coalesce(s.canceled_at, ${now}),
        ended_at = coalesce(s.ended_at, ${now}), cancel_at = null, past_due_since = null
      from account where s.account_id = account.id)
    select owner, '{}'::text[] as others from account`
}
