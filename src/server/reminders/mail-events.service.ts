import { createHmac, timingSafeEqual } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { RequestContext } from '#server/context.ts'
import { recordBounce, RETURNED, tellOfBounce, type Returned } from './bounce-notice.ts'
import { optOut } from './unsubscribe.service.ts'

/** A webhook of Mailgun: what became of a message, and who says so. */
const MailEvent = z.object({
  signature: z.object({ timestamp: z.string(), token: z.string(), signature: z.string().regex(/^[0-9a-f]{64}$/) }),
  'event-data': z.object({
    event: z.string(),
    severity: z.string().optional(),
    message: z.object({ headers: z.object({ 'message-id': z.string().optional() }) }).optional(),
    'delivery-status': z.object({ message: z.string().nullish(), description: z.string().nullish() }).optional(),
  }),
})
type MailEvent = z.output<typeof MailEvent>

type Outside = Pick<RequestContext, 'db' | 'services'>

/**
 * Takes one event of the mail provider: that a message was delivered, came back for good, or was complained about. An
 * event that comes twice changes nothing.
 * @throws PATH_NOT_FOUND without a key, WEBHOOK_UNSIGNED, and REMINDER_ON_ITS_WAY for what is not recorded yet
 */
export async function receiveMailEvent(ctx: Outside, body: Buffer): Promise<void> {
  const event = verified(ctx, body)
  const outcome = outcomeOf(event)
  const messageId = event['event-data'].message?.headers['message-id']?.replaceAll(/^<|>$/g, '')
  const id = Number(/^reminder-(\d{1,9})\./.exec(messageId ?? '')?.[1])
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
  id: number
  accountId: number
  messageId: string
}

async function record(ctx: Outside, posted: Posted, { state, isComplaint, event }: Outcome & { event: MailEvent }) {
  const { id, accountId, messageId } = posted
  const now = ctx.services.now()
  const status = event['event-data']['delivery-status']
  const answer = isComplaint ? 'Marked as spam' : status?.message || status?.description || null
  await ctx.db.writeAs(accountId, async (_em, write) => {
    const mine = sql`account_id = ${accountId} and id = ${id} and message_id = ${messageId}`
    if (state === 'delivered') {
      await write(sql`update reminders set state = 'delivered', delivered_at = ${now} where ${mine} and state = 'sent'`)
      return
    }
    const [returned] = await write<Returned>(sql`
      update reminders set state = 'bounced', bounced_at = ${now}, answer = ${answer?.slice(0, 500) ?? null}
      where ${mine} and state in ('sent', 'delivered')
      returning ${RETURNED}`)
    if (!returned) return
    const { recipient, customerId } = returned
    if (!isComplaint || recipient === 'owner' || !customerId) return write(tellOfBounce(returned, now))
    await write(recordBounce(returned, now))
    return write(optOut({ accountId, customerId }))
  })
}

function verified({ services }: Outside, body: Buffer): MailEvent {
  if (!services.mailWebhookKey) throw new AppError('PATH_NOT_FOUND')
  const parsed = MailEvent.safeParse(parse(body))
  if (!parsed.success) throw new AppError('WEBHOOK_UNSIGNED', { cause: parsed.error })
  const { timestamp, token, signature } = parsed.data.signature
  const expected = createHmac('sha256', services.mailWebhookKey)
    .update(timestamp + token)
    .digest()
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw new AppError('WEBHOOK_UNSIGNED')
  return parsed.data
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
