import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { JobContext, RequestContext } from '#server/context.ts'

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
 * Does the work of a call whose token nobody has used, in any process. Where the work fails, the token is as good as
 * before, so that the provider can send the event again. @throws WEBHOOK_REPEATED
 */
export async function useOnce({ db, services }: Outside, { token }: MailSignature, work: () => Promise<void>) {
  const hash = createHash('sha256').update(token).digest()
  const { rowCount } = await db.system.query(
    'insert into mail_webhook_tokens (token_hash, received_at) values ($1, $2) on conflict do nothing',
    [hash, services.now()],
  )
  if (rowCount === 0) throw new AppError('WEBHOOK_REPEATED')
  try {
    await work()
  } catch (error) {
    await db.system.query('delete from mail_webhook_tokens where token_hash = $1', [hash])
    throw error
  }
}

/** Forgets the tokens whose signatures are no good any more. */
export async function sweepMailTokens({ db, services }: Pick<JobContext, 'db' | 'services'>): Promise<void> {
  await db.system.query(`delete from mail_webhook_tokens where received_at < $1::timestamptz - interval '${KEPT}'`, [
    services.now(),
  ])
}
