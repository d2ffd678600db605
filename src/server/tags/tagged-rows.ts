import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { MOST_TAGS_OF_ACCOUNT, tagKey, uniqueTags } from '#shared/domain/tags.ts'
import { AppError } from '#shared/errors.ts'
import type { SubscriberContext } from '#server/context.ts'

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
export async function spelledTags(ctx: Writer, tags: readonly string[]): Promise<string[]> {
  const spelled = await addTags(ctx, tags)
  return tags.map((tag) => {
    const name = spelled.get(tagKey(tag))
    if (name === undefined) throw tagsFull()
    return name
  })
}

/** There is no room for another tag. */
export function tagsFull(): AppError {
  return new AppError('TAGS_FULL', { values: { count: String(MOST_TAGS_OF_ACCOUNT) } })
}

type Writer = Pick<SubscriberContext, 'accountId' | 'write'>

/**
 * Adds the tags that are new, and returns all by their keys, as the account spells them; without those for which it has no
 * room. Earlier ones come first. Concurrent transactions do not see each other's, so an account can end up with more tags
 * than its limit.
 */
export async function addTags({ accountId, write }: Writer, tags: readonly string[]): Promise<Map<string, string>> {
  if (tags.length === 0) return new Map()
  const written = new Map(uniqueTags(tags).map((tag) => [tagKey(tag), tag]))
  const read = () =>
    write(
      sql`select name, key from tags where account_id = ${accountId} and key = any(${[...written.keys()]}::text[])
        for key share`,
      Known,
    )
  const known = await read()
  for (const { key } of known) written.delete(key)
  if (written.size > 0) {
    await write(sql`
      insert into tags (account_id, name, key)
      select ${accountId}, name, key
      from unnest(${[...written.values()]}::text[], ${[...written.keys()]}::text[]) with ordinality as n(name, key, position)
      order by position
      limit greatest(0, ${MOST_TAGS_OF_ACCOUNT}::int - (select count(*) from tags where account_id = ${accountId}))
      on conflict (account_id, key) do nothing`)
    known.push(...(await read()))
  }
  return new Map(known.map(({ key, name }) => [key, name]))
}
