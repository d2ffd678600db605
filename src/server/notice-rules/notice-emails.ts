import sql, { type Sql } from 'sql-template-tag'
import type { ReminderState } from '#shared/schemas/filters.ts'

/** The emails with notices `n`, from the ledger; conditions on `r` may follow. */
export const EMAILS_OF_NOTICE = sql`
  from reminders r where r.account_id = n.account_id and r.contract_id = n.contract_id
    and r.renewal_date = n.renewal_date and r.term_number = n.term_number and r.kind = 'notice'`

/** A condition on notices `n`: an email with the notice is in one of these states. */
export function noticeEmails(states: readonly ReminderState[]): Sql {
  return sql`exists (select ${EMAILS_OF_NOTICE} and r.state = any(${[...states]}::text[]))`
}
