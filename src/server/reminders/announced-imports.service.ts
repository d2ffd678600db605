import sql from 'sql-template-tag'
import { addDays, type Day, type DaySpan } from '#shared/domain/day.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import { renewalDatesWithOccasions } from '#shared/domain/reminder-occasions.ts'
import { customerLine, customerLines, readerAt, unreachableAt } from '#shared/domain/reminder-plan.ts'
import { IMPORT_QUIET_DAYS } from '#shared/domain/replanning.ts'
import { actsOn } from '#shared/domain/settled-contract.ts'
import type { ImportMail } from '#shared/schemas/imports.ts'
import type { ReaderContext } from '#server/context.ts'
import { IS_OPEN } from '#server/contracts/contract.rows.ts'
import type { Read } from '#server/db/database.ts'
import { chunksOf } from '#server/limits/in-parallel.ts'
import { ruleOf, RuleRow } from '#server/notice-rules/chosen-rule.ts'
import { chosenRules, WindowIds, windowIds } from '#server/notice-rules/noticed-contracts.ts'
import {
  comingNotices,
  type Emailed,
  emailedColumns,
  type EmailedRow,
  isDueToCustomer,
  MutableRow,
  MUTED,
  NEW_CONTRACT,
  settledEmailed,
  without,
} from './coming-emails.ts'
import type { NewEmails } from './new-emails.ts'
import { MOST_IN_A_MAIL } from './sending/due-reminders.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { CANDIDATES_AT_ONCE, forecastOf, readersOf, SUBJECT_TABLES } from './reminder-subject.ts'

/** An open contract as an import is about to create or to move it, renewed already if its renewal date has come. */
export type NewContract = Pick<
  EmailedRow,
  | 'customerId'
  | 'customerName'
  | 'email'
  | 'sendNotifications'
  | 'hasBounced'
  | 'closed'
  | 'contacts'
  | 'status'
  | 'renewalDate'
  | 'renewalCycle'
  | 'nextCycle'
  | 'renews'
  | 'noticePeriod'
  | 'endsOn'
  | 'heldRenewalDate'
  | 'isMuted'
  | 'own'
  | 'chosen'
>

/** Contracts that send anything are counted up to this many. */
const MOST_COUNTED = 5000
const NAMED = 5

/** The emails that customers would get about contracts that are about to be imported. */
export async function announceImportMail(
  { read, accountId, today }: ReaderContext,
  contracts: AsyncIterable<(NewContract | NewEmails)[]>,
): Promise<ImportMail> {
  const account = await readReminderAccount(read, accountId)
  const [span, since] = [comingSpan(today), addDays(today, IMPORT_QUIET_DAYS)]
  const mail = emailCounter(account)
  // Without settings of their own, contracts with the same renewal date remind on the same days, up to the day on which they
  // are renewed by themselves: each date is planned once.
  const daysAbout = new Map<string, Day[]>()
  const remindersOf = (row: EmailedRow): Emailed[] => {
    const lines = reachableLines(row, account)
    if (lines.length === 0 || row.endsOn !== null || row.isMuted) return []
    const forecastDays = () =>
      new Set(
        forecastOf(row, account, span)
          .filter(isDueToCustomer)
          .map(({ day }) => day),
      )
    const key = `${row.renewalDate} ${actsOn(row)}`
    const known = row.own === null ? daysAbout.get(key) : undefined
    const days = known ?? [...forecastDays()]
    if (row.own === null) daysAbout.set(key, days)
    return lines.flatMap(({ contactId }) => days.map((day) => ({ day, contactId })))
  }
  const addWhole = (row: EmailedRow) => mail.add(row, comingNotices(row, account, span), remindersOf(row))
  for await (const rows of contracts) {
    for (const one of rows) {
      if ('notices' in one) mail.add(one.row, one.notices, one.reminders)
      // Whatever is due has happened to it already: its start date decides about nothing.
      else addWhole({ ...NEW_CONTRACT, ...one, startDate: one.renewalDate, since })
    }
    if (mail.isFull()) return mail.view(false)
  }
  return mail.view(true)
}

