import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import sql from 'sql-template-tag'
import { AppError } from '#shared/errors.ts'
import type { JobContext, RequestContext } from '#server/context.ts'
import type { Read } from '#server/db/database.ts'

/** Mailgun signs when and by which token it calls, and not what it says. */
export const MailSignature = z.object({
  timestamp: z.string().regex(/^\d{1,12}$/),
  token: z.string().min(1).max(200),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
})
export type MailSignature = z.output<typeof MailSignature>

type Outside = Pick<RequestContext, 'db' | 'services'>

/** Either way: a signature is no older, and no further ahead of our clock. */
const GOOD_FOR_MS = 15 * 60_000
/** Longer than any signature is good for. */
const KEPT = '1 hour'

/** @throws WEBHOOK_UNSIGNED, WEBHOOK_STALE */
export function verifySignature({ timestamp, token, signature }: MailSignature, key: string, now: Date): void {
  const signed = timestamp + token
  const expected = createHmac('sha256', key).update(signed).digest()
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw new AppError('WEBHOOK_UNSIGNED')
  const awayMs = Math.abs(now.getTime() - Number(timestamp) * 1000)
  if (awayMs > GOOD_FOR_MS) throw new AppError('WEBHOOK_STALE')
}

/**
 * Uses up the token of a call, in the transaction of what the call changes. Where that is undone, whatever ends the
 * process, the token is as good as before, so that the provider can send the event again. @throws WEBHOOK_REPEATED
 */
export async function useToken(write: Read, { token }: MailSignature, now: Date): Promise<void> {
  const [used] = await write<{ isFirst: boolean }>(
    sql`select use_mail_token(decode(${hashOf(token).toString('hex')}, 'hex'), ${now}) as "isFirst"`,
  )
  if (!used?.isFirst) throw new AppError('WEBHOOK_REPEATED')
}

/** The same for a call that changes nothing. @throws WEBHOOK_REPEATED */
export async function useTokenAlone({ db, services }: Outside, { token }: MailSignature): Promise<void> {
  const { rowCount } = await db.system.query(
    'insert into mail_webhook_tokens (token_hash, received_at) values ($1, $2) on conflict do nothing',
    [hashOf(token), services.now()],
  )
  if (rowCount === 0) throw new AppError('WEBHOOK_REPEATED')
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Forgets the tokens whose signatures are no good any more. */
export async function sweepMailTokens({ db, services }: Pick<JobContext, 'db' | 'services'>): Promise<void> {
  await db.system.query(`delete from mail_webhook_tokens where received_at < $1::timestamptz - interval '${KEPT}'`, [
    services.now(),
  ])
}
