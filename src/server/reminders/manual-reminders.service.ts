import sql from 'sql-template-tag'
import { limitOfAccount, mailDay, type MailLimit } from '#shared/domain/mail-limits.ts'
import { UNDO_MS, type ManualObstacle } from '#shared/domain/manual-reminder.ts'
import { isReminder, type Line, type PastMessage } from '#shared/domain/reminder-plan.ts'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import { asSubscriber, requireSubscriber, type RequestContext, type SubscriberContext } from '#server/context.ts'
import type { Write } from '#server/db/database.ts'
import { recordFailed, recordSent, send, sentMessage, type Outcome, type Outgoing } from './sending/deliver.ts'
import { factsOfMessage } from './sending/message-proof.ts'
import { planByHand, undoManual } from '#server/ledger/requests.ts'
import { markSending } from '#server/ledger/ledger.ts'
import { countMail, limitFor, type Counting } from '#server/deliverability/mail-limits.service.ts'
import { readLinkKey } from '#server/db/link-key.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { mailAbout } from './letters/reminder-mail.ts'
import { answerUrls } from './sending/answers.ts'
import { lockSchedule } from '#server/ledger/schedule.ts'
import { manualMessage, ManualRow, manualRows, obstacleTo, reachedLines, waitingByHand } from './manual-subject.ts'
import { asReadBy, type SubjectRow } from './reminder-subject.ts'

/** The response of the specification's section 3; failures are refusals. */
export interface ReminderAnswer {
  success: true
  message: string
}

/** Details that come with every refusal to send. */
export const NOT_SENT = { success: false }
const REFUSED: Record<ManualObstacle, RefusalKey> = {
  no_company: 'COMPANY_NAME_REQUIRED',
  unverified: 'EMAIL_UNVERIFIED',
  closed: 'REMINDER_CONTRACT_CLOSED',
  no_address: 'REMINDER_NO_ADDRESS',
  contact_off: 'REMINDER_CONTACT_OFF',
  second_copy: 'REMINDER_SECOND_COPY',
  opted_out: 'REMINDER_OPTED_OUT',
  address_bounced: 'REMINDER_ADDRESS_BOUNCED',
  unsubscribed: 'REMINDER_UNSUBSCRIBED',
  complained: 'REMINDER_COMPLAINED',
  answered: 'REMINDER_ANSWERED',
  sent_today: 'REMINDER_SENT_TODAY',
  on_its_way: 'REMINDER_ON_ITS_WAY',
  mail_stopped: 'MAIL_STOPPED',
}

/**
 * Emails a contract's customer now, each contact that can be reached, at most once a day. The ledger has the messages before
 * the mail server does, and records the results. It fails if none was sent.
 * @throws CONTRACT_NOT_FOUND, also for somebody else's, TOO_MANY_REQUESTS, COMPANY_NAME_REQUIRED, EMAIL_UNVERIFIED, and every
 * REMINDER_… refusal
 */
export async function sendReminder(ctx: RequestContext, { id }: ById): Promise<ReminderAnswer> {
  await ctx.limits.take('remindersByHand', requireSubscriber(ctx).accountId)
  const mails = await asSubscriber(ctx, (subscriber) => decide(subscriber, id))
  const outcomes = await Promise.all(mails.map(async (mail) => ({ mail, outcome: await send(ctx, mail) })))
  const sent = outcomes.filter(({ outcome }) => outcome.state === 'sent')
  for (const { mail, outcome } of outcomes) await record(ctx, { ...mail, isAwaited: sent.length === 0 }, outcome)
  if (sent.length === 0) throw new AppError('REMINDER_FAILED', { details: NOT_SENT })
  return { success: true, message: `Reminder sent to ${sent.map(({ mail }) => mail.message.to).join(', ')}` }
}

async function record(ctx: RequestContext, mail: Outgoing, outcome: Outcome): Promise<void> {
  if (outcome.state === 'sent') return recordSent(ctx, mail, outcome.letter)
  ctx.log.warn({ reminders: mail.ids, ...outcome }, 'a reminder was not sent')
  return recordFailed(ctx, mail, outcome)
}

async function decide(ctx: SubscriberContext, contractId: number): Promise<Outgoing[]> {
  await lockSchedule(ctx.write, ctx.accountId)
  const account = await readReminderAccount(ctx.read, ctx.accountId)
  const row = await refuseManual(ctx, { contractId, account })
  const mails: Outgoing[] = []
  for (const line of reachedLines(row, account)) mails.push(await recordManual(ctx, { row, line }, account))
  return mails
}

interface ManualRequest {
  contractId: number
  account: ReminderAccount
  /** A notice, and what is about an answer, may be sent although the customer has answered. */
  kind?: PastMessage['kind']
  /** Only this contact of the customer, rather than all. */
  contactId?: number
  /** The message, if it is in the ledger already. */
  except?: number | undefined
}

/**
 * The contract, if a reminder may be sent by hand now.
 * @throws COMPANY_NAME_REQUIRED, EMAIL_UNVERIFIED and every REMINDER_… refusal of that
 */
