import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { IdempotencyKeyEntity } from './idempotency-key.entity.ts'

/** For how long a key stands for its call. */
export const KEY_HOURS = 24

/** A call that may be sent again with the same key. */
export interface RepeatableCall {
  key: string
  /** The digest of the call, its input included. */
  request: Buffer
  /** Its answer holds a secret, and is not stored. */
  isSecret?: boolean
}

const STORED = columnsOf(IdempotencyKeyEntity, 'k', ['request', 'answer'])
const StoredRow = z.object(STORED.fields)
const Answer = z.object({ result: z.unknown().optional() })

/**
 * What `work` returns, as JSON, carried out at most once for a key of the account within 24 hours: a repeated call gets
 * the same again. The key is written in the transaction of the work: a call at the same time waits for it, and a refused
 * one leaves no key. @throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_ANSWER_SECRET
 */
export async function once(
  ctx: SubscriberContext,
  { key, request, isSecret = false }: RepeatableCall,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const { accountId, write, services } = ctx
  const now = services.now()
  const [claimed] = await write(sql`
    insert into idempotency_keys as k (account_id, key, request, created_at)
      values (${accountId}, ${key}, ${request}, ${now})
    on conflict (account_id, key) do update
      set request = excluded.request, answer = null, created_at = excluded.created_at
      where k.created_at <= ${now}::timestamptz - make_interval(hours => ${KEY_HOURS})
    returning true as claimed`)
  if (!claimed) return storedAnswer(ctx, key, request)
  const result = await work()
  if (isSecret) return result
  const answer = JSON.stringify({ result } satisfies z.input<typeof Answer>)
  await write(sql`update idempotency_keys set answer = ${answer} where account_id = ${accountId} and key = ${key}`)
  return result
}

async function storedAnswer({ accountId, read }: SubscriberContext, key: string, request: Buffer): Promise<unknown> {
  const [stored] = await read(
    sql`select ${STORED} from idempotency_keys k where k.account_id = ${accountId} and k.key = ${key}`,
    StoredRow,
  )
  if (!stored || !request.equals(stored.request)) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  if (stored.answer === null) throw new AppError('IDEMPOTENCY_ANSWER_SECRET')
  return Answer.parse(JSON.parse(stored.answer)).result
}
