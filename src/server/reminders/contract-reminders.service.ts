import { ForeignKeyConstraintViolationException } from '@mikro-orm/core'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { isOpen } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import { customerLines, isUpcoming, unreachableAt } from '#shared/domain/reminder-plan.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import {
  REMINDER_REASONS,
  type ContractReminderSettings,
  type MuteContract,
  type ReminderSettings,
  type SaveContractSettings,
} from '#shared/schemas/reminders.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { instant } from '#server/db/columns.ts'
import type { Read } from '#server/db/database.ts'
import { lockRow } from '#server/db/lock-row.ts'
import { letterText } from '#server/mail/letter.ts'
import { letterHtml } from '#server/mail/mailer.ts'
import {
  accountFacts,
  AccountRow,
  readReminderAccount,
  reminderAccountOf,
  type ReminderAccount,
} from './reminder-account.ts'
import { writeReminder } from './letters/reminder-letter.ts'
import { factsOf, previewWording } from './letters/reminder-mail.ts'
import { replan } from '#server/ledger/schedule.ts'
import { ContractReminderPreferencesEntity } from './reminder-preferences.entity.ts'
import {
  Candidate,
  candidateColumns,
  forecastOf,
  readersOf,
  SUBJECT_TABLES,
  subjectRows,
  SubjectRow,
} from './reminder-subject.ts'
import {
  MANUAL_GOES_OUT_AT,
  messageView,
  readersView,
  REMINDER_COLUMNS,
  ReminderRow,
  reminderView,
  type MessageView,
  type ReaderView,
  type ReminderView,
  wasRemindedOn,
} from './reminder.view.ts'

const LATEST = 100
const UNCHANGED: ContractReminderSettings = {
  enableNotifications: null,
  reminderDays: null,
  followUpDays: null,
  email: null,
  inApp: null,
}

export interface ContractRemindersView {
  /** The account's preferences, and those that the contract overrides. */
  account: ReminderSettings
  own: ContractReminderSettings
  /** The customer gets no emails about this renewal date. */
  isMuted: boolean
  renewalDate: Day
  /** Latest first. */
  history: ReminderView[]
  /** The messages of the next 90 days. */
  next: MessageView[]
  /** Whether the customer got a reminder today, by hand or not. */
  isRemindedToday: boolean
  /** When a reminder by hand goes out that is on its way; null if there is none. */
  goesOutAt: Date | null
}

/** A contract, what is known of today's reminder by hand, its messages in the ledger, and its account. */
const RemindedRow = Candidate.extend({
  isRemindedToday: z.boolean(),
  goesOutAt: instant.nullable(),
  ledger: z.array(ReminderRow),
  account: AccountRow,
})

/** One contract's past and upcoming reminders. @throws CONTRACT_NOT_FOUND, also for somebody else's */
export function contractReminders(ctx: ReaderContext, { id }: ById): Promise<ContractRemindersView> {
  return remindersOf(ctx, ctx.read, id)
}

/** Takes effect at once. @throws CONTRACT_NOT_FOUND */
export async function saveContractSettings(ctx: SubscriberContext, { id, ...own }: SaveContractSettings) {
  const { em, write, accountId, services } = ctx
  // So that whoever undoes the contract's import waits, and then sees the settings.
  await lockRow({ write, accountId }, 'contracts', id)
  await replan(write, { accountId, now: services.now() })
  await em.upsert(ContractReminderPreferencesEntity, { accountId, contractId: id, ...own }).catch(refuseUnknownContract)
  return remindersOf(ctx, write, id)
}

function refuseUnknownContract(error: unknown): never {
  if (error instanceof ForeignKeyConstraintViolationException)
    throw new AppError('CONTRACT_NOT_FOUND', { cause: error })
  throw error
}

