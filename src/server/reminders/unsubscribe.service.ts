import { AppError } from '#shared/errors.ts'
import type { RequestContext } from '#server/context.ts'
import { closeAddress, reopenAddress } from './closed-addresses.ts'
import { actorOf, readReader, type Reader } from './reader-link.ts'

type Outside = Pick<RequestContext, 'db' | 'services'>

/**
 * No more messages of this account to the address that the link was sent to. Once is enough, and twice changes nothing.
 * The owner is told. @throws UNSUBSCRIBE_NOT_FOUND
 */
export async function unsubscribe(ctx: Outside, token: string): Promise<Reader> {
  const reader = await readReader(ctx, token)
  const now = ctx.services.now()
  const db = ctx.db.as(actorOf(reader))
  await db.writeAs(reader.accountId, (_em, write) => closeAddress(write, { ...reader, reason: 'unsubscribed', now }))
  return { ...reader, closed: reader.closed ?? 'unsubscribed' }
}

/**
 * Messages of this account again, which only the reader of one can ask for. The owner is told.
 * @throws UNSUBSCRIBE_NOT_FOUND, also for the links of before: the account has those too
 */
export async function resubscribe(ctx: Outside, token: string): Promise<Reader> {
  const reader = await readReader(ctx, token)
  if (!reader.message) throw new AppError('UNSUBSCRIBE_NOT_FOUND')
  const now = ctx.services.now()
  const db = ctx.db.as(actorOf(reader))
  await db.writeAs(reader.accountId, (_em, write) => reopenAddress(write, { ...reader, now }))
  return { ...reader, closed: null }
}
