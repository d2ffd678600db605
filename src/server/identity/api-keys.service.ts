import { createHash, randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import type { SubscriberContext } from '#server/context.ts'
import { ApiKeyEntity } from './api-key.entity.ts'

const PREFIX = 'traxx_'

export function isApiKey(token: string): boolean {
  return token.startsWith(PREFIX)
}

/** A new key for the account. Only its hash is stored, so this is the one time that it can be shown. */
export async function createApiKey(
  { em, accountId }: Pick<SubscriberContext, 'em' | 'accountId'>,
  { name }: { name: string },
): Promise<string> {
  const key = PREFIX + randomBytes(32).toString('base64url')
  em.create(ApiKeyEntity, { accountId, name, keyHash: hashOf(key) })
  await em.flush()
  return key
}

/** Whose key this is, by Clerk user id, noting its use; undefined where it is unknown or revoked. */
export async function ownerOfApiKey(system: Pool, key: string): Promise<string | undefined> {
  const { rows } = await system.query<{ owner: string }>({
    name: 'owner_of_api_key',
    text: `update api_keys k set last_used_at = now() from accounts a
      where k.key_hash = $1 and k.revoked_at is null and a.id = k.account_id returning a.clerk_user_id as owner`,
    values: [hashOf(key)],
  })
  return rows[0]?.owner
}

// The key is 256 random bits, so a plain hash cannot be searched backwards.
function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
