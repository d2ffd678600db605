import { createPublicKey } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { AppError } from '#shared/errors.ts'

/** Finds the public key (PEM) by the ID in a token; undefined if the identity provider has no such key. */
export type FindKey = (id: string) => Promise<string | undefined>

interface FetchedKey {
  kid: string
  n: string
  e: string
}

export interface KeySetOptions {
  /** Fetches all keys of the identity provider. */
  fetchKeys: () => Promise<{ keys?: FetchedKey[] }>
  /** In milliseconds, of a clock that only goes forward. */
  now?: () => number
  timeoutMs?: number
}

/** Minimum time between requests to the provider, however many tokens name an unknown key. */
export const FETCH_EVERY_MS = 15_000
/** How long a key that the provider has withdrawn is still accepted. */
const KEPT_MS = 60 * 60_000
const TIMEOUT_MS = 5_000
/** A provider has one key, or two while it rotates them. */
const MOST_KEYS = 20

/** The identity provider's keys, fetched when one is first needed. The finder throws IDENTITY_UNAVAILABLE. */
export function openKeySet({
  fetchKeys,
  now = () => performance.now(),
  timeoutMs = TIMEOUT_MS,
}: KeySetOptions): FindKey {
  const keys = new LRUCache<string, string>({ max: MOST_KEYS })
  let lastFetch: { at: number; done: Promise<void> } | undefined
  let fetchedAt = Number.NEGATIVE_INFINITY
  /** Whether a call is running, which may go on for minutes after we have stopped waiting for it. */
  let isFetching = false

  async function fetchOnce() {
    isFetching = true
    try {
      return await fetchKeys()
    } finally {
      isFetching = false
    }
  }

  async function refresh(): Promise<void> {
    const fetched = await Promise.race([fetchOnce(), afterTimeout(timeoutMs)])
    keys.clear()
    for (const { kid, n, e } of fetched.keys ?? []) keys.set(kid, pemOf({ n, e }))
    fetchedAt = now()
  }

  return async (id) => {
    const isFresh = () => now() - fetchedAt < KEPT_MS
    const known = keys.get(id)
    if (known && isFresh()) return known
    if (!lastFetch || (!isFetching && now() - lastFetch.at >= FETCH_EVERY_MS))
      lastFetch = { at: now(), done: refresh() }
    try {
      await lastFetch.done
    } catch (error) {
      throw new AppError('IDENTITY_UNAVAILABLE', { cause: error })
    }
    return isFresh() ? keys.get(id) : undefined
  }
}

async function afterTimeout(ms: number): Promise<never> {
  await setTimeout(ms, undefined, { ref: false })
  throw new Error(`The identity provider did not send its keys within ${ms} ms`)
}

export function pemOf({ n, e }: Pick<FetchedKey, 'n' | 'e'>): string {
  return createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString()
}
