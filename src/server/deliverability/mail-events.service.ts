import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import sql from 'sql-template-tag'
import { AppError } from '#shared/errors.ts'
import type { JobContext, RequestContext, SystemContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Write } from '#server/db/database.ts'
import { readRows } from '#server/db/rows.ts'
import { logOfMail } from '#server/security/security-log.ts'
import { recordBounce } from './bounces.service.ts'
import { recordComplaint, type StopCount } from './complaints.service.ts'
import { markBounced, markDelivered } from '#server/ledger/requests.ts'
import { ReminderEntity } from '#server/ledger/reminder.entity.ts'
import type { Addressed } from '#server/ledger/ledger.ts'
import { afterEarlierProofs, appendProof, type NewProof } from '#server/proofs/append-proof.ts'
import { rowOfMessageId } from './reader-keys.ts'

/** Mailgun signs a call's time and token, not its content. */
const MailSignature = z.object({
  timestamp: z.string().regex(/^\d{1,12}$/),
  token: z.string().min(1).max(200),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
})
export type MailSignature = z.output<typeof MailSignature>

/** The largest difference between a signature's time and our clock. */
const GOOD_FOR_MS = 15 * 60_000
/** Longer than any signature is valid. */
const KEPT = '1 hour'

/** @throws WEBHOOK_UNSIGNED, WEBHOOK_STALE */
export function verifySignature({ timestamp, token, signature }: MailSignature, key: string, now: Date): void {
  const signed = timestamp + token
  const expected = createHmac('sha256', key).update(signed).digest()
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw new AppError('WEBHOOK_UNSIGNED')
  const awayMs = Math.abs(now.getTime() - Number(timestamp) * 1000)
  if (awayMs > GOOD_FOR_MS) throw new AppError('WEBHOOK_STALE')
}

const UsedRow = z.object({ isFirst: z.boolean() })

/**
 * Marks a call's token as used, in the call's transaction. Rolled back with the change, so the provider can resend.
 * @throws WEBHOOK_REPEATED
 */
export async function useToken(write: Write, { token }: MailSignature, now: Date): Promise<void> {
  const [used] = await write(
    sql`select use_mail_token(decode(${hashOf(token).toString('hex')}, 'hex'), ${now}) as "isFirst"`,
    UsedRow,
  )
  if (!used?.isFirst) throw new AppError('WEBHOOK_REPEATED')
}

