import {
  accessOf,
  screensOf,
  trialDaysLeft,
  type Access,
  type Screens,
  type SubscriptionState,
} from '#shared/domain/access.ts'

export interface SubscriptionRow extends SubscriptionState {
  currentPeriodEnd: Date | null
  cancelAt: Date | null
}

export interface SubscriptionView {
  status: string
  access: Access
  screens: Screens
  trialEnd: Date | null
  trialDaysLeft: number
  /** When the next charge is due; null where none will come. */
  currentPeriodEnd: Date | null
  cancelAt: Date | null
  /** The account has had its trial: a checkout charges at once. */
  trialUsed: boolean
}

/** `none` where the account never had a subscription. */
export function subscriptionView(
  row: SubscriptionRow | null,
  { now, trialUsed }: { now: Date; trialUsed: boolean },
): SubscriptionView {
  return {
    status: row?.status ?? 'none',
    access: accessOf(row, now),
    screens: screensOf(row, now),
    trialEnd: row?.trialEnd ?? null,
    trialDaysLeft: trialDaysLeft(row?.trialEnd ?? null, now),
    currentPeriodEnd: row?.currentPeriodEnd ?? null,
    cancelAt: row?.cancelAt ?? null,
    trialUsed,
  }
}
