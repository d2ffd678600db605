import sql, { type Sql } from 'sql-template-tag'
import { isOpen } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import { AppError } from '#shared/errors.ts'
import type { AnnounceMail, MuteContract } from '#shared/schemas/reminders.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { closedReason } from '#server/customers/closed-address.rows.ts'
import { candidateColumns, type Candidate } from './candidates.ts'
import { MOST_IN_A_MAIL } from './due-rows.ts'
import { readReminderAccount } from './reminder-account.ts'
import { hasBounced } from './reminder-rows.ts'
import { SUBJECT_TABLES } from './reminder-subject.ts'
import { forecastOf } from './settings.service.ts'

/** E-mails to customers that would go out in the coming 90 days. */
export interface AnnouncedMail {
  count: number
  first: Day | null
}

/** The same of an import. */
export interface AnnouncedImportMail extends AnnouncedMail {
  /** None of the customers is written to about these renewal dates. */
  isMuted: boolean
  /** How many contracts were counted, where the import has more open ones: those that renew next. */
  countedOf: number | null
}

/** At most so many imported contracts are looked at. */
const MOST_LOOKED_AT = 5000

/** What a contract that is about to be saved would send to its customer. @throws CUSTOMER_NOT_FOUND, CONTRACT_NOT_FOUND */
export async function announceMail(ctx: ReaderContext, planned: AnnounceMail): Promise<AnnouncedMail> {
  if (!isOpen(planned.status)) return NOTHING
  const { read, accountId, today } = ctx
  const account = await readReminderAccount(read, accountId)
  const [customer] = await read<Pick<Candidate, 'email' | 'sendNotifications' | 'hasBounced' | 'closed'>>(sql`
    select c.email, c.send_notifications as "sendNotifications", ${hasBounced(sql`c.account_id`, sql`c.email`)} as "hasBounced",
      ${closedReason(sql`c.account_id`, sql`c.email`)} as closed
    from customers c where c.account_id = ${accountId} and c.id = ${planned.customerId}`)
  if (!customer) throw new AppError('CUSTOMER_NOT_FOUND')
  const saved = planned.id === undefined ? undefined : await readCandidate(ctx, planned.id)
  // As the table itself has it: another renewal date, or a contract that opens again, begins anew.
  const isSameDate = saved?.renewalDate === planned.renewalDate
  const row: Candidate = {
    ...NEW_CONTRACT,
    ...saved,
    ...customer,
    customerId: planned.customerId,
    renewalDate: planned.renewalDate,
    status: planned.status,
    isMuted: saved?.mutedRenewalDate === planned.renewalDate,
    history: isSameDate ? saved.history : [],
    since: isSameDate && isOpen(saved.status) ? saved.since : today,
  }
  const days = daysOf(forecastOf(row, account, comingSpan(today)))
  return { count: days.length, first: days[0] ?? null }
}

/** What the contracts of an import would send to their customers. @throws IMPORT_NOT_FOUND */
export async function announceImportMail(ctx: ReaderContext, { id }: ById): Promise<AnnouncedImportMail> {
  const { read, accountId, today } = ctx
  const account = await readReminderAccount(read, accountId)
  const [known] = await read(sql`select from imports where account_id = ${accountId} and id = ${id}`)
  if (!known) throw new AppError('IMPORT_NOT_FOUND')
  const found = await read<Candidate>(sql`
    select ${candidateColumns(account)} from ${SUBJECT_TABLES}
    where k.account_id = ${accountId} and k.import_id = ${id} and k.status in ('pending', 'active')
    order by k.renewal_date < ${today}, k.renewal_date, k.id limit ${MOST_LOOKED_AT + 1}`)
  const rows = found.slice(0, MOST_LOOKED_AT)
  const span = comingSpan(today)
  const mails = rows.flatMap((row) =>
    daysOf(forecastOf({ ...row, isMuted: false }, account, span)).map((day) => ({ day, to: row.email?.toLowerCase() })),
  )
  return {
    ...mailsToReaders(mails),
    isMuted: rows.length > 0 && rows.every(({ isMuted }) => isMuted),
    countedOf: found.length > rows.length ? rows.length : null,
  }
}

/** Whether a contract's customer is written to about its present renewal date. @throws CONTRACT_NOT_FOUND */
export async function muteContract(ctx: SubscriberContext, { id, reminders }: MuteContract): Promise<void> {
  const [muted] = await ctx.write(sql`
    ${muting(reminders)} where account_id = ${ctx.accountId} and id = ${id} returning id`)
  if (!muted) throw new AppError('CONTRACT_NOT_FOUND')
  await planAnew(ctx)
}

/** The same for all contracts of an import. @throws IMPORT_NOT_FOUND */
export async function muteImport(ctx: SubscriberContext, { id, reminders }: MuteContract): Promise<void> {
  const [known] = await ctx.write(sql`select from imports where account_id = ${ctx.accountId} and id = ${id}`)
  if (!known) throw new AppError('IMPORT_NOT_FOUND')
  await ctx.write(sql`${muting(reminders)} where account_id = ${ctx.accountId} and import_id = ${id}`)
  await planAnew(ctx)
}

function muting(reminders: MuteContract['reminders']): Sql {
  const date = reminders === 'off' ? sql`renewal_date` : sql`null`
  return sql`update contracts set muted_renewal_date = ${date}`
}

async function planAnew({ write, accountId, services }: SubscriberContext): Promise<void> {
  await write(sql`update reminder_schedules set next_plan_at = ${services.now()} where account_id = ${accountId}`)
}

interface SavedContract extends Candidate {
  mutedRenewalDate: Day | null
}

async function readCandidate({ read, accountId }: ReaderContext, id: number): Promise<SavedContract> {
  const account = await readReminderAccount(read, accountId)
  const [row] = await read<SavedContract>(sql`
    select ${candidateColumns(account)}, k.muted_renewal_date as "mutedRenewalDate"
    from ${SUBJECT_TABLES} where k.account_id = ${accountId} and k.id = ${id}`)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND')
  return row
}

/** The days of what goes to the customer, the earliest first. */
function daysOf(decisions: ReturnType<typeof forecastOf>): Day[] {
  return decisions
    .filter(({ verdict, recipient }) => verdict === 'due' && recipient === 'customer')
    .map(({ day }) => day)
    .toSorted()
}

/** What is to one reader on one day is one email, unless it is too much for one. */
function mailsToReaders(messages: { day: Day; to: string | undefined }[]): AnnouncedMail {
  const mails = [...Map.groupBy(messages, ({ day, to }) => `${day} ${to}`).values()]
  const count = mails.reduce((sum, { length }) => sum + Math.ceil(length / MOST_IN_A_MAIL), 0)
  const [first = null] = messages.map(({ day }) => day).toSorted()
  return { count, first }
}

const NOTHING: AnnouncedMail = { count: 0, first: null }
const NEW_CONTRACT = {
  contractId: 0,
  customerName: '',
  amountCents: centsFromAmount(0),
  renewalCycle: 'monthly',
  own: null,
} as const
