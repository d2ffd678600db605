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

/** The tags as the account first spelled them, as `spellings` finds them. @throws TAGS_FULL */
export async function spelledTags(account: Account, tags: readonly string[]): Promise<string[]> {
  const spelled = await spellings(account, tags)
  return tags.map((tag) => {
    const name = spelled.get(tag)
    if (name === undefined) throw new AppError('TAGS_FULL', { values: { count: String(MOST_DIFFERENT) } })
    return name
  })
}

type Account = Pick<SubscriberContext, 'accountId' | 'write'>

/**
 * How the account first spelled each of these tags. New ones are added if there is room for all of them, and otherwise left
 * out. None can be renamed or removed meanwhile.
 */
export async function spellings({ accountId, write }: Account, tags: readonly string[]): Promise<Map<string, string>> {
  if (tags.length === 0) return new Map()
  const keys = tags.map(tagKey)
  const read = () =>
    write(
      sql`select name, key from tags where account_id = ${accountId} and key = any(${keys}::text[]) for key share`,
      Known,
    )
  const known = await read()
  if (known.length < keys.length) {
    await write(tagsAdded(accountId, { tags, keys }))
    known.push(...(await read()))
  }
  const names = new Map(known.map(({ key, name }) => [key, name]))
  return new Map(
    tags.flatMap((tag) => {
      const name = names.get(tagKey(tag))
      return name === undefined ? [] : [[tag, name]]
    }),
  )
}

/** Adds those of the tags that the account does not have, if it may have so many, as a statement. */
function tagsAdded(accountId: number, { tags, keys }: { tags: readonly string[]; keys: readonly string[] }): Sql {
  return sql`
    with missing as (
      select name, key from unnest(${tags}::text[], ${keys}::text[]) as n(name, key)
      where not exists (select from tags t where t.account_id = ${accountId} and t.key = n.key))
    insert into tags (account_id, name, key)
    select ${accountId}, name, key from missing
    where (select count(*) from tags where account_id = ${accountId}) + (select count(*) from missing) <= ${MOST_DIFFERENT}
    on conflict (account_id, key) do nothing`
}
