import type { z } from 'zod'
import {
  accessOf,
  canExport,
  graceEnd,
  screensOf,
  trialDaysLeft,
  type Access,
  type Screens,
} from '#shared/domain/access.ts'
import { plannedDeletion, type DeletionNotices } from '#shared/domain/account-retention.ts'
import type { SubscriptionField } from '#server/identity/subscription.rows.ts'

export interface SubscriptionView {
  status: string
  access: Access
  screens: Screens
  trialEnd: Date | null
  trialDaysLeft: number
  /** When the next charge is due; null if there will be none. */
  currentPeriodEnd: Date | null
  /** US dollars a period; null if unknown. */
  price: number | null
  /** When it will end, if it was canceled. */
  cancelAt: Date | null
  /** When it was canceled. */
  canceledAt: Date | null
  endedAt: Date | null
  pastDueSince: Date | null
  /** Until when a failed payment can be made up before the account becomes read-only. */
  graceEndsAt: Date | null
  /** The account has had its trial: a checkout charges at once. */
  trialUsed: boolean
  canExport: boolean
  /** The operator has suspended the account, which can then only be read, whatever it has paid for. */
  isSuspended: boolean
  /** When the account and its data are deleted, unless it subscribes again; null while it has access. */
  deletesAt: Date | null
}

interface Viewing {
  now: Date
  trialUsed: boolean
  isSuspended: boolean
  notices: DeletionNotices
  /** For how many days an account is kept after its access ended. */
  keptDays: number
}

/** The status is `none` if the account never had a subscription. */
export function subscriptionView(
  row: z.output<typeof SubscriptionField>,
  { now, trialUsed, isSuspended, notices, keptDays }: Viewing,
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
    canExport: canExport(row, now),
    isSuspended,
    deletesAt: plannedDeletion(row, notices, { keptDays, now })?.deletesAt ?? null,
  }
}

/** The response of the specification's call, with Unix seconds. */
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
