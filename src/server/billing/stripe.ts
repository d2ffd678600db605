import Stripe from 'stripe'
import { isLive, type SubscriptionState } from '#shared/domain/access.ts'

/** The one file that knows how Stripe says things. */

export interface StripeOptions {
  secretKey: string
  /** Where the stand-in listens; Stripe itself without it. */
  api?: { host: string; port: number; protocol: 'http' }
}

export function openStripe({ secretKey, api }: StripeOptions): Stripe {
  return new Stripe(secretKey, { telemetry: false, maxNetworkRetries: 2, timeout: 20_000, ...api })
}

export interface SubscriptionFacts extends SubscriptionState {
  stripeSubscriptionId: string
  currentPeriodEnd: Date | null
  cancelAt: Date | null
  canceledAt: Date | null
  trialUsedAt: Date | null
}

const NEVER_STARTED = ['incomplete', 'incomplete_expired']

/**
 * What Stripe knows now of a customer's subscription: the one that lives, else the latest. Where two tabs have bought
 * two, the first stays and the later ones are ended.
 */
export async function readSubscription(stripe: Stripe, customer: string): Promise<SubscriptionFacts | null> {
  const all = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray({ limit: 500 })
  const [first, ...surplus] = all.filter((one) => isLive(one.status)).toSorted((a, b) => a.created - b.created)
  for (const { id } of surplus) await stripe.subscriptions.cancel(id)
  const current = first ?? all.toSorted((a, b) => b.created - a.created)[0]
  if (!current) return null
  return {
    stripeSubscriptionId: current.id,
    status: current.status,
    trialEnd: instant(current.trial_end),
    currentPeriodEnd: instant(current.items.data[0]?.current_period_end),
    cancelAt: instant(current.cancel_at) ?? (current.cancel_at_period_end ? periodEnd(current) : null),
    canceledAt: instant(current.canceled_at),
    endedAt: instant(current.ended_at),
    pastDueSince: current.status === 'past_due' ? await firstFailure(stripe, current) : null,
    everPaidOrTrialed: all.some((one) => one.trial_start !== null || !NEVER_STARTED.includes(one.status)),
    trialUsedAt: instant(all.map((one) => one.trial_start ?? Infinity).reduce((a, b) => Math.min(a, b), Infinity)),
  }
}

async function firstFailure(stripe: Stripe, subscription: Stripe.Subscription): Promise<Date> {
  const { data } = await stripe.invoices.list({ subscription: subscription.id, status: 'open', limit: 100 })
  const failed = data.filter((invoice) => invoice.attempt_count > 0).map((invoice) => invoice.created)
  return new Date(Math.min(...failed, periodStart(subscription)) * 1000)
}

function periodStart(subscription: Stripe.Subscription): number {
  return subscription.items.data[0]?.current_period_start ?? subscription.created
}

function periodEnd(subscription: Stripe.Subscription): Date | null {
  return instant(subscription.items.data[0]?.current_period_end)
}

function instant(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined || !Number.isFinite(seconds) ? null : new Date(seconds * 1000)
}

/** The customer that an event is about, where it is about one. */
export function customerOf({ data: { object } }: Stripe.Event): string | undefined {
  if (!('object' in object)) return undefined
  if (object.object === 'customer') return object.id
  if (!('customer' in object) || !object.customer) return undefined
  return typeof object.customer === 'string' ? object.customer : object.customer.id
}
