import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { tagKey, uniqueTags } from '#shared/domain/tags.ts'
import { AppError } from '#shared/errors.ts'
import type { RenameTag, TagByName } from '#shared/schemas/tags.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { seeingTrash } from '#server/db/trash.ts'
import { planNoticesSoon } from '#server/ledger/schedule.ts'

const TagView = z.object({
  name: z.string(),
  /** How many have it. */
  contracts: z.int(),
  customers: z.int(),
})
export type TagView = z.output<typeof TagView>

const TABLES = ['contracts', 'customers'] as const
type Tagged = (typeof TABLES)[number]

/** The account's tags by name, also those that nothing has any more. */
export async function listTags({ read, accountId }: ReaderContext): Promise<TagView[]> {
  const counted = (table: Tagged) => sql`
    select tag, count(*)::int as count from ${raw(table)}, unnest(tags) tag
    where account_id = ${accountId} and tags <> '{}' group by tag`
  const statement = sql`
    select t.name, coalesce(k.count, 0) as contracts, coalesce(c.count, 0) as customers from tags t
    left join (${counted('contracts')}) k on k.tag = t.name
    left join (${counted('customers')}) c on c.tag = t.name
    where t.account_id = ${accountId} order by t.key`
  return read(statement, TagView)
}

/**
 * Renames a tag wherever it is, also in the trash and in saved views. If the account has another tag of the new name, the two become that one.
 * @throws TAG_NOT_FOUND
 */
export async function renameTag(ctx: SubscriberContext, { tag, name }: RenameTag): Promise<TagView> {
  const { write, accountId } = ctx
  const old = await lockedTag(ctx, tag)
  const other = tagKey(name) === old.key ? undefined : await addedTag(ctx, name)
  const kept = other?.name ?? name
  if (kept !== old.name) {
    await inEachTable(ctx, (table) => replaced(table, accountId, { from: old.name, to: kept }))
    await renameInViews(ctx, { from: old.key, to: kept })
    if (other) {
      await mergeNoticeChoice(ctx, { from: old.key, to: other.key })
      await planNoticesSoon(ctx)
    }
    await write(
      other
        ? sql`delete from tags where account_id = ${accountId} and id = ${old.id}`
        : sql`update tags set name = ${name} where account_id = ${accountId} and id = ${old.id}`,
    )
  }
  const renamed = (await listTags(ctx)).find((one) => one.name === kept)
  if (!renamed) throw new AppError('TAG_NOT_FOUND')
  return renamed
}

/** Removes a tag from the account and from whatever has it, also in the trash. @throws TAG_NOT_FOUND */
export async function removeTag(ctx: SubscriberContext, { tag }: TagByName): Promise<void> {
  const { write, accountId } = ctx
  const { id, name } = await lockedTag(ctx, tag)
  const removed = (table: Tagged) =>
    sql`update ${raw(table)} set tags = array_remove(tags, ${name}) where ${tagged(accountId, name)}`
  await inEachTable(ctx, removed)
  await write(sql`delete from tags where account_id = ${accountId} and id = ${id}`)
  await planNoticesSoon(ctx)
}

/** Also in the trash, so that nothing is restored with a tag that is gone. */
function inEachTable({ write }: SubscriberContext, change: (table: Tagged) => Sql): Promise<void> {
  return seeingTrash(write, async () => {
    for (const table of TABLES) await write(change(table))
  })
}

function replaced(table: Tagged, accountId: number, { from, to }: { from: string; to: string }): Sql {
  return sql`
    update ${raw(table)} set tags = case when ${to} = any(tags) then array_remove(tags, ${from})
      else array_replace(tags, ${from}, ${to}) end
    where ${tagged(accountId, from)}`
}

const FilteringView = z.object({ id: z.int(), tag: z.string() })

/** Otherwise views that filter by the tag would find nothing any more. */
async function renameInViews({ write, accountId }: SubscriberContext, { from, to }: { from: string; to: string }) {
  const views = await write(
    sql`select id, search ->> 'tag' as tag from saved_views
      where account_id = ${accountId} and search ->> 'tag' is not null order by id for update`,
    FilteringView,
  )
  const renamed = views.map(({ id, tag }) => {
    const names = tag.split(',').map((name) => (tagKey(name) === from ? to : name))
    return { id, tag: uniqueTags(names).join(',') }
  })
  await write(sql`
    update saved_views v set search = jsonb_set(v.search, '{tag}', to_jsonb(n.tag))
    from json_to_recordset(${JSON.stringify(renamed)}::json) as n(id int, tag text)
    where v.account_id = ${accountId} and v.id = n.id and v.search ->> 'tag' <> n.tag`)
}

/** A tag that has no notice rule gets that of the tag that becomes it. */
async function mergeNoticeChoice({ write, accountId }: SubscriberContext, { from, to }: { from: string; to: string }) {
  await write(sql`
    update notice_choices set tag_key = ${to} where account_id = ${accountId} and tag_key = ${from} and not exists (
      select from notice_choices where account_id = ${accountId} and tag_key = ${to})`)
}

function tagged(accountId: number, name: string): Sql {
  return sql`account_id = ${accountId} and tags <> '{}' and ${name} = any(tags)`
}

const StoredTag = z.object({ id: z.int(), name: z.string(), key: z.string() })

async function findTag({ write, accountId }: SubscriberContext, tag: string) {
  const statement = sql`
    select id, name, key from tags where account_id = ${accountId} and key = ${tagKey(tag)} for update`
  const [found] = await write(statement, StoredTag)
  return found
}

/** The tag of this name, locked, and added if the account has none; waits for whoever is adding or removing it. */
async function addedTag({ write, accountId }: SubscriberContext, name: string) {
  const statement = sql`
    insert into tags (account_id, name, key) values (${accountId}, ${name}, ${tagKey(name)})
    on conflict (account_id, key) do update set key = excluded.key returning id, name, key`
  const [added] = await write(statement, StoredTag)
  if (!added) throw new Error('The tag was added or found')
  return added
}

async function lockedTag(ctx: SubscriberContext, tag: string) {
  const found = await findTag(ctx, tag)
  if (!found) throw new AppError('TAG_NOT_FOUND')
  return found
}
