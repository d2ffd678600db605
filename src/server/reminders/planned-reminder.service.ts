import sql from 'sql-template-tag'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import {
  asSubscriber,
  requireSubscriber,
  type ReaderContext,
  type RequestContext,
  type SubscriberContext,
} from '#server/context.ts'
import { letterHtml, letterText } from '#server/mail/letter.ts'
import { undoManual } from './ledger-requests.ts'
import { limitFor } from './mail-limits.service.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { writeReminder } from './reminder-letter.ts'
import { factsOf, wordingOf } from './reminder-mail.ts'
import { lockSchedule } from './reminder-schedule.ts'
import { SUBJECT_COLUMNS, SUBJECT_TABLES, type SubjectRow } from './reminder-subject.ts'
import { addManual, refuseLimited, refuseManual } from './reminders.service.ts'

export interface PlannedReminder {
  customerName: string
  /** When it goes out, unless it is undone before. */
  goesOutAt: Date
}

/**
 * Plans a reminder to a contract's customer that goes out in 10 seconds by itself; until then it can be undone.
 * @throws CONTRACT_NOT_FOUND, also for somebody else's, TOO_MANY_REQUESTS, and what a reminder sent at once is refused with
 */
export async function planReminder(ctx: RequestContext, { id }: ById): Promise<PlannedReminder> {
  await ctx.limits.take('remindersByHand', requireSubscriber(ctx).accountId)
  return asSubscriber(ctx, (subscriber) => planOne(subscriber, id))
}

async function planOne(ctx: SubscriberContext, id: number): Promise<PlannedReminder> {
  await lockSchedule(ctx.write, ctx.accountId)
  const account = await readReminderAccount(ctx.read, ctx.accountId)
  const row = await refuseManual(ctx, { contractId: id, account })
  await refuseOverLimit(ctx, row, account)
  const goesOutAt = new Date(ctx.services.now().getTime() + UNDO_MS)
  await addManual(ctx, row, goesOutAt)
  return { customerName: row.customerName, goesOutAt }
}

/** Says at once what would only show in ten seconds. What is planned already goes out first. */
async function refuseOverLimit(ctx: SubscriberContext, { email }: SubjectRow, account: ReminderAccount): Promise<void> {
  const { read, write, accountId, services } = ctx
  const counting = { account, now: services.now(), limits: services.mailLimits }
  const planned = await read<{ email: string }>(sql`
    select c.email from reminders r join customers c on c.account_id = r.account_id and c.id = r.customer_id
    where r.account_id = ${accountId} and r.kind = 'manual' and r.state = 'planned' and c.email is not null`)
  const waiting = planned.map((one) => one.email)
  refuseLimited(await limitFor(write, { address: email ?? '', waiting }, counting), counting)
}

/**
 * Skips the reminder that waits to go out. What was skipped meanwhile because of it is planned again.
 * @throws CONTRACT_NOT_FOUND, and REMINDER_DECIDED where none waits any more
 */
export async function undoReminder({ write, accountId, services }: SubscriberContext, { id }: ById): Promise<void> {
  const isUndone = await undoManual(write, id, { accountId, now: services.now() })
  if (isUndone === undefined) throw new AppError('CONTRACT_NOT_FOUND')
  if (!isUndone) throw new AppError('REMINDER_DECIDED')
}

/** The e-mail that a reminder to a contract's customer would be now. */
export interface ReminderPreview {
  customerName: string
  /** Null where the customer has no address. */
  to: string | null
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
  const [row] = await read<SubjectRow>(sql`
    select ${SUBJECT_COLUMNS} from ${SUBJECT_TABLES} where k.account_id = ${accountId} and k.id = ${id}`)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND')
  const { subject, letter } = writeReminder(factsOf(row, { recipient: 'customer', account, today }), {
    ...wordingOf(account, services.publicUrl),
    contractUrl: '',
    // Whoever tries the link of a preview must not stop the customer's reminders.
    unsubscribeUrl: `${services.publicUrl}/unsubscribe/example`,
    reportUrl: `${services.publicUrl}/report/example`,
  })
  return {
    customerName: row.customerName,
    to: row.email,
    subject,
    text: letterText(letter),
    html: await letterHtml(subject, letter),
  }
}