export async function refuseManual(ctx: SubscriberContext, asked: ManualRequest): Promise<SubjectRow> {
  const { contractId, account, kind = 'manual', ...only } = asked
  const { read, accountId, today } = ctx
  const statement = sql`${manualRows({ accountId, today, ...only })} and k.id = ${contractId}`
  const [row] = await read(statement, ManualRow)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND', { details: NOT_SENT })
  const isAnswered = row.isAnswered && isReminder(kind)
  const obstacle = obstacleTo({ ...row, isAnswered }, { account, today, contactId: asked.contactId, kind })
  if (obstacle) throw new AppError(REFUSED[obstacle], { details: NOT_SENT })
  return row
}

/** A reminder by hand to one contact. */
interface Manual {
  row: SubjectRow
  line: Line
}

async function recordManual(ctx: SubscriberContext, manual: Manual, account: ReminderAccount): Promise<Outgoing> {
  const { write, accountId, today, services } = ctx
  const now = services.now()
  const id = await addManual(ctx, manual, now)
  const { publicUrl } = services
  const linkKey = await readLinkKey(ctx.db)
  const { contactId } = manual.line
  const row = asReadBy(manual.row, contactId)
  const about = { row: { ...manual.line, kind: 'manual' as const }, contract: manual.row }
  const urls = await answerUrls(write, [about], { account, now, today, publicUrl, linkKey })
  const message = mailAbout([{ ...row, answerUrl: urls.get(row.contractId) }], {
    id,
    recipient: 'customer',
    account,
    today,
    publicUrl,
    billingNow: services.billingNow(),
    linkKey,
  })
  const claim = { ids: [id], accountId, sendingAt: now }
  const stored = sentMessage(message, services.mailer)
  await markSending(write, claim, { message: stored, isRepeat: false })
  await count(write, message.to, { ...countingOf(ctx, account), now })
  const proof = factsOfMessage([{ row, kind: 'manual', contactId }], { reminderId: id, account, today, stored })
  return { ...claim, message, today, countedOn: mailDay(now), proof }
}

/** Plans a reminder by hand, to be sent at an instant. @throws REMINDER_SENT_TODAY */
async function addManual(ctx: SubscriberContext, { row, line }: Manual, at: Date): Promise<number> {
  const { write, accountId, today, services } = ctx
  const id = await planByHand(write, manualMessage(row, line, today), { accountId, now: services.now(), at })
  if (id === undefined) throw new AppError('REMINDER_SENT_TODAY', { details: NOT_SENT })
  return id
}

function countingOf({ services }: SubscriberContext, account: ReminderAccount): Counting {
  return { account, now: services.now(), billingNow: services.billingNow(), limits: services.mailLimits }
}

async function count(write: Write, address: string, counting: Counting): Promise<void> {
  const [refused = null] = await countMail(write, [address], counting)
  refuseLimited(refused, counting)
}

/** @throws REMINDER_ACCOUNT_LIMIT, REMINDER_ADDRESS_LIMIT */
function refuseLimited(limit: MailLimit | null, { account, limits, billingNow }: Counting): void {
  if (limit === null) return
  const values = {
    limit: limit === 'account_limit' ? limitOfAccount(limits, account.subscription, billingNow) : limits.toAddress,
  }
  throw new AppError(LIMITED[limit], { values, details: NOT_SENT })
}

const LIMITED: Record<MailLimit, RefusalKey> = {
  account_limit: 'REMINDER_ACCOUNT_LIMIT',
  address_limit: 'REMINDER_ADDRESS_LIMIT',
}

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
  const lines = reachedLines(row, account)
  const addresses = lines.flatMap(({ contactId }) => asReadBy(row, contactId).email ?? [])
  await refuseOverLimit(ctx, addresses, account)
  const goesOutAt = new Date(ctx.services.now().getTime() + UNDO_MS)
  for (const line of lines) await addManual(ctx, { row, line }, goesOutAt)
  return { customerName: row.customerName, goesOutAt }
}

/** Refuses now what a limit would refuse in ten seconds. Messages planned earlier are sent first. */
export async function refuseOverLimit(
  ctx: SubscriberContext,
  addresses: string[],
  account: ReminderAccount,
): Promise<void> {
  const { read, write, accountId } = ctx
  const counting = countingOf(ctx, account)
  const waiting = await waitingByHand(read, accountId)
  for (const address of addresses) {
    refuseLimited(await limitFor(write, { address, waiting }, counting), counting)
    waiting.push(address)
  }
}

/**
 * Skips the reminder that is waiting to be sent. Messages skipped because of it are planned again.
 * @throws CONTRACT_NOT_FOUND, and REMINDER_DECIDED if none is waiting
 */
export async function undoReminder({ write, accountId, services }: SubscriberContext, { id }: ById): Promise<void> {
  const isUndone = await undoManual(write, id, { accountId, now: services.now() })
  if (isUndone === undefined) throw new AppError('CONTRACT_NOT_FOUND')
  if (!isUndone) throw new AppError('REMINDER_DECIDED')
}
