import sql from 'sql-template-tag'
import { daysLeft } from '#shared/domain/contract-term.ts'
import type { Day } from '#shared/domain/day.ts'
import { manualObstacle, type ManualObstacle } from '#shared/domain/manual-reminder.ts'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import { asSubscriber, type RequestContext, type SubscriberContext } from '#server/context.ts'
import { letterText } from '#server/mail/letter.ts'
import { LEASE_MS, recordFailed, recordSent, send, type Outgoing } from './deliver.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { customerOf, mailAbout, SUBJECT_COLUMNS, SUBJECT_TABLES, type SubjectRow } from './reminder-subject.ts'

/** The answer of the specification's section 3; where it failed, the error stands in a refusal. */
export interface ReminderAnswer {
  success: true
  message: string
}

/** What every refusal to send says besides. */
export const NOT_SENT = { success: false }
const REFUSED: Record<ManualObstacle, RefusalKey> = {
  closed: 'REMINDER_CONTRACT_CLOSED',
  no_address: 'REMINDER_NO_ADDRESS',
  opted_out: 'REMINDER_OPTED_OUT',
  address_bounced: 'REMINDER_ADDRESS_BOUNCED',
  sent_today: 'REMINDER_SENT_TODAY',
  on_its_way: 'REMINDER_ON_ITS_WAY',
}

/**
 * Writes to a contract's customer now, once a day at most. The ledger knows of it before the mail server does, and is
 * told how it went.
 * @throws CONTRACT_NOT_FOUND, also for somebody else's, and every REMINDER_… refusal
 */
export async function sendReminder(ctx: RequestContext, { id }: ById): Promise<ReminderAnswer> {
  const outgoing = await asSubscriber(ctx, (subscriber) => decide(subscriber, id))
  const outcome = await send(ctx, outgoing)
  if (outcome.state === 'failed') {
    ctx.log.warn({ reminder: outgoing.id, ...outcome }, 'a reminder was not sent')
    await recordFailed(ctx, outgoing, outcome)
    throw new AppError('REMINDER_FAILED', { details: NOT_SENT })
  }
  await recordSent(ctx, outgoing)
  return { success: true, message: `Reminder sent to ${outgoing.message.to}` }
}

interface ManualRow extends SubjectRow {
  lastSentOn: Day | null
  isOnItsWay: boolean
}

async function decide(ctx: SubscriberContext, contractId: number): Promise<Outgoing> {
  const { read, write, accountId } = ctx
  // The planner of the account's reminders waits here, and so does a second click.
  await write(sql`select from reminder_schedules where account_id = ${accountId} for update`)
  const account = await readReminderAccount(read, accountId)
  const row = await refuseManual(ctx, { contractId })
  return recordManual(ctx, row, account)
}

interface Asked {
  contractId: number
  /** The message itself, where the ledger has it already. */
  besides?: number | undefined
}

/** The contract, where its customer may be written to by hand now. @throws every REMINDER_… refusal of that */
export async function refuseManual(ctx: SubscriberContext, asked: Asked): Promise<SubjectRow> {
  const row = await readManual(ctx, asked)
  const obstacle = manualObstacle({ ...row, customer: customerOf(row) }, ctx.today)
  if (obstacle) throw new AppError(REFUSED[obstacle], { details: NOT_SENT })
  return row
}

// What was put off until another day is not on its way.
async function readManual({ read, accountId, today }: SubscriberContext, asked: Asked): Promise<ManualRow> {
  const [row] = await read<ManualRow>(sql`
    select ${SUBJECT_COLUMNS}, past.*
    from ${SUBJECT_TABLES} cross join lateral (
      select max(r.sent_on) as "lastSentOn", coalesce(bool_or(r.id <> ${asked.besides ?? 0}
        and (r.state = 'sending' or r.state = 'planned' and r.due_on <= ${today})), false) as "isOnItsWay"
      from reminders r
      where r.account_id = k.account_id and r.contract_id = k.id and r.recipient = 'customer') past
    where k.account_id = ${accountId} and k.id = ${asked.contractId}`)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND', { details: NOT_SENT })
  return row
}

async function recordManual(ctx: SubscriberContext, row: SubjectRow, account: ReminderAccount): Promise<Outgoing> {
  const { write, accountId, today, services } = ctx
  const now = services.now()
  const lease = new Date(now.getTime() + LEASE_MS)
  // One that failed today is tried again in its place.
  const [added] = await write<{ id: number }>(sql`
    insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, kind, offset_days, due_on,
      recipient, channel, state, attempts, next_attempt_at, planned_at, sending_at)
    values (${accountId}, ${row.contractId}, ${row.customerId}, ${row.customerName}, ${row.renewalDate}, 'manual',
      ${daysLeft(row, today)}, ${today}, 'customer', 'email', 'sending', 1, ${lease}, ${now}, ${now})
    on conflict (account_id, contract_id, renewal_date, kind, offset_days, recipient, channel) do update
      set state = 'sending', reason = null, ended_at = null, attempts = reminders.attempts + 1,
        next_attempt_at = excluded.next_attempt_at, sending_at = excluded.sending_at
      where reminders.state = 'failed'
    returning id`)
  if (!added) throw new AppError('REMINDER_SENT_TODAY', { details: NOT_SENT })
  const message = mailAbout(row, {
    id: added.id,
    recipient: 'customer',
    account,
    today,
    publicUrl: services.publicUrl,
  })
  await write(sql`
    update reminders set address = ${message.to}, subject = ${message.subject}, body = ${letterText(message.letter)},
      message_id = ${services.mailer.messageIdOf(message.key)}
    where account_id = ${accountId} and id = ${added.id}`)
  return { id: added.id, accountId, message, today, sendingAt: now }
}
