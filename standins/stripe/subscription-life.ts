import type { MissingPaymentMethod, SubscriptionStatus } from './object-types.ts'

const DAY = 86_400
const REMINDER_BEFORE_TRIAL_END = 3 * DAY
const FIRST_PAYMENT_WITHIN = 23 * 3600

/** Days from each failed charge to the next one. */
export const RETRY_AFTER_DAYS: readonly number[] = [3, 5, 7]

/** All that decides what a subscription does next, in Unix seconds. */
export interface Life {
  status: SubscriptionStatus
  startedAt: number
  trialEnd: number | null
  periodEnd: number
  /** When it was told to end, if it was. */
  cancelAt: number | null
  /** Whether the end of the trial was announced. */
  reminded: boolean
}

export type What = 'trial will end' | 'canceled' | 'trial ends' | 'renews' | 'first payment given up'

export interface Happening {
  what: What
  at: number
}

/** The next thing that the passing of time alone does to it. Of two at the same moment the cancellation comes first. */
export function nextHappening(life: Life): Happening | null {
  const upcoming = [reminder(life), cancellation(life), endOfPeriod(life), firstPaymentDeadline(life)]
  const sorted = upcoming.filter((happening) => happening !== null).toSorted((a, b) => a.at - b.at)
  return sorted[0] ?? null
}

/** What the end of a trial does to a subscription that nobody can be charged for. */
export function endOfTrialWithoutCard(missing: MissingPaymentMethod): 'bill' | 'pause' | 'cancel' {
  return missing === 'create_invoice' ? 'bill' : missing
}

/** When a charge is tried again after its `attempts`th failure at `at`; null once no try is left. */
export function nextAttempt(attempts: number, at: number): number | null {
  const days = RETRY_AFTER_DAYS[attempts - 1]
  return days === undefined ? null : at + days * DAY
}

/** What a charge that failed for good, or not yet, makes of a subscription. */
export function statusAfterFailure(status: SubscriptionStatus, retryAt: number | null): SubscriptionStatus {
  if (status === 'incomplete') return 'incomplete'
  return retryAt === null ? 'canceled' : 'past_due'
}

export function isLive(status: SubscriptionStatus): boolean {
  return status !== 'canceled' && status !== 'incomplete_expired'
}

function reminder({ status, trialEnd, reminded, startedAt }: Life): Happening | null {
  if (status !== 'trialing' || trialEnd === null || reminded) return null
  return { what: 'trial will end', at: Math.max(startedAt, trialEnd - REMINDER_BEFORE_TRIAL_END) }
}

function cancellation({ status, cancelAt }: Life): Happening | null {
  return isLive(status) && cancelAt !== null ? { what: 'canceled', at: cancelAt } : null
}

function endOfPeriod({ status, periodEnd }: Life): Happening | null {
  if (status === 'trialing') return { what: 'trial ends', at: periodEnd }
  return status === 'active' || status === 'past_due' ? { what: 'renews', at: periodEnd } : null
}

function firstPaymentDeadline({ status, startedAt }: Life): Happening | null {
  return status === 'incomplete' ? { what: 'first payment given up', at: startedAt + FIRST_PAYMENT_WITHIN } : null
}
