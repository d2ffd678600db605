import { LRUCache } from 'lru-cache'
import type { KeyScope } from '#shared/domain/api-key.ts'
import { AppError } from '#shared/errors.ts'
import type { Caller, Callers, FactorAge, Services } from '#server/context.ts'
import type { Database } from '#server/db/database.ts'
import { isUnwritten, whileUnavailable } from '#server/db/connections/failover.ts'
import { findCaller, updatePerson, openAccount } from './accounts.service.ts'
import { isApiKey, ownerOfApiKey } from './api-keys.service.ts'

const REMEMBERED = 10_000
const API_KEY_MS = 5_000
/** How long another process may still accept a deleted account. */
const ACCOUNT_MS = 5_000
const LOOKED_UP_AGAIN_MS = 1
const OPEN_ALL = new Set(['trialing', 'active'])
const PERSON_MS = 10 * 60_000
/** Short, so that an address counts soon after it was verified. */
const UNVERIFIED_MS = 15_000
/** Longer than a session of the identity provider lasts. */
const PAST_MS = 90 * 86_400_000

export function openCallers(database: Database, services: Pick<Services, 'clerk' | 'verifyToken' | 'now'>): Callers {
  const db = database.as('traxx')
  const owners = new LRUCache<string, Owner>({ max: REMEMBERED })
  const updateInBackground = makePersonUpdater(db, services, (clerkUserId) => void accounts.delete(clerkUserId))
  const accounts = new LRUCache<string, { caller: Caller | null }>({
    max: REMEMBERED,
    ttl: ACCOUNT_MS,
    // A request that began before `forget` still gets its result, which is not cached.
    ignoreFetchAbort: true,
    // In an object: the cache rejects a fetch that resolves to undefined and was deleted meanwhile.
    fetchMethod: async (clerkUserId, _stale, { options }) => {
      const known = await findCaller(db.system, clerkUserId)
      if (known) updateInBackground(known)
      const caller = known ?? (await openAccount(db.system, services.clerk, clerkUserId)) ?? null
      // Who has just paid with another process must not be asked to pay by this one.
      if (!OPEN_ALL.has(caller?.subscription?.status ?? '')) options.ttl = LOOKED_UP_AGAIN_MS
      return { caller }
    },
  })

  async function ownerOf(token: string, address?: string): Promise<Owner | undefined> {
    const known = owners.get(token)
    // A key used from another address is looked up again, so that the address is recorded.
    if (known && (address === undefined || !known.address || known.address === address)) return known
    const found = isApiKey(token)
      ? await apiKeyOwner(db, token, address)
      : await sessionOwner(() => services.verifyToken(token))
    if (found) owners.set(token, found, { ttl: found.validMs })
    return found
  }

  // Only a session opens an account: a key that is still cached may be that of a deleted one.
  const exists = async ({ id, keyScope }: Owner) =>
    keyScope === undefined || accounts.has(id) || (await findCaller(db.system, id)) !== undefined
  const callerOf = async (owner: Owner | undefined) =>
    owner && (await exists(owner)) ? ((await accounts.fetch(owner.id))?.caller ?? null) : null

  return {
    find: async (token) => callerOf(token ? await ownerOf(token) : undefined),
    // Its statements can be repeated, those that open an account and record a key's use as well.
    identify: (token, address) =>
      whileUnavailable(async () => {
        const owner = token ? await ownerOf(token, address) : undefined
        const { keyScope, keyId, factorAge } = owner ?? {}
        return { caller: await callerOf(owner), keyScope, keyId, factorAge }
      }, isUnwritten),
    findPast: async (token) =>
      callerOf(token ? await sessionOwner(() => services.verifyToken(token, { leewayMs: PAST_MS })) : undefined),
    async refresh(caller) {
      await updatePerson(db, services, caller)
      accounts.delete(caller.clerkUserId)
      return orNotSignedIn(await findCaller(db.system, caller.clerkUserId))
    },
    remainingMs: (token) => owners.getRemainingTTL(token),
    forget: (clerkUserId) => void accounts.delete(clerkUserId),
  }
}

/** Updates callers from Clerk in the background; after a failure, a later request tries again. */
function makePersonUpdater(
  db: Database,
  services: Pick<Services, 'clerk' | 'now'>,
  onChanged: (clerkUserId: string) => void,
): (caller: Caller) => void {
  const recentlyUpdated = new LRUCache<string, true>({ max: REMEMBERED, ttl: PERSON_MS })
  return (caller) => {
    const { clerkUserId, email } = caller
    if (recentlyUpdated.has(clerkUserId)) return
    recentlyUpdated.set(clerkUserId, true, { ttl: email === '' ? UNVERIFIED_MS : PERSON_MS })
    void updatePerson(db, services, caller).then(
      (isChanged) => isChanged && onChanged(clerkUserId),
      () => recentlyUpdated.delete(clerkUserId),
    )
  }
}

function orNotSignedIn(caller: Caller | undefined): Caller {
  if (!caller) throw new AppError('NOT_SIGNED_IN')
  return caller
}

interface Owner {
  /** The person's user ID at Clerk. */
  id: string
  validMs: number
  keyScope?: KeyScope
  keyId?: number | undefined
  /** Where an API key was used from. */
  address?: string | undefined
  factorAge?: FactorAge | undefined
}

async function apiKeyOwner(db: Database, key: string, address: string | undefined): Promise<Owner | undefined> {
  const found = await ownerOfApiKey(db.system, { key, address })
  return found && { id: found.owner, keyId: found.id, keyScope: found.scope, address, validMs: API_KEY_MS }
}

async function sessionOwner(verify: () => ReturnType<Services['verifyToken']>): Promise<Owner | undefined> {
  try {
    const { userId, expiresAt, factorAge } = await verify()
    const validMs = expiresAt.getTime() - Date.now()
    return { id: userId, factorAge, validMs: Math.max(1, validMs) }
  } catch (error) {
    if (error instanceof AppError) throw error
    // With any other faulty token the request is not signed in.
    return undefined
  }
}
