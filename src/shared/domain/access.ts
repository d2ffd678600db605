/** An account's subscription. Its status is Stripe's, which may be one that we do not know. */
export interface SubscriptionState {
  status: string
  trialEnd: Date | null
  /** When the oldest open invoice failed. */
  pastDueSince: Date | null
  endedAt: Date | null
  everPaidOrTrialed: boolean
}

/** 'read-only' allows reading and export, 'checkout' only subscribing. */
export type Access = 'full' | 'read-only' | 'checkout'
export type Screens = 'app' | 'app-read-only' | 'checkout'

const GRACE_DAYS = 7
const READABLE_DAYS_AFTER_END = 30
const MILLISECONDS_A_DAY = 86_400_000
/** Stripe retries the first payment after a trial for more than a week; the next charge comes a month later. */
const FIRST_PAYMENT_DAYS = 20

const LIVE_STATUSES = ['trialing', 'active', 'past_due', 'unpaid', 'paused', 'incomplete']

/** What a subscription gives access to. Decided by its status, never by the trial's end: Stripe says when a trial is over. */
export function accessOf(subscription: SubscriptionState | null, now: Date): Access {
  switch (subscription?.status) {
    case 'trialing':
    case 'active':
      return 'full'
    case 'past_due':
      return isWithin(GRACE_DAYS, subscription.pastDueSince, now) ? 'full' : 'read-only'
    case 'unpaid':
    case 'paused':
      return 'read-only'
    case 'canceled':
      return isReadableAfterEnd(subscription, now) ? 'read-only' : 'checkout'
    default:
      return 'checkout'
  }
}

/** Which screens a subscription opens. An ended one leads to checkout, even while its data can be read and exported. */
export function screensOf(subscription: SubscriptionState | null, now: Date): Screens {
  const access = accessOf(subscription, now)
  if (access === 'full') return 'app'
  return access === 'read-only' && subscription?.status !== 'canceled' ? 'app-read-only' : 'checkout'
}

/**
 * Whether the account has paid at least once: a trial whose first payment failed has not. Stripe calls a subscription
 * active when its trial ends, and charges the card about an hour later.
 */
export function isPaying(subscription: SubscriptionState | null, now: Date): boolean {
  if (!subscription) return false
  const { status, trialEnd, pastDueSince } = subscription
  if (status === 'active') return !trialEnd || now.getTime() >= trialEnd.getTime() + MILLISECONDS_A_DAY
  if (status !== 'past_due' || !pastDueSince) return false
  return !trialEnd || pastDueSince.getTime() - trialEnd.getTime() > FIRST_PAYMENT_DAYS * MILLISECONDS_A_DAY
}

/** The order in which support answers messages. */
export type SupportPriority = 'paying' | 'trial' | 'none'

/** A person's best subscription counts. Priority support is part of the plan, also during the trial. */
export function supportPriorityOf(subscriptions: readonly (SubscriptionState | null)[], now: Date): SupportPriority {
  const open = subscriptions.filter((subscription) => accessOf(subscription, now) === 'full')
  if (open.length === 0) return 'none'
  return open.every((subscription) => subscription?.status === 'trialing') ? 'trial' : 'paying'
}

/** Whether there may be data to export. Export outlasts all other access, until the data is deleted. */
export function canExport(subscription: SubscriptionState | null, now: Date): boolean {
  return accessOf(subscription, now) !== 'checkout' || (subscription?.everPaidOrTrialed ?? false)
}

/** Days until the trial ends, rounded up; never below 0. */
export function trialDaysLeft(trialEnd: Date | null, now: Date): number {
  return trialEnd ? Math.max(0, Math.ceil((trialEnd.getTime() - now.getTime()) / MILLISECONDS_A_DAY)) : 0
}

/** When an account with a failed payment becomes read-only; null if no payment has failed. */
export function graceEnd({ status, pastDueSince }: SubscriptionState): Date | null {
  if (status !== 'past_due' || !pastDueSince) return null
  return new Date(pastDueSince.getTime() + GRACE_DAYS * MILLISECONDS_A_DAY)
}

/** The refusal that explains why a subscription of this status is read-only. */
export function readOnlyRefusal(status: string) {
  if (status === 'canceled') return 'SUBSCRIPTION_ENDED'
  return status === 'paused' ? 'SUBSCRIPTION_PAUSED' : 'PAYMENT_OVERDUE'
}

/** Whether a subscription of this status can still be paid, so that a second checkout is not allowed. */
export function isLive(status: string): boolean {
  return LIVE_STATUSES.includes(status)
}

function isReadableAfterEnd({ everPaidOrTrialed, endedAt }: SubscriptionState, now: Date): boolean {
  return everPaidOrTrialed && isWithin(READABLE_DAYS_AFTER_END, endedAt, now)
}

// Without a start date the period counts as over: a missing date must not give access forever.
function isWithin(days: number, since: Date | null, now: Date): boolean {
  return since !== null && now.getTime() < since.getTime() + days * MILLISECONDS_A_DAY
}