/** The emails that customers will get about the account's contracts. */
export async function announceAllMail({ read, accountId, today }: ReaderContext): Promise<ImportMail> {
  const account = await readReminderAccount(read, accountId)
  const span = comingSpan(today)
  const mail = emailCounter(account)
  for (const ids of chunksOf(await writingIds(read, account, span), CANDIDATES_AT_ONCE)) {
    const statement = sql`
      select ${emailedColumns(account)}, ${MUTED} from ${SUBJECT_TABLES}
      where k.account_id = ${accountId} and k.id = any(${ids}::int[]) order by k.id`
    for (const stored of await read(statement, MutableRow)) {
      const row = settledEmailed(stored, today)
      mail.add(row, comingNotices(row, account, span), forecastOf(row, account, span).filter(isDueToCustomer))
    }
    if (mail.isFull()) return mail.view(false)
  }
  return mail.view(true)
}

/** The contracts about which an email may go out on these days, in order, or that are about to be renewed. */
async function writingIds(read: Read, { id: accountId }: ReminderAccount, days: DaySpan): Promise<number[]> {
  const rules = (await read(chosenRules(accountId), RuleRow)).map(ruleOf)
  const reminding = sql`
    select coalesce(json_agg(k.id), '[]') as ids from contracts k where k.account_id = ${accountId} and ${IS_OPEN}
      and (k.renewal_date = any(${renewalDatesWithOccasions(days)}::date[]) or k.acts_on <= ${days.from})`
  const reminded = await read(reminding, WindowIds)
  const noticed = rules.length > 0 ? await read(windowIds(accountId, rules, days), WindowIds) : []
  const ids = new Set([...reminded, ...noticed].flatMap((row) => row.ids))
  return [...ids].toSorted((one, other) => one - other)
}

/** The customer's contacts that can be reached. */
function reachableLines(row: EmailedRow, account: ReminderAccount) {
  const readers = readersOf(row, account)
  return customerLines(readers.contacts).filter((line) => !unreachableAt(readers, line))
}

/** Counts emails: messages to one reader on one day share one, up to its size limit, but for notices. */
function emailCounter(account: ReminderAccount) {
  const notices: Email[] = []
  const reminders = new Map<string, Email>()
  let writing = 0
  return {
    /** Counts those about one contract. */
    add: (row: EmailedRow, noticed: readonly Emailed[], reminded: readonly Emailed[]) => {
      const { customerName } = row
      const readers = readersOf(row, account)
      const addressOf = ({ contactId }: Emailed) =>
        readerAt(readers, customerLine(contactId))?.email?.toLowerCase() ?? ''
      for (const notice of noticed) notices.push({ day: notice.day, to: addressOf(notice), customerName, messages: 1 })
      for (const message of without(noticed, reminded)) {
        const to = addressOf(message)
        const key = `${message.day} ${to}`
        const email = reminders.get(key)
        if (email) email.messages += 1
        else reminders.set(key, { day: message.day, to, customerName, messages: 1 })
      }
      if (noticed.length + reminded.length > 0) writing += 1
    },
    isFull: () => writing >= MOST_COUNTED,
    view: (isAll: boolean): ImportMail => {
      const all = [...notices, ...reminders.values()]
      const first = all.toSorted((one, other) => (one.day < other.day ? -1 : 1)).slice(0, NAMED)
      return {
        emails: all.reduce((sum, { messages }) => sum + Math.ceil(messages / MOST_IN_A_MAIL), 0),
        customers: new Set(all.map(({ to }) => to)).size,
        isAll,
        first: first.map(({ customerName, day }) => ({ customerName, day })),
      }
    },
  }
}

interface Email {
  day: Day
  to: string
  customerName: string
  messages: number
}
