import sql, { type Sql } from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'
import type { LetterDelivery } from '#shared/domain/notice-window.ts'
import type { Moment } from './ledger.ts'

// Letters that their owners have mailed, which are sent from the beginning. For the ledger's states see ledger.ts.

/** The letter with a contract's term that it is about. */
export interface LetterOf {
  contractId: number
  termNumber: number
  renewalDate: Day
}

export interface MailedLetter extends LetterOf {
  customerId: number
  customerName: string
  /** The day on which it was mailed, and how many days before the renewal date that was. */
  on: Day
  daysLeft: number
  /** The number of certified mail. */
  mailNumber: string | null
  /** How it was delivered, if that was said. */
  delivery: LetterDelivery | null
  /** As it was then; null where the account had no company name, in which it could be written. */
  subject: string | null
  body: string | null
}

/** What its owner says of a letter. */
export type MarkedLetter = LetterOf & Pick<MailedLetter, 'on' | 'mailNumber' | 'delivery'>

/**
 * New to sent, or corrects what was said before, as a statement that returns its row, whether that is new, and the subject
 * and body that stand in the ledger from now on: those of before, if the day is the same. A term has one letter; its contract
 * is locked.
 */
export function letterMailed(letter: MailedLetter, { accountId, now }: Pick<Moment, 'accountId' | 'now'>): Sql {
  const { contractId, termNumber, renewalDate, customerId, customerName, on, daysLeft } = letter
  const { mailNumber, delivery, subject, body } = letter
  return sql`
    with corrected as (
      update reminders set customer_id = ${customerId}, customer_name = ${customerName}, offset_days = ${daysLeft},
        due_on = ${on}, sent_on = ${on}, mail_number = ${mailNumber}, delivery = ${delivery},
        subject = case when due_on = ${on}::date then subject else ${subject} end,
        body = case when due_on = ${on}::date then body else ${body} end
      where ${isOf(letter, accountId)} returning id, subject, body),
    added as (
    insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, term_number, kind, offset_days,
      due_on, recipient, contact_id, channel, state, subject, body, mail_number, delivery, planned_at, sent_at, sent_on)
    select ${accountId}, ${contractId}::int, ${customerId}::int, ${customerName}, ${renewalDate}::date, ${termNumber}::int, 'letter',
      ${daysLeft}::int, ${on}::date, 'customer', 0, 'letter', 'sent', ${subject}, ${body}, ${mailNumber}, ${delivery}, ${now}::timestamptz,
      ${now}::timestamptz, ${on}::date
    where not exists (select from corrected) returning id, subject, body)
    select id::float8 as id, true as "isNew", subject, body from added
    union all select id::float8, false, subject, body from corrected`
}

/** A condition on its contract's term: the letter is in the ledger with this day, number and delivery. */
export function isMarkedSo(letter: MarkedLetter, accountId: number): Sql {
  return sql`exists (select from reminders where ${isOf(letter, accountId)} and due_on = ${letter.on}::date
    and mail_number is not distinct from ${letter.mailNumber} and delivery is not distinct from ${letter.delivery})`
}

/** Removes it, as a statement that returns its row: it was not mailed after all, so that nothing has happened. */
export function letterNotMailed(letter: LetterOf, accountId: number): Sql {
  return sql`delete from reminders where ${isOf(letter, accountId)} returning id::float8 as id`
}

function isOf({ contractId, termNumber, renewalDate }: LetterOf, accountId: number): Sql {
  return sql`account_id = ${accountId} and contract_id = ${contractId}::int and term_number = ${termNumber}::int
    and renewal_date = ${renewalDate}::date and kind = 'letter'`
}
