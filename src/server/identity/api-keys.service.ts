import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { CreateApiKey } from '#shared/schemas/accounts.ts'
import type { ById } from '#shared/schemas/fields.ts'
import { columnsOf } from '#server/db/columns.ts'
import { readRows } from '#server/db/rows.ts'
import type { System } from '#server/db/connections/system.ts'
import { refuseApiKey, type AccountContext, type SubscriberContext } from '#server/context.ts'
import { ApiKeyEntity } from './api-key.entity.ts'
import { requireRecentSignIn } from './reverification.ts'

const PREFIX = 'traxx_'
const MOST_KEYS = 20

export function isApiKey(token: string): boolean {
  return token.startsWith(PREFIX)
}

const VIEWED = columnsOf(ApiKeyEntity, 'k', [
  'id',
  'name',
  'scope',
  'createdAt',
  // The last day on which it works, in the account's time zone; null if it never expires.
  'expiresOn',
  // Null if it was never used.
  'lastUsedAt',
  // The IP address of its last use, if known.
  'lastUsedAddress',
])
const ApiKeyView = z.object({ ...VIEWED.fields, isExpired: z.boolean() })
export type ApiKeyView = z.output<typeof ApiKeyView>

/** The keys that are not revoked, newest first. @throws API_KEY_REFUSED */
export async function listApiKeys(ctx: AccountContext): Promise<ApiKeyView[]> {
  refuseApiKey(ctx)
  const statement = sql`
    select ${VIEWED}, coalesce(k.expires_on < ${ctx.today}, false) as "isExpired" from api_keys k
    where k.account_id = ${ctx.accountId} and k.revoked_at is null order by k.id desc`
  return ctx.read(statement, ApiKeyView)
}

export interface NewApiKey {
  id: number
  key: string
}

/**
 * Creates a key. Only its hash is stored, so it can be shown only now.
 * @throws API_KEYS_FULL, API_KEY_END_PAST, REVERIFICATION_REQUIRED, API_KEY_REFUSED: a key cannot create others, which
 * would outlive it
 */
export async function createApiKey(ctx: SubscriberContext, input: CreateApiKey): Promise<NewApiKey> {
  refuseApiKey(ctx)
  requireRecentSignIn(ctx)
  return issueApiKey(ctx, input)
}

/** The same for the operator. @throws API_KEYS_FULL, API_KEY_END_PAST */
export async function issueApiKey(
  { em, accountId, today }: Pick<SubscriberContext, 'em' | 'accountId' | 'today'>,
  { name, scope, expiresOn }: CreateApiKey,
): Promise<NewApiKey> {
  if (expiresOn !== null && expiresOn < today) throw new AppError('API_KEY_END_PAST')
  // Concurrent calls wait here, so that the quota holds.
  await em.execute('select from accounts where id = ? for no key update', [accountId])
  if ((await em.count(ApiKeyEntity, { accountId, revokedAt: null })) >= MOST_KEYS) throw new AppError('API_KEYS_FULL')
  const key = PREFIX + randomBytes(32).toString('base64url')
  const made = em.create(ApiKeyEntity, { accountId, name, scope, expiresOn, keyHash: hashOf(key) })
  await em.flush()
  return { id: made.id, key }
}

/** Revokes a key; this needs no subscription. @throws API_KEY_NOT_FOUND, API_KEY_REFUSED */
export async function revokeApiKey(ctx: AccountContext, { id }: ById): Promise<void> {
  refuseApiKey(ctx)
  const { accountId, services } = ctx
  const revoked = await ctx.db.writeAs(accountId, (em) =>
    em.nativeUpdate(ApiKeyEntity, { accountId, id, revokedAt: null }, { revokedAt: services.now() }),
  )
  if (revoked === 0) throw new AppError('API_KEY_NOT_FOUND')
}

interface UsedKey {
  key: string
  /** Where the call came from, if known. */
  address?: string | undefined
}

const KeyOwner = z.object({
  id: z.int(),
  /** Clerk user id. */
  owner: z.string(),
  scope: VIEWED.fields.scope,
  expiresOn: z.string().nullable(),
  isExpired: z.boolean(),
})
type KeyOwner = z.output<typeof KeyOwner>

/** The owner of a key, whose use is recorded; undefined if it is unknown or revoked. @throws API_KEY_EXPIRED */
export async function ownerOfApiKey(system: System, { key, address }: UsedKey): Promise<KeyOwner | undefined> {
  const statement = sql`
      with found as (
        select k.id, a.clerk_user_id as owner, k.scope, k.expires_on,
          coalesce(k.expires_on < (now() at time zone coalesce(a.time_zone, 'UTC'))::date, false) as expired
        from api_keys k join accounts a on a.id = k.account_id
        where k.key_hash = ${hashOf(key)} and k.revoked_at is null and a.deleting_at is null
      ), used as (
        update api_keys k set last_used_at = now(), last_used_address = coalesce(${address ?? null}, k.last_used_address)
        from found where k.id = found.id and not found.expired
      )
      select id, owner, scope, expires_on::text as "expiresOn", expired as "isExpired" from found`
  const [found] = await readRows(system, statement, KeyOwner)
  if (found?.isExpired) throw new AppError('API_KEY_EXPIRED', { values: { day: found.expiresOn ?? '' } })
  return found
}

// A key has 256 random bits, so a plain hash is enough: it cannot be guessed from its hash.
function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
