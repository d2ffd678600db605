import sql, { type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { addDays, type Day, type DaySpan } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { isNoticeDue, noticeObstacle } from '#shared/domain/notice-plan.ts'
import { holdsUp } from '#shared/domain/reminder-delivery.ts'
import { customerLine, customerLines, obstacle, readerAt, type Decision } from '#shared/domain/reminder-plan.ts'
import { asSettled, UNDECIDED } from '#shared/domain/settled-contract.ts'
import type { ActingContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ChosenRule, CHOSEN_RULE, emailDaysOf } from '#server/notice-rules/chosen-rule.ts'
import { IS_OF_TERM } from './plan-notices.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { Candidate, candidateColumns, daysOfTerm, forecastOf, SUBJECT_TABLES, subjectOf } from './reminder-subject.ts'

const TERM = columnsOf(ContractEntity, 'k', ['startDate', 'termStart', 'anchorDate'])

/** A contract with everything that decides who is emailed about its renewal date today, or about its next one. */
export const EmailedRow = Candidate.extend({ ...TERM.fields, chosen: ChosenRule.nullable() })
export type EmailedRow = z.output<typeof EmailedRow>

/** The columns of an EmailedRow, from the tables of a SubjectRow. No rule counts for a term of which notice was given by letter. */
export function emailedColumns(account: Pick<ReminderAccount, 'timeZone'>): Sql {
  return sql`
    ${candidateColumns(account)}, ${TERM}, case when not exists (
      select from notices n where ${IS_OF_TERM} and n.posted_on is not null) then ${CHOSEN_RULE} end as chosen`
}

/** What else is needed to know about which renewal date emails are turned off. */
export const MUTED = columnsOf(ContractEntity, 'k', ['mutedRenewalDate'])
export const MutableRow = EmailedRow.extend(MUTED.fields)

/**
 * A contract as it will be within minutes, if its renewal date has come: the ledger has nothing of the next one, and nobody
 * has answered about it.
 */
export function settledEmailed(row: z.output<typeof MutableRow>, today: Day): EmailedRow {
  const settled = asSettled(row, today)
  if (settled.renewalDate === row.renewalDate) return settled
  return { ...settled, isMuted: row.mutedRenewalDate === settled.renewalDate, isAnswered: false, history: [] }
}

export interface EmailedReader {
  contactId: number
  email: string
  /** It takes the place of a reminder, and is an email of its own. */
  isNotice: boolean
}

/**
 * The contacts of a contract's customer to whom planning would send a reminder, a follow-up or a notice about its renewal
 * date today. Limits of emails are left aside, as they make messages wait.
 */
export function emailedToday(row: EmailedRow, account: ReminderAccount, today: Day): EmailedReader[] {
  if (isHeldUp(account)) return []
  const subject = subjectOf(row, account, row.history)
  const reminded = forecastOf(row, account, { from: today, through: today })
    .filter(isDueToCustomer)
    .map(({ contactId }) => contactId)
  const noticed = comingNotices(row, account, { from: today, through: today }).map(({ contactId }) => contactId)
  return [...new Set([...reminded, ...noticed])].flatMap((contactId) => {
    const email = readerAt(subject, customerLine(contactId))?.email
    return email ? [{ contactId, email, isNotice: noticed.includes(contactId) }] : []
  })
}

/** The day of an email about a contract, and which of its customer's contacts gets it. */
export type Emailed = Pick<Decision, 'day' | 'contactId'>

/** The notices by email that go to a contract's customer on these days, the first of which is not in the past. */
export function comingNotices(row: EmailedRow, account: ReminderAccount, span: DaySpan): Emailed[] {
  const window = emailDaysOf(row)
  if (!window) return []
  const { from, through } = daysOfTerm(row, span)
  const first = window.from > from ? window.from : from
  const subject = subjectOf(row, account)
  return customerLines(subject.contacts).flatMap((line) => {
    const before = row.history.filter(
      ({ recipient, contactId }) => recipient === 'customer' && contactId === line.contactId,
    )
    // Whoever was written to on the first day gets the notice on the next one.
    const day = [first, addDays(first, 1)].find(
      (today) =>
        today <= through && !noticeObstacle(subject, line, { window, today }) && isNoticeDue(before, { window, today }),
    )
    return day ? [{ day, contactId: line.contactId }] : []
  })
}

/** Emails about a contract to its customer. */
export interface ComingEmails {
  notices: Emailed[]
  /** Reminders and follow-ups, without those that a notice of the same day to the same reader replaces. */
  reminders: Emailed[]
}

/** The emails about a contract's current term on these days, the first of which is not in the past. */
export function comingEmails(row: EmailedRow, account: ReminderAccount, span: DaySpan): ComingEmails {
  const notices = comingNotices(row, account, span)
  const reminded = [...forecastOf(row, account, span).filter(isDueToCustomer), ...putOffEmails(row, account, span)]
  return { notices, reminders: without(notices, reminded) }
}

/** Those of the emails that would not go out otherwise. A notice is one, also where it replaces a reminder. */
export function newEmails({ notices, reminders }: ComingEmails, known: ComingEmails): ComingEmails {
  return {
    notices: without(known.notices, notices),
    reminders: without([...known.notices, ...known.reminders], reminders),
  }
}

/** What is in the ledger for a later day, because the owner put it off, and goes to a contract's customer then. */
function putOffEmails(row: EmailedRow, account: ReminderAccount, span: DaySpan): Emailed[] {
  const subject = subjectOf(row, account)
  const window = emailDaysOf(row)
  const { from, through } = daysOfTerm(row, span)
  return row.history.filter(({ kind, recipient, state, day, ...message }) => {
    if (recipient !== 'customer' || state !== 'planned' || day < from || day > through) return false
    const line = customerLine(message.contactId)
    if (kind === 'notice') return !noticeObstacle(subject, line, { window, today: day })
    if (kind !== 'reminder' && kind !== 'follow_up') return false
    return !obstacle(subject, { ...line, kind, offset: message.offset, day }, day)
  })
}

/** Whether a message that was forecast goes to the customer. */
export function isDueToCustomer({ verdict, recipient }: Decision): boolean {
  return verdict === 'due' && recipient === 'customer'
}

/** Messages about a contract, without those to a reader who gets another of these on the same day. */
export function without(known: readonly Emailed[], messages: readonly Emailed[]): Emailed[] {
  return messages.filter(
    ({ day, contactId }) => !known.some((other) => other.day === day && other.contactId === contactId),
  )
}

/** Whether emails to customers wait for something that the owner has to do. */
export function isHeldUp({ company, isOwnerVerified, isMailStopped }: ReminderAccount): boolean {
  return holdsUp({ hasCompanyName: company.name !== null, isOwnerVerified, isMailStopped }) !== undefined
}

/** Reads to which addresses such emails go out today, in the transaction that has changed the contract. */
export async function readEmailsToday(
  { write, accountId, today }: Pick<ActingContext, 'write' | 'accountId' | 'today'>,
  contractId: number,
): Promise<string[]> {
  const account = await readReminderAccount(write, accountId)
  const statement = sql`
    select ${emailedColumns(account)}, ${MUTED} from ${SUBJECT_TABLES}
    where k.account_id = ${accountId} and k.id = ${contractId}`
  const rows = await write(statement, MutableRow)
  return rows.flatMap((row) => emailedToday(settledEmailed(row, today), account, today)).map(({ email }) => email)
}

/** What a contract is like of which nothing else is known yet. */
export const NEW_CONTRACT = {
  contractId: 0,
  customerName: '',
  amountCents: centsFromAmount(0),
  renewalCycle: 'monthly',
  ...UNDECIDED,
  isMuted: false,
  isAnswered: false,
  ownAnswers: null,
  title: null,
  reference: null,
  renews: 'by_agreement',
  noticePeriod: null,
  history: [],
  own: null,
} satisfies Partial<EmailedRow>
