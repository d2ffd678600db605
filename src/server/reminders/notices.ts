import type { Day } from '#shared/domain/day.ts'
import type { PastMessage } from '#shared/domain/reminder-plan.ts'
import type { NotificationType } from '#shared/schemas/notifications.ts'
import { REMINDER_REASONS } from '#shared/schemas/reminders.ts'
import type { NewNotification } from '#server/notifications/notify.ts'
import type { Ended } from './ledger.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { writeNotice } from './letters/reminder-letter.ts'
import { factsOf } from './letters/reminder-mail.ts'
import type { SubjectRow } from './reminder-subject.ts'

/** When, for an account, its messages are decided. */
export interface Planning {
  account: ReminderAccount
  now: Date
  today: Day
}

type Kind = Pick<PastMessage, 'kind' | 'offset'>

/** What the owner sees of a message in the app. */
export function noticeOf(row: SubjectRow, decision: Kind, { account, today }: Planning): Required<NewNotification> {
  const search = new URLSearchParams({ search: row.customerName })
  return {
    ...writeNotice(factsOf(row, { recipient: 'owner', account, today })),
    type: typeOf(decision),
    actionUrl: `/contracts?${search}`,
  }
}

/** Told once, of the first message that waits. */
export const WAITING_FOR_COMPANY: NewNotification = {
  title: 'Messages to your customers are waiting',
  message:
    'Enter the name of your company, so that customers can tell who writes to them. Messages that wait are then sent.',
  actionUrl: '/company',
}

/**
 * What the owner has to know of rows that have ended: what has failed, and what was asked for by hand and is not sent. Of
 * several in one email it is said once.
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
  const title = recipient === 'owner' ? 'Mail to you failed' : `Mail to ${customerName} failed`
  const said = answer === null ? '' : `: ${answer.slice(0, 200)}`
  return { title, message: `A reminder was given up. ${why}${said}.`, actionUrl }
}

function typeOf({ kind, offset }: Kind): NotificationType {
  if (kind !== 'follow_up') return 'renewal_reminder'
  return offset === 1 ? 'overdue' : 'follow_up'
}
