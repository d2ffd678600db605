import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { tagKey } from '#shared/domain/tags.ts'
import { AppError } from '#shared/errors.ts'
import type { SubscriberContext } from '#server/context.ts'

/** How many different tags an account can have. */
const MOST_DIFFERENT = 500

/**
 * Condition on a customer `c` or a contract `k`: it has all of these tags, separated by commas. A tag that the account does
 * not have matches nothing.
 */
export function hasTags(row: 'c' | 'k', accountId: number, tags: string): Sql {
  const keys = [...new Set(tags.split(',').map(tagKey))]
  // Tags that are there at all, so that the index of tagged rows is used.
  return sql`${raw(row)}.tags <> '{}' and ${raw(row)}.tags @> (
    select array_agg(name) from tags where account_id = ${accountId} and key = any(${keys}::text[])
    having count(*) = ${keys.length})`
}

const Known = z.object({ name: z.string(), key: z.string() })

/**
 * The tags as the account first spelled them. New ones are added, and none can be renamed or removed meanwhile.
 * @throws TAGS_FULL
 */
export async function spelledTags(
  { accountId, write }: Pick<SubscriberContext, 'accountId' | 'write'>,
  tags: readonly string[],
): Promise<string[]> {
  if (tags.length === 0) return []
  const keys = tags.map(tagKey)
  const read = () =>
    write(
      sql`select name, key from tags where account_id = ${accountId} and key = any(${keys}::text[]) for key share`,
      Known,
    )
  const known = await read()
  if (known.length < keys.length) {
    await addTags(accountId, { write, tags, keys })
    known.push(...(await read()))
  }
  const names = new Map(known.map(({ key, name }) => [key, name]))
  return tags.map((tag) => names.get(tagKey(tag)) ?? tag)
}

interface Adding extends Pick<SubscriberContext, 'write'> {
  tags: readonly string[]
  keys: readonly string[]
}

async function addTags(accountId: number, { write, tags, keys }: Adding): Promise<void> {
  const statement = sql`
    with added as (
      insert into tags (account_id, name, key)
      select ${accountId}, name, key from unnest(${tags}::text[], ${keys}::text[]) as n(name, key)
      on conflict (account_id, key) do nothing returning id)
    select (select count(*) from tags where account_id = ${accountId})::int + (select count(*) from added)::int as count`
  const [counted] = await write(statement, z.object({ count: z.int() }))
  if (counted && counted.count > MOST_DIFFERENT)
    throw new AppError('TAGS_FULL', { values: { count: String(MOST_DIFFERENT) } })
}
