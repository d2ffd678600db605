import sql, { type Sql } from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'
import type { AnswerKind, Line } from '#shared/domain/reminder-plan.ts'
import type { Moment } from './ledger.ts'

// What customers' answers add to the ledger. For its states see ledger.ts.

/** An email about a customer's answer. */
export interface AnswerMail {
  contractId: number
  customerId: number
  customerName: string
  kind: AnswerKind
  /** Which answer of the term it is about. */
  number: number
  recipient: Line['recipient']
  contactId: number
  /** Of a contact that is not the first. */
  contactName: string | null
  renewalDate: Day
  termNumber: number
}

/** New to planned, to be sent at once, as a statement. */
export function answerMailsAdded(mails: readonly AnswerMail[], { accountId, now, today }: Moment): Sql {
  return sql`
    insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, term_number, kind, offset_days,
      due_on, recipient, contact_id, contact_name, channel, state, planned_at, next_attempt_at)
    select ${accountId}, n."contractId", n."customerId", n."customerName", n."renewalDate", n."termNumber", n.kind, n.number,
      ${today}::date, n.recipient, n."contactId", n."contactName", 'email', 'planned', ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(mails)}::json) as n("contractId" int, "customerId" int, "customerName" text,
      kind text, number int, recipient text, "contactId" int, "contactName" text, "renewalDate" date, "termNumber" int)`
}

interface OfAnswer {
  contractId: number
  termNumber: number
  number: number
}

/** Planned to skipped, as a statement: the customer has changed the answer that these emails are about. */
export function answerMailsEnded(
  { contractId, termNumber, number }: OfAnswer,
  { accountId, now }: Pick<Moment, 'accountId' | 'now'>,
) {
  return sql`
    update reminders set state = 'skipped', reason = 'answer_changed', ended_at = ${now}, next_attempt_at = null
    where account_id = ${accountId} and contract_id = ${contractId} and term_number = ${termNumber}
      and kind = 'answer' and offset_days = ${number} and state = 'planned'`
}
