import type { SubscriptionView } from '#server/billing/subscription.view.ts'

/** A subscription as screens are told of it: on trial until 5 December 2026, unless the test says otherwise. */
export function aSubscription(changes: Partial<SubscriptionView> = {}): SubscriptionView {
  return {
    status: 'trialing',
    access: 'full',
    screens: 'app',
    trialEnd: new Date('2026-12-05T12:00:00Z'),
    trialDaysLeft: 14,
    currentPeriodEnd: new Date('2026-12-05T12:00:00Z'),
    price: 29,
    cancelAt: null,
    canceledAt: null,
    endedAt: null,
    pastDueSince: null,
    graceEndsAt: null,
    trialUsed: true,
    canExport: true,
    isSuspended: false,
    deletesAt: null,
    ...changes,
  }
}
