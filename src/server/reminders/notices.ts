import type { Day } from '#shared/domain/day.ts'
import type { PastMessage } from '#shared/domain/reminder-plan.ts'
import type { NotificationType } from '#shared/schemas/notifications.ts'
import { REMINDER_REASONS } from '#shared/schemas/reminders.ts'
import type { NewNotification } from '#server/notifications/notify.ts'
import type { Ended } from '#server/ledger/ledger.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { writeNotice } from './letters/reminder-letter.ts'
import { factsOf } from './letters/reminder-mail.ts'
import type { SubjectRow } from './reminder-subject.ts'

/** The account whose messages are decided, and when. */
export interface Planning {
  account: ReminderAccount
  now: Date
  today: Day
}

type Kind = Pick<PastMessage, 'kind' | 'offset'>

/** The notification that shows a message in the app. */
export function noticeOf(row: SubjectRow, decision: Kind, { account, today }: Planning): Required<NewNotification> {
  return {
    ...writeNotice(factsOf(row, { recipient: 'owner', account, today })),
    type: typeOf(decision),
    actionUrl: `/contracts?open=${row.contractId}`,
  }
}

/** Sent once, for the first message that waits. */
export const WAITING_FOR_COMPANY: NewNotification = {
  title: 'Messages to your customers are waiting',
  message:
    'Enter your company name so that customers know who is writing to them. The messages that are waiting will then be sent.',
  actionUrl: '/company',
}

/**
 * Notifications about rows that have ended: those that failed, and those asked for by hand that were not sent. Several in
 * one email make one notification.
 */
export function noticesOfEnd(ended: readonly Ended[]): NewNotification[] {
  const notices = ended.filter(({ state, kind }) => state === 'failed' || kind === 'manual').map(noticeOfEnd)
  return [...new Map(notices.map((notice) => [notice.title + notice.message, notice])).values()]
}

function noticeOfEnd({ recipient, customerName, state, reason, answer }: Ended): NewNotification {
  const actionUrl = `/reminders?tab=ledger&state=${state}`
  const why = REMINDER_REASONS[reason ?? 'unknown']
  if (state === 'skipped')
    return { title: `The reminder to ${customerName} was not sent`, message: `${why}.`, actionUrl }
  const title = recipient === 'owner' ? 'Email to your address failed' : `Email to ${customerName} failed`
  const said = answer === null ? '' : `: ${answer.slice(0, 200)}`
  return { title, message: `A reminder could not be sent. ${why}${said}.`, actionUrl }
}

function typeOf({ kind, offset }: Kind): NotificationType {
  if (kind !== 'follow_up') return 'renewal_reminder'
  return offset === 1 ? 'overdue' : 'follow_up'
}
