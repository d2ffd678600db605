import { createHash, randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import sql from 'sql-template-tag'
import { AppError } from '#shared/errors.ts'
import type { CreateApiKey } from '#shared/schemas/accounts.ts'
import type { ById } from '#shared/schemas/fields.ts'
import { refuseApiKey, type AccountContext, type SubscriberContext } from '#server/context.ts'
import { ApiKeyEntity } from './api-key.entity.ts'

const PREFIX = 'traxx_'
const MOST_KEYS = 20

export function isApiKey(token: string): boolean {
  return token.startsWith(PREFIX)
}

export interface ApiKeyView {
  id: number
  name: string
  createdAt: Date
  /** Null where it was never used. */
  lastUsedAt: Date | null
}

/** The keys that work, newest first. @throws API_KEY_REFUSED */
export async function listApiKeys(ctx: AccountContext): Promise<ApiKeyView[]> {
  refuseApiKey(ctx)
  const rows = await ctx.read<StoredKey>(sql`
    select id, name, created_at as "createdAt", last_used_at as "lastUsedAt" from api_keys
    where account_id = ${ctx.accountId} and revoked_at is null order by id desc`)
  return rows.map(({ createdAt, lastUsedAt, ...key }) => ({
    ...key,
    createdAt: new Date(createdAt),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
  }))
}

/**
 * A new key for the account. Only its hash is stored, so this is the one time that it can be shown.
 * @throws API_KEYS_FULL, and API_KEY_REFUSED: one key cannot make others that outlive it
 */
export async function createApiKey(
  { em, accountId, viaApiKey }: Pick<SubscriberContext, 'em' | 'accountId' | 'viaApiKey'>,
  { name }: CreateApiKey,
): Promise<string> {
  refuseApiKey({ viaApiKey })
  // Whoever makes one at the same time waits here, so that the last place is given once.
  await em.execute('select from accounts where id = ? for update', [accountId])
  if ((await em.count(ApiKeyEntity, { accountId, revokedAt: null })) >= MOST_KEYS) throw new AppError('API_KEYS_FULL')
  const key = PREFIX + randomBytes(32).toString('base64url')
  em.create(ApiKeyEntity, { accountId, name, keyHash: hashOf(key) })
  await em.flush()
  return key
}

/** The key opens nothing from here on, also for somebody whose subscription has ended. @throws API_KEY_NOT_FOUND, API_KEY_REFUSED */
export async function revokeApiKey(ctx: AccountContext, { id }: ById): Promise<void> {
  refuseApiKey(ctx)
  const revoked = await ctx.db.writeAs(ctx.accountId, (_em, write) =>
    write(sql`
      update api_keys set revoked_at = now() where account_id = ${ctx.accountId} and id = ${id} and revoked_at is null
      returning id`),
  )
  if (revoked.length === 0) throw new AppError('API_KEY_NOT_FOUND')
}

/** Whose key this is, by Clerk user id, noting its use; undefined where it is unknown or revoked. */
export async function ownerOfApiKey(system: Pool, key: string): Promise<string | undefined> {
  const { rows } = await system.query<{ owner: string }>({
    name: 'owner_of_api_key',
    text: `update api_keys k set last_used_at = now() from accounts a
      where k.key_hash = $1 and k.revoked_at is null and a.id = k.account_id and a.deleting_at is null
      returning a.clerk_user_id as owner`,
    values: [hashOf(key)],
  })
  return rows[0]?.owner
}

interface StoredKey {
  id: number
  name: string
  createdAt: string
  lastUsedAt: string | null
}

// The key is 256 random bits, so a plain hash cannot be searched backwards.
function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
