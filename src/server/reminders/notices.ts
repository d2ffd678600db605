import sql, { raw, type Sql } from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'
import type { PastMessage } from '#shared/domain/reminder-plan.ts'
import type { NotificationType } from '#shared/schemas/notifications.ts'
import { REMINDER_REASONS } from '#shared/schemas/reminders.ts'
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

/** Ends rows, and tells the owner of those that they have to know of. */
export function endAndTell(ending: Sql, now: Date): Sql {
  return sql`with ended as (${ending} returning ${ENDED}) ${noticesOfEnd(sql`ended`, now)}`
}

/** The columns of rows that ended, from reminders. */
export const ENDED = raw('account_id, kind, recipient, customer_name, state, reason, answer')

/**
 * Says of the rows of a common table expression what has failed, or was asked for by hand and is not sent: nobody tries
 * them again by themselves. Of several in one email it is said once.
 */
export function noticesOfEnd(ended: Sql, now: Date): Sql {
  return sql`
    insert into notifications (account_id, type, title, message, action_url, created_at)
    select distinct account_id, 'other',
      case when state = 'skipped' then 'The reminder to ' || customer_name || ' was not sent'
        when recipient = 'owner' then 'Mail to you failed' else 'Mail to ' || customer_name || ' failed' end,
      case when state = 'failed' then 'A reminder was given up. ' else '' end
        || (${JSON.stringify(REMINDER_REASONS)}::json ->> reason)
        || case when state = 'failed' then coalesce(': ' || left(answer, 200), '') else '' end || '.',
      '/reminders?tab=ledger&state=' || state, ${now}::timestamptz
    from ${ended} where state = 'failed' or state = 'skipped' and kind = 'manual'`
}

function typeOf({ kind, offset }: Kind): NotificationType {
  if (kind !== 'follow_up') return 'renewal_reminder'
  return offset === 1 ? 'overdue' : 'follow_up'
}
