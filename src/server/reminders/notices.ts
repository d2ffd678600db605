import { daysBetween, type Day } from '#shared/domain/day.ts'
import type { PastMessage } from '#shared/domain/reminder-plan.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import { written, type NewNotification } from '#server/notifications/texts.ts'
import type { Ended } from '#server/ledger/ledger.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { asDecided, type SubjectRow } from './reminder-subject.ts'

/** The account and the time of the decisions. */
export interface Planning {
  account: ReminderAccount
  now: Date
  today: Day
}

/** The notification that shows a message in the app. */
export function noticeOf(
  row: SubjectRow,
  { kind, offset }: Pick<PastMessage, 'kind' | 'offset'>,
  { today }: Planning,
): NewNotification {
  const { contractId, title, amountCents, renewalCycle, renews, renewalDate } = asDecided(row)
  const customerName = withoutDirectionMarks(row.customerName)
  const daysLeft = daysBetween(today, renewalDate)
  const contract = { contractId, customerName, title, amountCents, renewalCycle, renews, renewalDate, daysLeft }
  if (kind !== 'follow_up') return { kind: 'renewal_reminder', ...contract }
  return { kind: offset === 1 ? 'overdue' : 'follow_up', ...contract }
}

/**
 * Notifications about rows that failed, and about reminders by hand that were not sent. Several in one email make one
 * notification.
 */
export function noticesOfEnd(ended: readonly Ended[]): NewNotification[] {
  const notices = ended.filter(({ state, kind }) => state === 'failed' || kind === 'manual').map(noticeOfEnd)
  return [...new Map(notices.map((notice) => [written(notice).title + written(notice).message, notice])).values()]
}

function noticeOfEnd({ kind, recipient, customerName, state, reason, answer }: Ended): NewNotification {
  const why = reason ?? 'unknown'
  if (state === 'skipped') return { kind: 'reminder_skipped', customerName, reason: why }
  const about = kind === 'confirmation' || kind === 'notice' ? kind : 'reminder'
  return { kind: 'reminder_failed', about, recipient, customerName, reason: why, answer }
}
