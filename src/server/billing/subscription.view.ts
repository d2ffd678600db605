import type { z } from 'zod'
import { accessOf, graceEnd, screensOf, trialDaysLeft, type Access, type Screens } from '#shared/domain/access.ts'
import type { SubscriptionField } from '#server/identity/subscription.rows.ts'

export interface SubscriptionView {
  status: string
  access: Access
  screens: Screens
  trialEnd: Date | null
  trialDaysLeft: number
  /** When the next charge is due; null where none will come. */
  currentPeriodEnd: Date | null
  /** US dollars a period; null where it is not known. */
  price: number | null
  /** When it will end, where it was told to. */
  cancelAt: Date | null
  /** When it was told to end, or ended. */
  canceledAt: Date | null
  endedAt: Date | null
  pastDueSince: Date | null
  /** Until when a payment that failed can be made good before only reading is left. */
  graceEndsAt: Date | null
  /** The account has had its trial: a checkout charges at once. */
  trialUsed: boolean
}

/** `none` where the account never had a subscription. */
export function subscriptionView(
  row: z.output<typeof SubscriptionField>,
  { now, trialUsed }: { now: Date; trialUsed: boolean },
): SubscriptionView {
  return {
    status: row?.status ?? 'none',
    access: accessOf(row, now),
    screens: screensOf(row, now),
    trialEnd: row?.trialEnd ?? null,
    trialDaysLeft: trialDaysLeft(row?.trialEnd ?? null, now),
    currentPeriodEnd: row?.currentPeriodEnd ?? null,
    price: typeof row?.priceCents === 'number' ? row.priceCents / 100 : null,
    cancelAt: row?.cancelAt ?? null,
    canceledAt: row?.canceledAt ?? null,
    endedAt: row?.endedAt ?? null,
    pastDueSince: row?.pastDueSince ?? null,
    graceEndsAt: row && graceEnd(row),
    trialUsed,
  }
}

/** As the call of the specification answers it: moments are Unix seconds. */
export function subscriptionStatusView(view: SubscriptionView, customerId: string | null) {
  const { status, access, trialDaysLeft: daysLeft, pastDueSince, currentPeriodEnd, cancelAt } = view
  return {
    status,
    customerId,
    trialEnd: seconds(view.trialEnd),
    access,
    trialDaysLeft: daysLeft,
    currentPeriodEnd: seconds(currentPeriodEnd),
    cancelAt: seconds(cancelAt),
    pastDueSince: seconds(pastDueSince),
  }
}

function seconds(moment: Date | null): number | null {
  return moment && Math.floor(moment.getTime() / 1000)
}
