import sql from 'sql-template-tag'
import type { z } from 'zod'
import { isOpen } from '#shared/domain/contract-status.ts'
import { addDays, type Day } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import { IMPORT_QUIET_DAYS, remindersStartOver } from '#shared/domain/replanning.ts'
import { customerLines, readerAt, unreachableAt, type Decision } from '#shared/domain/reminder-plan.ts'
import { AppError } from '#shared/errors.ts'
import type { ImportMail } from '#shared/schemas/imports.ts'
import type { AnnounceMail } from '#shared/schemas/reminders.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { comingNotices, emailedColumns, EmailedRow } from './emailed-today.ts'
import { MOST_IN_A_MAIL } from './sending/due-reminders.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import {
  type Candidate,
  candidates,
  forecastOf,
  ReadersRow,
  readersColumns,
  readersOf,
  SUBJECT_TABLES,
  type SubjectRow,
} from './reminder-subject.ts'

/** Emails to customers that would go out in the coming 90 days. */
export interface AnnouncedMail {
  count: number
  first: Day | null
}

/** An open contract as an import is about to create it. */
export type NewContract = Pick<
  SubjectRow,
  | 'customerId'
  | 'customerName'
  | 'email'
  | 'sendNotifications'
  | 'hasBounced'
  | 'closed'
  | 'contacts'
  | 'status'
  | 'renewalDate'
>

/** Contracts that send anything are counted up to this many. */
const MOST_COUNTED = 5000
const NAMED = 5

/**
 * The emails that the customer would get about a contract that is about to be saved.
 * @throws CUSTOMER_NOT_FOUND, CONTRACT_NOT_FOUND, TOO_MANY_REQUESTS, TOO_MANY_AT_ONCE
 */
export async function announceMail(ctx: ReaderContext, planned: AnnounceMail): Promise<AnnouncedMail> {
  return isOpen(planned.status)
    ? ctx.limits.during('previews', ctx.accountId, () => mailOfContract(ctx, planned))
    : NOTHING
}

async function mailOfContract(ctx: ReaderContext, planned: AnnounceMail): Promise<AnnouncedMail> {
  const { read, accountId, today } = ctx
  const account = await readReminderAccount(read, accountId)
  const statement = sql`
    select ${readersColumns(sql`c.account_id`)} from customers c where c.account_id = ${accountId} and c.id = ${planned.customerId}`
  const [customer] = await read(statement, ReadersRow)
  if (!customer) throw new AppError('CUSTOMER_NOT_FOUND')
  const saved = planned.id === undefined ? undefined : await readCandidate(ctx, planned.id)
  const isNew = !saved || remindersStartOver(saved, planned)
  const row: Candidate = {
    ...NEW_CONTRACT,
    ...saved,
    ...customer,
    customerId: planned.customerId,
    renewalDate: planned.renewalDate,
    status: planned.status,
    // One that opens again no longer ends either.
    endsOn: saved && isOpen(saved.status) && planned.endsOn === undefined ? saved.endsOn : null,
    isMuted: saved?.mutedRenewalDate === planned.renewalDate,
    history: saved?.renewalDate === planned.renewalDate ? saved.history : [],
    since: isNew ? today : saved.since,
  }
  const noticed = comingNotices({ ...row, chosen: saved?.chosen ?? null }, account, comingSpan(today))
  const reminded = forecastOf(row, account, comingSpan(today)).filter(isDueToCustomer)
  // On the day of a notice no reminder goes to its reader.
  const isReplaced = (message: Message) => noticed.some((notice) => isSame(notice, message))
  const days = [...noticed, ...reminded.filter((message) => !isReplaced(message))].map(({ day }) => day).toSorted()
  return { count: days.length, first: days[0] ?? null }
}

type Message = Pick<Decision, 'day' | 'contactId'>

function isSame(one: Message, other: Message): boolean {
  return one.day === other.day && one.contactId === other.contactId
}

