import { TokenVerificationError, TokenVerificationErrorReason } from '@clerk/backend/errors'
import { LRUCache } from 'lru-cache'
import { AppError } from '#shared/errors.ts'
import type { Caller, Services } from '#server/context.ts'
import type { Database } from '#server/db/database.ts'
import { findCaller, followPerson, openAccount } from './accounts.service.ts'
import { isApiKey, ownerOfApiKey } from './api-keys.service.ts'

const KEYS_NOT_TO_BE_HAD: string[] = [
  TokenVerificationErrorReason.RemoteJWKFailedToLoad,
  TokenVerificationErrorReason.RemoteJWKInvalid,
  TokenVerificationErrorReason.JWKFailedToResolve,
]
const REMEMBERED = 10_000
const API_KEY_MS = 5_000
const ACCOUNT_MS = 30_000
const PERSON_MS = 10 * 60_000
/** Longer than a session lasts with the identity provider. */
const PAST_MS = 90 * 86_400_000

/** Who sends a bearer token. Remembers as long as decisions ("Speed and safety together") allow. */
export interface Callers {
  find(token: string | undefined): Promise<Caller | null>
  /** How long a token that was found is good for, in milliseconds. */
  remainingMs(token: string): number
  /** Whose session token this was, though it may have run out: for what needs no proof that they still have it. */
  findPast(token: string | undefined): Promise<Caller | null>
  /** Drops what is remembered of an account, after it changed. */
  forget(clerkUserId: string): void
}

export function openCallers(db: Database, services: Pick<Services, 'clerk' | 'verifyToken'>): Callers {
  const owners = new LRUCache<string, string>({ max: REMEMBERED })
  const followed = new LRUCache<string, true>({ max: REMEMBERED, ttl: PERSON_MS })
  const accounts = new LRUCache<string, { caller: Caller | null }>({
    max: REMEMBERED,
    ttl: ACCOUNT_MS,
    // Who asked before an account was forgotten still gets an answer; it is not remembered.
    ignoreFetchAbort: true,
    // In an object: the cache answers a fetch that found nothing, and was forgotten meanwhile, with a failure.
    fetchMethod: async (clerkUserId) => {
      const known = await findCaller(db.system, clerkUserId)
      if (known) followNow(known)
      return { caller: known ?? (await openAccount(db.system, services.clerk, clerkUserId)) ?? null }
    },
  })

  /** Nobody waits for it, and what fails is asked for again. */
  function followNow(caller: Caller): void {
    const { clerkUserId } = caller
    if (followed.has(clerkUserId)) return
    followed.set(clerkUserId, true)
    void followPerson(db.system, services.clerk, caller).then(
      (isChanged) => isChanged && accounts.delete(clerkUserId),
      () => followed.delete(clerkUserId),
    )
  }

  async function ownerOf(token: string): Promise<string | undefined> {
    const known = owners.get(token)
    if (known) return known
    const found = isApiKey(token) ? await apiKeyOwner(db, token) : await sessionOwner(() => services.verifyToken(token))
    if (found) owners.set(token, found.owner, { ttl: found.forMs })
    return found?.owner
  }

  const callerOf = async (owner: string | undefined) => (owner ? ((await accounts.fetch(owner))?.caller ?? null) : null)

  return {
    find: async (token) => callerOf(token && (await ownerOf(token))),
    findPast: async (token) => {
      const found = token && (await sessionOwner(() => services.verifyToken(token, { leewayMs: PAST_MS })))
      return callerOf(found ? found.owner : undefined)
    },
    remainingMs: (token) => owners.getRemainingTTL(token),
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

async function sessionOwner(verify: () => ReturnType<Services['verifyToken']>): Promise<Found | undefined> {
  try {
    const { userId, expiresAt } = await verify()
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
