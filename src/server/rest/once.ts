import { createHash } from 'node:crypto'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { asSubscriber, type SubscriberContext } from '#server/context.ts'
import { once } from '#server/idempotency/once.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call takes an Idempotency-Key. */
    isRepeatable?: boolean
  }
}

const HEADER = 'idempotency-key'
const KEY = /^[!-~]{1,255}$/

/** The route options of a call that takes an Idempotency-Key: its handler runs `asSubscriberOnce`. */
export function repeatable({ config }: { config?: FastifyContextConfig } = {}) {
  return { config: { ...config, isRepeatable: true } }
}

/** Refuses a key where it would be ignored, as a repeated call would then be carried out twice. @throws IDEMPOTENCY_KEY_UNSUPPORTED */
export async function refuseIgnoredKey({ headers, method, routeOptions }: FastifyRequest): Promise<void> {
  if (method !== 'POST' || headers[HEADER] === undefined || routeOptions.config.isRepeatable) return
  throw new AppError('IDEMPOTENCY_KEY_UNSUPPORTED')
}

/**
 * Runs `work` as `asSubscriber` does. With an Idempotency-Key it is carried out once, and a repeated call gets the same
 * answer. One that holds a secret is never stored. @throws IDEMPOTENCY_KEY_INVALID and what `once` throws besides
 */
export function asSubscriberOnce(
  request: FastifyRequest,
  work: (ctx: SubscriberContext) => Promise<unknown>,
  { isSecret = false } = {},
): Promise<unknown> {
  const key = keyOf(request)
  if (key === undefined) return asSubscriber(request.context, work)
  const call = { key, request: digestOf(request), isSecret }
  return asSubscriber(request.context, (ctx) => once(ctx, call, () => work(ctx)))
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers[HEADER]
  if (key === undefined) return undefined
  if (typeof key === 'string' && KEY.test(key)) return key
  throw new AppError('IDEMPOTENCY_KEY_INVALID')
}

function digestOf({ method, url, body }: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, url, body ?? null]))
    .digest()
}