/** The emails that customers would get about contracts that are about to be imported. */
export async function announceImportMail(
  { read, accountId, today }: ReaderContext,
  contracts: AsyncIterable<NewContract[]>,
): Promise<ImportMail> {
  const account = await readReminderAccount(read, accountId)
  const span = comingSpan(today)
  const since = addDays(today, IMPORT_QUIET_DAYS)
  // Contracts with the same renewal date send on the same days, so each date is planned once.
  const daysAbout = new Map<Day, Day[]>()
  const emails = new Map<string, Email>()
  let writing = 0
  for await (const rows of contracts) {
    for (const row of rows) {
      const { renewalDate, customerName } = row
      const addresses = addressesOf(row, account)
      if (addresses.length === 0) continue
      // Each contact of the customer has the same days.
      const forecastDays = () => new Set(daysOf(forecastOf({ ...NEW_CONTRACT, ...row, since }, account, span)))
      const days = daysAbout.get(renewalDate) ?? [...forecastDays()]
      daysAbout.set(renewalDate, days)
      if (days.length > 0) writing += 1
      for (const to of addresses) for (const day of days) addMessage(emails, { day, to, customerName })
    }
    if (writing >= MOST_COUNTED) return mailView([...emails.values()], false)
  }
  return mailView([...emails.values()], true)
}

/** The emails that customers will get about the account's contracts. */
export async function announceAllMail({ read, accountId, today }: ReaderContext): Promise<ImportMail> {
  const account = await readReminderAccount(read, accountId)
  const span = comingSpan(today)
  const emails = new Map<string, Email>()
  let writing = 0
  for await (const rows of candidates(read, account, span)) {
    for (const row of rows) {
      const readers = readersOf(row, account)
      const messages = forecastOf(row, account, span).filter(isDueToCustomer)
      if (messages.length > 0) writing += 1
      for (const { day, ...line } of messages) {
        const to = readerAt(readers, line)?.email
        if (to) addMessage(emails, { day, to, customerName: row.customerName })
      }
    }
    if (writing >= MOST_COUNTED) return mailView([...emails.values()], false)
  }
  return mailView([...emails.values()], true)
}

/** The addresses of the customer's contacts that can be reached. */
function addressesOf(row: NewContract, account: ReminderAccount): string[] {
  const readers = readersOf(row, account)
  const lines = customerLines(readers.contacts).filter((line) => !unreachableAt(readers, line))
  return lines.flatMap((line) => readerAt(readers, line)?.email ?? [])
}

const MUTED = columnsOf(ContractEntity, 'k', ['mutedRenewalDate'])
const SavedContract = EmailedRow.extend(MUTED.fields)

async function readCandidate({ read, accountId }: ReaderContext, id: number): Promise<z.output<typeof SavedContract>> {
  const account = await readReminderAccount(read, accountId)
  const statement = sql`
    select ${emailedColumns(account)}, ${MUTED}
    from ${SUBJECT_TABLES} where k.account_id = ${accountId} and k.id = ${id}`
  const [row] = await read(statement, SavedContract)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND')
  return row
}

/** The days of the customer's emails, earliest first. */
function daysOf(decisions: ReturnType<typeof forecastOf>): Day[] {
  return decisions
    .filter(isDueToCustomer)
    .map(({ day }) => day)
    .toSorted()
}

function isDueToCustomer({ verdict, recipient }: Decision): boolean {
  return verdict === 'due' && recipient === 'customer'
}

/** Messages to one reader on one day share an email, up to its size limit. */
interface Email {
  day: Day
  to: string
  customerName: string
  messages: number
}

function addMessage(emails: Map<string, Email>, { to, ...message }: Omit<Email, 'messages'>): void {
  const reader = to.toLowerCase()
  const key = `${message.day} ${reader}`
  const email = emails.get(key)
  if (email) email.messages += 1
  else emails.set(key, { ...message, to: reader, messages: 1 })
}

function mailView(emails: Email[], isAll: boolean): ImportMail {
  const first = emails.toSorted((one, other) => (one.day < other.day ? -1 : 1)).slice(0, NAMED)
  return {
    emails: emails.reduce((sum, { messages }) => sum + Math.ceil(messages / MOST_IN_A_MAIL), 0),
    customers: new Set(emails.map(({ to }) => to)).size,
    isAll,
    first: first.map(({ customerName, day }) => ({ customerName, day })),
  }
}

const NOTHING: AnnouncedMail = { count: 0, first: null }
const NEW_CONTRACT = {
  contractId: 0,
  customerName: '',
  amountCents: centsFromAmount(0),
  renewalCycle: 'monthly',
  termNumber: 1,
  isMuted: false,
  isAnswered: false,
  ownAnswers: null,
  title: null,
  reference: null,
  renews: 'by_agreement',
  noticePeriod: null,
  nextAmountCents: null,
  nextCycle: null,
  endsOn: null,
  history: [],
  own: null,
} satisfies Partial<Candidate>
