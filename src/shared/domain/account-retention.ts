import type { SubscriptionState } from './access.ts'

/** When the owner was told that the account will be deleted; null before. */
export interface DeletionNotices {
  firstAt: Date | null
  lastAt: Date | null
}

/** The next step toward deleting an account whose access has ended, and the earliest time for it. */
export interface PlannedDeletion {
  step: 'first notice' | 'last notice' | 'deletion'
  stepAt: Date
  /** The account is not deleted before this. The time can move later, never earlier. */
  deletesAt: Date
  /** When access ended. */
  endedAt: Date
}

const FIRST_NOTICE_DAYS = 30
const LAST_NOTICE_DAYS = 7
const DAY_MS = 86_400_000

/** The statuses of a subscription that is over for good, and can only be followed by another one. */
export const ENDED_STATUSES = ['canceled', 'incomplete_expired']

/** How many days before an account is deleted its owner is first told. */
export const DELETION_NOTICE_DAYS = FIRST_NOTICE_DAYS

/**
 * When an account is deleted: `keptDays` after its access ended, or later if its owner was told late. Null if its
 * subscription is not over, never opened anything, or ended at an unknown time. Notices about an earlier end do not count:
 * each end is announced twice.
 */
export function plannedDeletion(
  subscription: SubscriptionState | null,
  notices: DeletionNotices,
  { keptDays, now }: { keptDays: number; now: Date },
): PlannedDeletion | null {
  const endedAt = accessEndedAt(subscription)
  if (!endedAt) return null
  const dueAt = after(endedAt, keptDays)
  const firstAt = ofThisEnd(notices.firstAt, endedAt)
  if (!firstAt) {
    const stepAt = after(dueAt, -FIRST_NOTICE_DAYS)
    return { step: 'first notice', stepAt, deletesAt: later(dueAt, after(now, FIRST_NOTICE_DAYS)), endedAt }
  }
  const announcedFor = later(dueAt, after(firstAt, FIRST_NOTICE_DAYS))
  const lastAt = ofThisEnd(notices.lastAt, endedAt)
  if (!lastAt) {
    const stepAt = after(announcedFor, -LAST_NOTICE_DAYS)
    return { step: 'last notice', stepAt, deletesAt: later(announcedFor, after(now, LAST_NOTICE_DAYS)), endedAt }
  }
  const deletesAt = later(announcedFor, after(lastAt, LAST_NOTICE_DAYS))
  return { step: 'deletion', stepAt: deletesAt, deletesAt, endedAt }
}

function accessEndedAt(subscription: SubscriptionState | null): Date | null {
  if (!subscription?.everPaidOrTrialed || !ENDED_STATUSES.includes(subscription.status)) return null
  return subscription.endedAt
}

function ofThisEnd(noticeAt: Date | null, endedAt: Date): Date | null {
  return noticeAt && noticeAt >= endedAt ? noticeAt : null
}

function after(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * DAY_MS)
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other
}
