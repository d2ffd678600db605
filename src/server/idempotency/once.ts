import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { AccountContext, SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { isCommitUnclear } from '#server/db/connections/failover.ts'
import type { Write } from '#server/db/database.ts'
import { IdempotencyKeyEntity } from './idempotency-key.entity.ts'

/** For how long a key stands for its call. */
export const KEY_HOURS = 24
/** A call that has run for longer was interrupted: none takes so long. */
export const LONGEST_CALL_MINUTES = 15

/** A call that may be sent again with the same key. */
export interface RepeatableCall {
  key: string
  /** The digest of the call, its input included. An uploaded file is read to its end for it. */
  digest: () => Promise<Buffer>
  /** Its answer holds a secret, and is not stored. */
  isSecret?: boolean | undefined
  /** After an interruption, only the caller can tell what was done; others are safe to carry out again. */
  isUnclear?: boolean | undefined
}

/**
 * What `work` returns, as JSON, carried out at most once for a key of the account within 24 hours: a repeated call gets
 * the same again. The key is written in the transaction of the work: a call at the same time waits for it, and a refused
 * one leaves no key. @throws IDEMPOTENCY_KEY_REUSED and the other IDEMPOTENCY_… refusals
 */
export async function once(
  ctx: SubscriberContext,
  call: RepeatableCall,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const { accountId, write, services } = ctx
  const asked = { ...call, accountId, now: services.now(), claimId: randomUUID() }
  const stored = await claim(write, asked)
  if (stored) return answerOf(stored, asked)
  const result = await work()
  await keep(write, asked, result)
  return result
}

/**
 * The same for work of several transactions. The key is committed before it as running, and a call at the same time is
 * refused. One that fails leaves no key, unless it may have been committed. @throws IDEMPOTENCY_KEY_RUNNING besides
 */
export async function onceRunning(
  { accountId, db, services, log }: AccountContext,
  call: RepeatableCall,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const asked = { ...call, accountId, now: services.now(), claimId: randomUUID() }
  const take = () => db.writeAs(accountId, (_em, write) => claim(write, asked))
  // If it was committed after all, the key is this call's own.
  const stored = await take().catch((error: unknown) => {
    if (isCommitUnclear(error)) return take()
    throw error
  })
  if (stored) return answerOf(stored, asked)
  try {
    const result = await work()
    await db
      .writeAs(accountId, (_em, write) => keep(write, asked, result))
      .catch((error: unknown) => log.warn({ err: error }, 'the answer of a call was not stored'))
    return result
  } catch (error) {
    if (isCommitUnclear(error)) throw error
    await db
      .writeAs(accountId, (_em, write) => release(write, asked))
      .catch((error_: unknown) => log.warn({ err: error_ }, 'the key of a failed call was not released'))
    throw error
  }
}

interface CallAttempt extends RepeatableCall {
  accountId: number
  now: Date
  /** Tells this attempt from others with the same key. */
  claimId: string
}

const STORED = columnsOf(IdempotencyKeyEntity, 'k', ['request', 'answer', 'createdAt'])
const StoredRow = z.object(STORED.fields)

/** Takes the key, unless it stands for a call already: then that one. */
async function claim(write: Write, { accountId, key, now, isUnclear, claimId }: CallAttempt) {
  // A server whose clock is ahead must not take a key for an old one, and carry a call out twice.
  const earlier = sql`least(${now}::timestamptz, now())`
  const [claimed] = await write(sql`
    insert into idempotency_keys as k (account_id, key, created_at, claim_id)
    values (${accountId}, ${key}, ${now}, ${claimId})
    on conflict (account_id, key) do update set request = null, answer = null, created_at = excluded.created_at,
        claim_id = excluded.claim_id
      where k.request is null and k.claim_id = ${claimId}
        or k.created_at <= ${earlier} - make_interval(hours => ${KEY_HOURS})
        or k.request is null and not ${isUnclear ?? false}
          and k.created_at <= ${earlier} - make_interval(mins => ${LONGEST_CALL_MINUTES})
    returning true as claimed`)
  if (claimed) return undefined
  const [stored] = await write(
    sql`select ${STORED} from idempotency_keys k where k.account_id = ${accountId} and k.key = ${key}`,
    StoredRow,
  )
  // The other call has failed just now, and has left no key.
  if (!stored) throw new AppError('IDEMPOTENCY_KEY_RUNNING')
  return stored
}

const MINUTE_MS = 60_000
const Answer = z.object({ result: z.unknown().optional() })

async function answerOf(stored: z.output<typeof StoredRow>, { now, digest }: CallAttempt): Promise<unknown> {
  if (stored.request === null) {
    const isRunning = now.getTime() - stored.createdAt.getTime() < LONGEST_CALL_MINUTES * MINUTE_MS
    throw new AppError(isRunning ? 'IDEMPOTENCY_KEY_RUNNING' : 'IDEMPOTENCY_INTERRUPTED')
  }
  if (!(await digest()).equals(stored.request)) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  if (stored.answer === null) throw new AppError('IDEMPOTENCY_ANSWER_SECRET')
  return Answer.parse(JSON.parse(stored.answer)).result
}

async function keep(write: Write, { accountId, key, digest, isSecret }: CallAttempt, result: unknown): Promise<void> {
  const answer = isSecret ? null : JSON.stringify({ result } satisfies z.input<typeof Answer>)
  await write(sql`
    update idempotency_keys set request = ${await digest()}, answer = ${answer}
    where account_id = ${accountId} and key = ${key}`)
}

async function release(write: Write, { accountId, key, claimId }: CallAttempt): Promise<void> {
  await write(sql`
    delete from idempotency_keys
    where account_id = ${accountId} and key = ${key} and request is null and claim_id = ${claimId}`)
}
