import sql, { type Sql } from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'
import type { PastMessage } from '#shared/domain/reminder-plan.ts'
import type { NotificationType } from '#shared/schemas/notifications.ts'
import { REMINDER_REASONS, type ReminderReason } from '#shared/schemas/reminders.ts'
import type { Read } from '#server/db/database.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { writeNotice } from './reminder-letter.ts'
import { factsOf, type SubjectRow } from './reminder-subject.ts'

/** When, for an account, its messages are decided. */
export interface Planning {
  account: ReminderAccount
  now: Date
  today: Day
}

type Kind = Pick<PastMessage, 'kind' | 'offset'>

/** What the owner sees of a message in the app. */
export function noticeOf(row: SubjectRow, decision: Kind, { account, today }: Planning) {
  const search = new URLSearchParams({ search: row.customerName })
  return {
    ...writeNotice(factsOf(row, { recipient: 'owner', account, today })),
    type: typeOf(decision),
    action_url: `/contracts?${search}`,
  }
}

interface Waiting {
  id: number
  decision: Kind
  row: SubjectRow
}

/** Gives a notice that has waited, in the transaction that writes down that it was given. */
export async function giveNotice(write: Read, { id, decision, row }: Waiting, planning: Planning): Promise<void> {
  const { account, now, today } = planning
  const { type, title, message, action_url: actionUrl } = noticeOf(row, decision, planning)
  await write(sql`
    insert into notifications (account_id, type, title, message, action_url, created_at)
    values (${account.id}, ${type}, ${title}, ${message}, ${actionUrl}, ${now})`)
  await write(sql`
    update reminders set state = 'sent', sent_at = ${now}, sent_on = ${today}, next_attempt_at = null,
      subject = ${title}, body = ${message}
    where account_id = ${account.id} and id = ${id}`)
}

/**
 * Says of the rows of `failed` that nobody tries them again by themselves; of several in one e-mail once. Of a message
 * that was sent by hand, whoever sent it was told at once.
 */
export function noticeOfFailure(failed: Sql, reason: ReminderReason, now: Date): Sql {
  return sql`
    with failed as (${failed} returning account_id, kind, recipient, customer_name, state, answer)
    insert into notifications (account_id, type, title, message, action_url, created_at)
    select distinct account_id, 'other',
      case recipient when 'owner' then 'Mail to you failed' else 'Mail to ' || customer_name || ' failed' end,
      'A reminder was given up. ' || ${REMINDER_REASONS[reason]} || coalesce(': ' || left(answer, 200), '') || '.',
      '/reminders?tab=ledger&state=failed', ${now}::timestamptz
    from failed where state = 'failed' and kind <> 'manual'`
}

function typeOf({ kind, offset }: Kind): NotificationType {
  if (kind !== 'follow_up') return 'renewal_reminder'
  return offset === 1 ? 'overdue' : 'follow_up'
}