/** All in one statement, because the contract's page asks for it among much else. */
async function remindersOf(
  { accountId, today, caller }: ReaderContext,
  read: Read,
  id: number,
): Promise<ContractRemindersView> {
  const contract = sql`
    select ${candidateColumns(caller)}, ${wasRemindedOn(today)} as "isRemindedToday", ${MANUAL_GOES_OUT_AT} as "goesOutAt",
      (select coalesce(json_agg(row_to_json(o)), '[]') from (
        select ${REMINDER_COLUMNS} from reminders r where r.account_id = k.account_id and r.contract_id = k.id
        order by r.due_on desc, r.id desc limit ${LATEST}) o) as ledger,
      (select row_to_json(o) from (${accountFacts(accountId)}) o) as account
    from ${SUBJECT_TABLES} where k.account_id = ${accountId} and k.id = ${id}`
  const [row] = await read(contract, RemindedRow)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND')
  const account = reminderAccountOf(accountId, row.account)
  const coming = isOpen(row.status) ? forecastOf(row, account, comingSpan(today)) : []
  return {
    account: account.settings,
    own: ownOf(row),
    isMuted: row.isMuted,
    renewalDate: row.renewalDate,
    history: row.ledger.map(reminderView),
    next: coming.filter(isUpcoming).map((decision) => messageView(row, decision)),
    isRemindedToday: row.isRemindedToday,
    goesOutAt: row.goesOutAt,
  }
}

function ownOf({ own }: Candidate): ContractReminderSettings {
  if (!own) return UNCHANGED
  const { reminderDays, followUpDays } = own
  return {
    ...own,
    reminderDays: reminderDays && [...reminderDays],
    followUpDays: followUpDays && [...followUpDays],
  }
}

/** Turns emails about the contract's current renewal date off or on. @throws CONTRACT_NOT_FOUND */
export async function muteContract(
  { em, write, accountId, services }: SubscriberContext,
  { id, reminders }: MuteContract,
): Promise<void> {
  await lockRow({ write, accountId }, 'contracts', id)
  const contract = await em.findOne(ContractEntity, { id, accountId }, { refresh: true })
  if (!contract) throw new AppError('CONTRACT_NOT_FOUND')
  contract.mutedRenewalDate = reminders === 'off' ? contract.renewalDate : null
  await em.flush()
  await replan(write, { accountId, now: services.now() })
}

/** The email that a contract's customer would get now. */
export interface ReminderPreview {
  customerName: string
  /** The first contact's address; null if there is none. */
  to: string | null
  /** All contacts that get reminders, and why some of them are not reached. */
  readers: ReaderView[]
  subject: string
  text: string
  html: string
}

/** @throws CONTRACT_NOT_FOUND, also for somebody else's, TOO_MANY_REQUESTS, TOO_MANY_AT_ONCE */
export function previewReminder(ctx: ReaderContext, { id }: ById): Promise<ReminderPreview> {
  return ctx.limits.during('previews', ctx.accountId, () => reminderNow(ctx, id))
}

async function reminderNow(ctx: ReaderContext, id: number): Promise<ReminderPreview> {
  const { read, accountId, today, services } = ctx
  const account = await readReminderAccount(read, accountId)
  const [row] = await read(subjectRows(accountId, [id]), SubjectRow)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND')
  const facts = factsOf(row, { recipient: 'customer', account, today })
  const { subject, letter } = writeReminder(facts, previewWording(account, services, row.ownAnswers))
  return {
    customerName: row.customerName,
    to: row.email,
    readers: readersOfReminder(row, account),
    subject,
    text: letterText(letter),
    html: await letterHtml(subject, letter),
  }
}

function readersOfReminder(row: SubjectRow, account: ReminderAccount): ReaderView[] {
  const readers = readersOf(row, account)
  const contacts = customerLines(readers.contacts).map((line) => {
    const reason = unreachableAt(readers, line)
    return { contactId: line.contactId, obstacle: reason ? REMINDER_REASONS[reason] : null }
  })
  return readersView(row, contacts)
}
