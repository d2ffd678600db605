import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import type { Identity, RequestContext } from '#server/context.ts'
import { isApiKey } from '#server/identity/api-keys.service.ts'
import { addressKey } from '#server/limits/address-key.ts'
import type { Limits } from '#server/limits/limits.ts'

/** How many first characters distinguish keys; the rest is still too long to be guessed. */
const KEY_START = 14

const NOBODY: Identity = { caller: null }

type Finding = Pick<RequestContext, 'callers' | 'limits' | 'security'>

/**
 * Whose token or key this is. A client that sends many wrong ones has to wait; its address is then no longer worth
 * a search for keys. A right key is never refused for what others guess from elsewhere.
 * @throws TOO_MANY_REQUESTS, API_KEY_EXPIRED
 */
export async function identifyBearer(
  { callers, limits, security }: Finding,
  { ip }: FastifyRequest,
  bearer: string | undefined,
): Promise<Identity> {
  if (bearer === undefined) return NOBODY
  const address = addressKey(ip)
  const isKey = isApiKey(bearer)
  if (isKey && limits.isMet('wrongCredentials', address)) await limits.take('wrongCredentials', address)
  const identity = await callers.identify(bearer, withoutPrefix(ip)).catch(expiryOf)
  if (identity instanceof AppError) {
    await countRefused(limits, { address, key: bearer })
    security('credentials.refused', { what: 'expired key' })
    throw identity
  }
  if (identity.caller) return identity
  // A browser that wakes up sends a token that has only run out.
  if (!isKey && (await callers.findPast(bearer))) return identity
  await countRefused(limits, { address, key: isKey ? bearer : undefined })
  security('credentials.refused', { what: isKey ? 'key' : 'token' })
  return identity
}

/** An expired key gets a separate refusal, and counts like any other that is refused. */
function expiryOf(error: unknown): AppError {
  if (error instanceof AppError && error.key === 'API_KEY_EXPIRED') return error
  throw error
}

interface Refused {
  address: string
  key: string | undefined
}

async function countRefused(limits: Limits, { address, key }: Refused): Promise<void> {
  await limits.take('wrongCredentials', address)
  if (key !== undefined) await limits.take('wrongKeys', key.slice(0, KEY_START))
}

/** A server for IPv6 puts a prefix before an address of IPv4. */
function withoutPrefix(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, '')
}
