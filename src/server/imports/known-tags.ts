import sql from 'sql-template-tag'
import { z } from 'zod'
import { tagKey } from '#shared/domain/tags.ts'
import type { ReaderContext } from '#server/context.ts'

const KnownTag = z.object({ name: z.string(), key: z.string() })

/** The tags of rows that the account has already, as it spells them: no rule is chosen for others. */
export async function knownTags(
  { read, accountId }: ReaderContext,
  tags: readonly (readonly string[])[],
): Promise<string[][]> {
  const keys = [...new Set(tags.flat().map(tagKey))]
  if (keys.length === 0) return tags.map(() => [])
  const statement = sql`select name, key from tags where account_id = ${accountId} and key = any(${keys}::text[])`
  const known = new Map((await read(statement, KnownTag)).map(({ key, name }) => [key, name]))
  return tags.map((list) => list.flatMap((tag) => known.get(tagKey(tag)) ?? []))
}
