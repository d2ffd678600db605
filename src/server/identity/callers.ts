import { TokenVerificationError, TokenVerificationErrorReason } from '@clerk/backend/errors'
import { LRUCache } from 'lru-cache'
import { AppError } from '#shared/errors.ts'
import type { Caller, Services } from '#server/context.ts'
import type { Database } from '#server/db/database.ts'
import { findCaller, openAccount } from './accounts.service.ts'
import { isApiKey, ownerOfApiKey } from './api-keys.service.ts'

const KEYS_NOT_TO_BE_HAD: string[] = [
  TokenVerificationErrorReason.RemoteJWKFailedToLoad,
  TokenVerificationErrorReason.RemoteJWKInvalid,
  TokenVerificationErrorReason.JWKFailedToResolve,
]
const REMEMBERED = 10_000
const API_KEY_MS = 5_000
const ACCOUNT_MS = 30_000

/** Who sends a bearer token. Remembers as long as decisions ("Speed and safety together") allow. */
export interface Callers {
  find(token: string | undefined): Promise<Caller | null>
  /** Drops what is remembered of an account, after it changed. */
  forget(clerkUserId: string): void
}

export function openCallers(db: Database, services: Pick<Services, 'clerk' | 'verifyToken'>): Callers {
  const owners = new LRUCache<string, string>({ max: REMEMBERED })
  const accounts = new LRUCache<string, { caller: Caller | null }>({
    max: REMEMBERED,
    ttl: ACCOUNT_MS,
    // Who asked before an account was forgotten still gets an answer; it is not remembered.
    ignoreFetchAbort: true,
    // In an object: the cache answers a fetch that found nothing, and was forgotten meanwhile, with a failure.
    fetchMethod: async (clerkUserId) => ({
      caller:
        (await findCaller(db.system, clerkUserId)) ??
        (await openAccount(db.system, services.clerk, clerkUserId)) ??
        null,
    }),
  })

  async function ownerOf(token: string): Promise<string | undefined> {
    const known = owners.get(token)
    if (known) return known
    const found = isApiKey(token) ? await apiKeyOwner(db, token) : await sessionOwner(services, token)
    if (found) owners.set(token, found.owner, { ttl: found.forMs })
    return found?.owner
  }

  return {
    async find(token) {
      const owner = token && (await ownerOf(token))
      if (!owner) return null
      return (await accounts.fetch(owner))?.caller ?? null
    },
    forget: (clerkUserId) => void accounts.delete(clerkUserId),
  }
}

interface Found {
  owner: string
  forMs: number
}

async function apiKeyOwner(db: Database, token: string): Promise<Found | undefined> {
  const owner = await ownerOfApiKey(db.system, token)
  return owner === undefined ? undefined : { owner, forMs: API_KEY_MS }
}

async function sessionOwner(services: Pick<Services, 'verifyToken'>, token: string): Promise<Found | undefined> {
  try {
    const { userId, expiresAt } = await services.verifyToken(token)
    const forMs = expiresAt.getTime() - Date.now()
    return { owner: userId, forMs: Math.max(1, forMs) }
  } catch (error) {
    if (error instanceof TokenVerificationError && KEYS_NOT_TO_BE_HAD.includes(error.reason)) {
      throw new AppError('IDENTITY_UNAVAILABLE', { cause: error })
    }
    // Whatever else is wrong with a token, its bearer is simply not signed in.
    return undefined
  }
}
