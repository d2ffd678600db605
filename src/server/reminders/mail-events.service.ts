import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { RequestContext } from '#server/context.ts'
import { RETURNED, tellOfBounce, type Returned } from './bounce-notice.ts'
import { logOfMail } from '#server/security-log.ts'
import { recordComplaint } from './complaints.service.ts'
import { MailSignature, useOnce, verifySignature } from './mail-signature.ts'
import { rowOfMessageId } from './reminder-subject.ts'

// PostgreSQL text cannot hold a NUL, and what mail servers say is anybody's text.
const Text = z.string().transform((said) => said.replaceAll('\u0000', ''))

/** A webhook of Mailgun: what became of a message, and who says so. */
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

type Outside = Pick<RequestContext, 'db' | 'services' | 'log'>

/**
 * Takes one event of the mail provider: that a message was delivered, came back for good, or was complained about. An
 * event that comes twice changes nothing.
 * @throws PATH_NOT_FOUND without a key, WEBHOOK_UNSIGNED, WEBHOOK_STALE, WEBHOOK_REPEATED, and REMINDER_ON_ITS_WAY for
 * what is not recorded yet
 */
export async function receiveMailEvent(request: Outside, body: Buffer): Promise<void> {
  const ctx = { ...request, db: request.db.as('mail-provider') }
  const event = verified(ctx, body)
  await useOnce(ctx, event.signature, () => applyEvent(ctx, event))
}

async function applyEvent(ctx: Outside, event: MailEvent): Promise<void> {
  const outcome = outcomeOf(event)
  const messageId = event['event-data'].message?.headers['message-id']?.replaceAll(/^<|>$/g, '')
  const id = rowOfMessageId(messageId ?? '')
  if (!outcome || !messageId || !id) return
  const { rows } = await ctx.db.system.query<{ accountId: number; state: string }>(
    'select account_id as "accountId", state from reminders where id = $1',
    [id],
  )
  const [row] = rows
  if (row?.state === 'sending') throw new AppError('REMINDER_ON_ITS_WAY')
  if (row) await record(ctx, { id, accountId: row.accountId, messageId: `<${messageId}>` }, { ...outcome, event })
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

interface Posted {
  /** A row of it. */
  id: number
  accountId: number
  messageId: string
}

async function record(ctx: Outside, posted: Posted, { state, isComplaint, event }: Outcome & { event: MailEvent }) {
  const { accountId, messageId } = posted
  const now = ctx.services.now()
  const status = event['event-data']['delivery-status']
  const answer = isComplaint ? 'Marked as spam' : status?.message || status?.description || null
  const stop = await ctx.db.writeAs(accountId, async (_em, write) => {
    // An e-mail may be several rows.
    const mine = sql`account_id = ${accountId} and message_id = ${messageId}`
    if (state === 'delivered') {
      await write(sql`update reminders set state = 'delivered', delivered_at = ${now} where ${mine} and state = 'sent'`)
      return undefined
    }
    const rows = await write<Returned>(sql`
      update reminders set state = 'bounced', bounced_at = ${now}, answer = ${answer?.slice(0, 500) ?? null}
      where ${mine} and state in ('sent', 'delivered')
      returning ${RETURNED}`)
    const [returned] = rows
    if (!returned) return undefined
    const { recipient, address } = returned
    if (!isComplaint || recipient === 'owner') {
      await write(tellOfBounce(returned, now))
      return undefined
    }
    const complaint = { accountId, reminderId: posted.id, address, source: 'provider' as const, reason: null }
    return recordComplaint(write, complaint, ctx.services)
  })
  if (stop) logOfMail(ctx.log, 'mail.stopped', { actor: 'mail-provider', account: accountId, ...stop })
}

function verified({ services }: Outside, body: Buffer): MailEvent {
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