/** Like `useToken`, for a call that changes nothing. @throws WEBHOOK_REPEATED */
export async function useTokenAlone({ db, services }: SystemContext, { token }: MailSignature): Promise<void> {
  const { rowCount } = await db.system.query(
    'insert into mail_webhook_tokens (token_hash, received_at) values ($1, $2) on conflict do nothing',
    [hashOf(token), services.now()],
  )
  if (rowCount === 0) throw new AppError('WEBHOOK_REPEATED')
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Deletes the tokens of signatures that have expired. */
export async function sweepMailTokens({ db, services }: Pick<JobContext, 'db' | 'services'>): Promise<void> {
  await db.system.query(`delete from mail_webhook_tokens where received_at < $1::timestamptz - interval '${KEPT}'`, [
    services.now(),
  ])
}

// PostgreSQL text cannot hold NUL, and mail servers may say anything.
const Text = z.string().transform((said) => said.replaceAll('\u0000', ''))

/** A webhook of Mailgun: what happened to a message, and the signature. */
const MailEvent = z.object({
  signature: MailSignature,
  'event-data': z.object({
    event: z.string(),
    severity: z.string().optional(),
    message: z.object({ headers: z.object({ 'message-id': Text.optional() }) }).optional(),
    'delivery-status': z.object({ message: Text.nullish(), description: Text.nullish() }).optional(),
  }),
})
type MailEvent = z.output<typeof MailEvent>

type MailEventContext = SystemContext & Pick<RequestContext, 'log'>

/**
 * Processes an event of the mail provider: a message was delivered, bounced permanently, or was reported as spam. A
 * repeated event changes nothing; one that failed is processed when the provider repeats it.
 * @throws PATH_NOT_FOUND without a key, WEBHOOK_UNSIGNED, WEBHOOK_STALE, WEBHOOK_REPEATED, and REMINDER_ON_ITS_WAY for
 * a delivery that its sender has not recorded yet
 */
export async function receiveMailEvent(request: MailEventContext, body: Buffer): Promise<void> {
  const ctx = { ...request, db: request.db.as('mail-provider') }
  const event = verified(ctx, body)
  const outcome = outcomeOf(event)
  const posted = outcome && (await findPosted(ctx, event))
  if (posted) await record(ctx, posted, { ...outcome, event })
  else await useTokenAlone(ctx, event.signature)
}

async function findPosted({ db }: SystemContext, event: MailEvent): Promise<Posted | undefined> {
  const messageId = event['event-data'].message?.headers['message-id']?.replaceAll(/^<|>$/g, '')
  const id = rowOfMessageId(messageId ?? '')
  if (!messageId || !id) return undefined
  const [row] = await readRows(db.system, sql`select ${POSTED} from reminders r where id = ${id}`, PostedRow)
  return row && { ...row, id, messageId: `<${messageId}>` }
}

interface Outcome {
  state: 'delivered' | 'bounced'
  isComplaint: boolean
}

function outcomeOf({ 'event-data': { event, severity } }: MailEvent): Outcome | undefined {
  if (event === 'delivered') return { state: 'delivered', isComplaint: false }
  if (event === 'complained') return { state: 'bounced', isComplaint: true }
  return event === 'failed' && severity === 'permanent' ? { state: 'bounced', isComplaint: false } : undefined
}

const POSTED = columnsOf(ReminderEntity, 'r', ['accountId', 'state'])

const PostedRow = z.object(POSTED.fields)

interface Posted extends z.output<typeof PostedRow> {
  /** A row of it. */
  id: number
  messageId: string
}

async function record(
  ctx: MailEventContext,
  posted: Posted,
  { state, isComplaint, event }: Outcome & { event: MailEvent },
) {
  if (state === 'delivered' && posted.state === 'sending') throw new AppError('REMINDER_ON_ITS_WAY')
  const { accountId } = posted
  const now = ctx.services.now()
  const status = event['event-data']['delivery-status']
  const answer = isComplaint ? 'Marked as spam' : status?.message || status?.description || null
  const stop = await afterEarlierProofs(accountId, () =>
    ctx.db.writeAs(accountId, async (_em, write) => {
      await useToken(write, event.signature, now)
      const reported = { posted, isComplaint, answer: answer?.slice(0, 500) ?? null, now }
      const of =
        state === 'delivered' ? await markDelivered(write, posted, now) : await markBounced(write, posted, reported)
      if (!of) return undefined
      const stopped =
        state === 'bounced' ? await recordReturned(write, of, { ...reported, services: ctx.services }) : undefined
      if (of.recipient === 'customer') await appendProof(write, proofOf(state, reported), ctx.services.proofSigner)
      return stopped
    }),
  )
  if (stop) logOfMail(ctx.log, 'mail.stopped', { actor: 'mail-provider', account: accountId, ...stop })
}

interface Reported {
  posted: Posted
  isComplaint: boolean
  answer: string | null
  now: Date
}

/** Returns the mail stop that a complaint led to, if any. */
async function recordReturned(
  write: Write,
  of: Addressed,
  { posted, isComplaint, now, services }: Reported & Pick<MailEventContext, 'services'>,
): Promise<StopCount | undefined> {
  const { recipient, address } = of
  if (!isComplaint || recipient === 'owner') {
    await recordBounce(write, of, now)
    return undefined
  }
  const { accountId, id: reminderId } = posted
  return recordComplaint(write, { accountId, reminderId, address, source: 'provider', reason: null }, services)
}

function proofOf(state: Outcome['state'], { posted, isComplaint, answer, now }: Reported): NewProof {
  const { accountId, id: reminderId, messageId } = posted
  const kind = isComplaint ? 'complained' : state
  const said: [string, string][] = answer === null ? [] : [['Mail server', answer]]
  const facts: [string, string][] = [['Reported by', 'The mail provider'], ['Message-ID', messageId], ...said]
  return { accountId, reminderId, kind, at: now, parts: [{ name: 'event', title: EVENTS[kind], facts }] }
}

const EVENTS = { delivered: 'Delivery', bounced: 'Bounce', complained: 'Complaint' }

function verified({ services }: SystemContext, body: Buffer): MailEvent {
  const { mailWebhookKey, now } = services
  if (!mailWebhookKey) throw new AppError('PATH_NOT_FOUND')
  const parsed = MailEvent.safeParse(parse(body))
  if (!parsed.success) throw new AppError('WEBHOOK_UNSIGNED', { cause: parsed.error })
  verifySignature(parsed.data.signature, mailWebhookKey, now())
  return parsed.data
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
