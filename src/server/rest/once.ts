import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { asSubscriber, requireAccount, requireSubscriber, type SubscriberContext } from '#server/context.ts'
import { isCommitUnclear } from '#server/db/connections/failover.ts'
import { once, onceRunning, type RepeatableCall } from '#server/idempotency/once.ts'

const HEADER = 'idempotency-key'
const KEY = /^[!-~]{1,255}$/

/** What a call may say about itself, for when it is sent again with its Idempotency-Key. */
type Repeating = Pick<RepeatableCall, 'isSecret' | 'isUnclear'>

/**
 * Runs `work` as `asSubscriber` does. With an Idempotency-Key it is carried out once, and a repeated call gets the same
 * answer. @throws IDEMPOTENCY_KEY_INVALID and what `once` throws besides
 */
export async function asSubscriberOnce(
  request: FastifyRequest,
  work: (ctx: SubscriberContext) => Promise<unknown>,
  { require = requireSubscriber, ...repeating }: Repeating & { require?: typeof requireSubscriber } = {},
): Promise<unknown> {
  const call = await callOf(request, repeating)
  if (!call) return asSubscriber(request.context, work, require)
  const carryOut = () => asSubscriber(request.context, (ctx) => once(ctx, call, () => work(ctx)), require)
  // If the first transaction was committed after all, the second finds its result.
  return carryOut().catch((error: unknown) => {
    if (isCommitUnclear(error)) return carryOut()
    throw error
  })
}

/** The same for work that is more than one transaction. @throws IDEMPOTENCY_KEY_RUNNING besides */
export async function runOnce(
  request: FastifyRequest,
  work: () => Promise<unknown>,
  repeating: Repeating & { file?: HashedFile } = {},
): Promise<unknown> {
  const call = await callOf(request, repeating)
  return call ? onceRunning(requireAccount(request.context), call, work) : work()
}

/** @throws IDEMPOTENCY_KEY_INVALID, TOO_MANY_REQUESTS */
async function callOf(
  request: FastifyRequest,
  { file, ...repeating }: Repeating & { file?: HashedFile },
): Promise<RepeatableCall | undefined> {
  const key = request.headers[HEADER]
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !KEY.test(key)) throw new AppError('IDEMPOTENCY_KEY_INVALID')
  const { limits, accountId } = requireAccount(request.context)
  await limits.take('idempotencyKeys', accountId)
  return { ...repeating, key, digest: async () => digestOf(request, await file?.sha256()) }
}

function digestOf({ method, url, body }: FastifyRequest, file: string | undefined): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, url, file ?? body ?? null]))
    .digest()
}

interface HashedFile {
  bytes: AsyncGenerator<Uint8Array>
  /** Reads what has not been read yet. */
  sha256: () => Promise<string>
}

/** A file that is being received, hashed while it is read. */
export function hashed(received: AsyncIterable<Uint8Array>): HashedFile {
  const hash = createHash('sha256')
  const bytes = read()
  async function* read() {
    for await (const piece of received) {
      hash.update(piece)
      yield piece
    }
  }
  return {
    bytes,
    sha256: async () => {
      while (!(await bytes.next()).done);
      return hash.digest('hex')
    },
  }
}
