import sql from 'sql-template-tag'
import { z } from 'zod'
import { dayIn, type Day } from '#shared/domain/day.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import { instantOf } from '#shared/domain/reminder-hour.ts'
import { isReminder, isSameLine, isUnwanted, obstacle, type NotDue } from '#shared/domain/reminder-plan.ts'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import type { ReminderState } from '#shared/schemas/filters.ts'
import { REMINDER_REASONS, type MessageKey, type SnoozeReminder } from '#shared/schemas/reminders.ts'
import { asSubscriber, requireSubscriber, type RequestContext, type SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { planByHand, skipByHand, skipReplaced, undoSkip, type Requested } from '#server/ledger/requests.ts'
import type { Batch } from '#server/ledger/ledger.ts'
import { NOT_SENT, refuseManual, type ReminderAnswer } from './manual-reminders.service.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { ReminderEntity } from '#server/ledger/reminder.entity.ts'
import { lockSchedule, replan } from '#server/ledger/schedule.ts'
import {
  Candidate,
  candidateColumns,
  contactNameOf,
  forecastOf,
  SUBJECT_TABLES,
  subjectOf,
} from './reminder-subject.ts'
import { sendBatch } from './sending/send-reminders.ts'

/** Skips a message that has not been sent yet. @throws REMINDER_NOT_FOUND, REMINDER_DECIDED */
export async function skipReminder(ctx: SubscriberContext, key: MessageKey): Promise<void> {
  const found = await findMessage(ctx, key)
  const { write, accountId, services } = ctx
  const request = { ...requestOf(found), from: ['planned' as const] }
  const id = await skipByHand(write, request, { accountId, now: services.now() })
  if (id === undefined) throw new AppError('REMINDER_DECIDED')
}

/**
 * Undoes a skip: the message is sent when it would have been, or at once if that time has passed.
 * @throws REMINDER_NOT_FOUND, REMINDER_NOT_SKIPPED
 */
export async function undoSkippedReminder(ctx: SubscriberContext, key: MessageKey): Promise<void> {
  const { account, day } = await findMessage(ctx, key)
  const { write, accountId, today, services } = ctx
  const now = services.now()
  const due = instantOf(day, account.settings.hour, account.timeZone)
  const isUndone = await undoSkip(write, key, { accountId, today, at: due > now ? due : now })
  if (!isUndone) throw new AppError('REMINDER_NOT_SKIPPED')
  // Its day may already have been planned without it.
  if (due <= now) await replan(write, { accountId, now })
}

/** Moves it to the account's hour on another day. @throws REMINDER_SNOOZE_DAY besides */
export async function snoozeReminder(ctx: SubscriberContext, { until, ...key }: SnoozeReminder): Promise<void> {
  const found = await findMessage(ctx, key)
  refuseOld(found)
  const { settings, timeZone } = found.account
  if (until <= ctx.today || until > lastDayOf(key, ctx.today)) throw new AppError('REMINDER_SNOOZE_DAY')
  const [at, now] = [instantOf(until, settings.hour, timeZone), ctx.services.now()]
  const planned = await plan(ctx, { ...found, day: until }, { at, from: ['planned'], now })
  if (isReminder(key.kind)) await skipReplaced(ctx.write, planned, { key, day: until, now })
}

/**
 * Sends it at once, even if it failed or was skipped. Its own occasion then counts as sent.
 * @throws the refusals of reminders by hand, REMINDER_DECIDED if it was skipped or undone meanwhile, REMINDER_SKIPPED with
 * the reason if the sender skips it, and REMINDER_WAITS or REMINDER_WAITS_FOR_LIMIT if it is retried automatically
 */
export async function sendReminderNow(ctx: RequestContext, key: MessageKey): Promise<ReminderAnswer> {
  await ctx.limits.take('remindersByHand', requireSubscriber(ctx).accountId)
  const due = await asSubscriber(ctx, (subscriber) => release(subscriber, key))
  await sendBatch(ctx, due)
  const statement = sql`
    select ${SENT} from reminders r
    where account_id = ${due.accountId} and id = any(${[...due.ids]}::bigint[])`
  const [row] = await ctx.db.readAs(due.accountId)(statement, SentRow)
  if (!row || row.reason === 'by_hand') throw new AppError('REMINDER_DECIDED', { details: NOT_SENT })
  if (row.state === 'planned' && row.waitsFor) throw new AppError('REMINDER_WAITS_FOR_LIMIT', { details: NOT_SENT })
  if (row.state === 'planned' || row.state === 'sending') throw new AppError('REMINDER_WAITS', { details: NOT_SENT })
  if (row.state === 'skipped') throw new AppError('REMINDER_SKIPPED', { values: reasonOf(row), details: NOT_SENT })
  if (row.state !== 'sent') throw new AppError('REMINDER_FAILED', { details: NOT_SENT })
  return { success: true, message: row.address ? `Reminder sent to ${row.address}` : 'Notification added' }
}

function reasonOf({ reason }: z.output<typeof SentRow>) {
  return { reason: reason ? REMINDER_REASONS[reason] : '' }
}

const SENT = columnsOf(ReminderEntity, 'r', ['state', 'reason', 'address', 'waitsFor'])
const SentRow = z.object(SENT.fields)

async function release(ctx: SubscriberContext, key: MessageKey): Promise<Batch> {
  const found = await releasable(ctx, key)
  const now = ctx.services.now()
  const day = dayIn(now, found.account.timeZone)
  return plan(ctx, { ...found, day }, { at: now, from: ['planned', 'failed', 'skipped'], now })
}

/** The message, if it may be sent by hand now. @throws what sending it at once is refused with */
export async function releasable(ctx: SubscriberContext, key: MessageKey): Promise<FoundMessage> {
  const found = await findMessage(ctx, key)
  refuseOld(found)
  if (key.recipient === 'customer') {
    const { contractId, contactId, kind } = key
    await refuseManual(ctx, { contractId, contactId, kind, account: found.account, except: found.id })
  }
  refuseUnwanted(found, ctx.today)
  return found
}

/** A message about an earlier renewal date can only be skipped. */
function refuseOld({ row, key }: FoundMessage): void {
  if (row.renewalDate !== key.renewalDate) throw new AppError('REMINDER_DATE_CHANGED', { details: NOT_SENT })
}

/** Refuses, with the reason, what the sender would skip. */
function refuseUnwanted({ account, row, key }: FoundMessage, today: Day): void {
  const { kind, ...message } = key
  if (kind === 'manual' || !isReminder(kind)) return
  const reason = obstacle(subjectOf(row, account), { ...message, kind, day: today }, today)
  const refusal = reason && REFUSED[reason]
  if (refusal) throw new AppError(refusal, { details: NOT_SENT })
}

/** Customers were checked before; this checks the owner's own address. */
const REFUSED: Partial<Record<NotDue, RefusalKey>> = {
  closed: 'REMINDER_CONTRACT_CLOSED',
  off: 'REMINDER_OFF',
  too_late: 'REMINDER_TOO_LATE',
  address_bounced: 'REMINDER_OWN_ADDRESS_BOUNCED',
}

export interface FoundMessage {
  account: ReminderAccount
  row: Candidate
  key: MessageKey
  /** When it is due. */
  day: Day
  termNumber: number
  /** Its row, if it is in the ledger. */
  id: number | undefined
  state?: ReminderState | undefined
  /** When it is tried next, if it is planned. */
  at?: Date | null | undefined
}

const PAST = columnsOf(ReminderEntity, 'r', ['id', 'dueOn', 'termNumber', 'state', 'nextAttemptAt'])
const PastRow = z.object(PAST.fields)

/** The last day on which a message is worth sending. */
export function lastDayOf({ kind, renewalDate }: MessageKey, today: Day): Day {
  return kind === 'follow_up' ? comingSpan(today).through : renewalDate
}

/** A message of the ledger, or an upcoming one that is not in it yet. */
export async function findMessage(ctx: SubscriberContext, key: MessageKey): Promise<FoundMessage> {
  const { write, accountId, today } = ctx
  await lockSchedule(write, accountId)
  const account = await readReminderAccount(write, accountId)
  const contract = sql`
    select ${candidateColumns(account)} from ${SUBJECT_TABLES}
    where k.account_id = ${accountId} and k.id = ${key.contractId}`
  const [row] = await write(contract, Candidate)
  if (!row) throw new AppError('REMINDER_NOT_FOUND')
  const message = sql`
    select ${PAST} from reminders r
    where account_id = ${accountId} and contract_id = ${key.contractId} and renewal_date = ${key.renewalDate}
      and kind = ${key.kind} and offset_days = ${key.offset} and recipient = ${key.recipient}
      and contact_id = ${key.contactId} and channel = ${key.channel} order by term_number desc limit 1`
  const [past] = await write(message, PastRow)
  if (past) {
    const { id, dueOn, termNumber, state, nextAttemptAt } = past
    return { account, row, key, id, day: dueOn, termNumber, state, at: nextAttemptAt }
  }
  if (row.renewalDate !== key.renewalDate) throw new AppError('REMINDER_NOT_FOUND')
  const coming = forecastOf(row, account, comingSpan(today)).find((one) => isMeant(one, key))
  if (!coming || isUnwanted(coming)) throw new AppError('REMINDER_NOT_FOUND')
  return { account, row, key, day: coming.day, termNumber: row.termNumber, id: undefined }
}

function isMeant(one: Omit<MessageKey, 'contractId' | 'renewalDate'>, key: MessageKey): boolean {
  return one.kind === key.kind && one.offset === key.offset && isSameLine(one, key)
}

/** At `now`, plans a message for `at`. @throws REMINDER_DECIDED if it is in none of the expected states */
export async function plan(
  { write, accountId }: SubscriberContext,
  found: FoundMessage,
  { at, from, now }: Pick<Requested, 'from'> & { at: Date; now: Date },
) {
  const id = await planByHand(write, { ...requestOf(found), from }, { accountId, now, at })
  if (id === undefined) throw new AppError('REMINDER_DECIDED')
  return { accountId, ids: [id] }
}

/** What the ledger needs to plan or skip a message by hand. */
export function requestOf({ row, key, day, termNumber }: FoundMessage): Omit<Requested, 'from'> {
  const { customerId, customerName } = row
  return { ...key, customerId, customerName, contactName: contactNameOf(row, key.contactId), day, termNumber }
}
