import type { Subscription } from './object-types.ts'
import { mergedMetadata } from './params.ts'
import { StripeProblem } from './problem.ts'
import { inPeriod, periodOf } from './subscription-builder.ts'
import type { CancellationDetails, SubscriptionChange } from './subscription-params.ts'

/** The subscription as an update leaves it; what follows from it (the end of a trial) follows on the clock. */
export function changedBy(subscription: Subscription, change: SubscriptionChange, now: number): Subscription {
  const { default_payment_method = subscription.default_payment_method } = change
  const { description = subscription.description } = change
  const { missing_payment_method } = (change.trial_settings ?? subscription.trial_settings).end_behavior
  const changed: Subscription = {
    ...subscription,
    default_payment_method,
    description,
    metadata: mergedMetadata(subscription.metadata, change.metadata),
    cancellation_details: withDetails(subscription, change.cancellation_details),
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method } },
  }
  return withCancellation(withTrialEnd(changed, change.trial_end, now), change, now)
}

/** Ends at `moment`, as the portal does it: `cancel_at_period_end` stays false. */
export function cancelingAt(subscription: Subscription, moment: number, now: number): Subscription {
  return {
    ...subscription,
    cancel_at: moment,
    canceled_at: now,
    cancellation_details: { ...subscription.cancellation_details, reason: 'cancellation_requested' },
  }
}

export function notCanceling(subscription: Subscription): Subscription {
  return {
    ...subscription,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { ...subscription.cancellation_details, reason: null },
  }
}

export function withDetails(
  { cancellation_details: before }: Subscription,
  details: CancellationDetails = {},
): Subscription['cancellation_details'] {
  const { comment = before.comment, feedback = before.feedback } = details
  return { ...before, comment, feedback }
}

function withCancellation(subscription: Subscription, change: SubscriptionChange, now: number): Subscription {
  const { cancel_at, cancel_at_period_end } = change
  if (cancel_at_period_end === true && typeof cancel_at === 'number') {
    throw new StripeProblem(400, 'You may only set one of these parameters: cancel_at, cancel_at_period_end.', {
      code: 'parameters_exclusive',
    })
  }
  const { end } = periodOf(subscription)
  if (cancel_at_period_end === true) return { ...cancelingAt(subscription, end, now), cancel_at_period_end: true }
  if (cancel_at === null || cancel_at_period_end === false) return notCanceling(subscription)
  if (cancel_at === undefined) return subscription
  const moment = typeof cancel_at === 'number' ? cancel_at : end
  if (moment > now) return { ...cancelingAt(subscription, moment, now), cancel_at_period_end: false }
  throw new StripeProblem(400, 'The timestamp provided for `cancel_at` must be in the future.', { param: 'cancel_at' })
}

function withTrialEnd(subscription: Subscription, asked: SubscriptionChange['trial_end'], now: number): Subscription {
  if (asked === undefined) return subscription
  const end = asked === 'now' ? now : asked
  if (end < now)
    throw new StripeProblem(400, 'Invalid timestamp: must be an integer Unix timestamp in the future.', {
      param: 'trial_end',
    })
  if (subscription.status !== 'trialing') {
    if (asked === 'now') return subscription
    throw new StripeProblem(400, 'This stand-in can move the end of a running trial only.', { param: 'trial_end' })
  }
  const moved = inPeriod(subscription, { start: periodOf(subscription).start, end })
  return { ...moved, trial_end: end, billing_cycle_anchor: end }
}
