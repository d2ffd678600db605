import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { tagKey } from '#shared/domain/tags.ts'
import { AppError } from '#shared/errors.ts'
import type { AnnounceCustomerTags, AnnounceTag } from '#shared/schemas/reminders.ts'
import type { ReaderContext } from '#server/context.ts'
import { contractsOf } from '#server/contracts/contract.rows.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { customersOf } from '#server/customers/customer.rows.ts'
import { columnsOf } from '#server/db/columns.ts'
import { RuledTag, ruledTags } from '#server/notice-rules/ruled-tags.ts'
import { type AnnouncedNotices, countNoticesOfTags, NO_NOTICES } from './count-notices-of-tags.ts'

/**
 * The notices that a customer would get once it has these tags.
 * @throws CUSTOMER_NOT_FOUND, TOO_MANY_REQUESTS, TOO_MANY_AT_ONCE
 */
export async function announceCustomerTags(
  ctx: ReaderContext,
  { id, tags }: AnnounceCustomerTags,
): Promise<AnnouncedNotices> {
  return ctx.limits.during('previews', ctx.accountId, async () => {
    const planned = new Set(tags.map(tagKey))
    const { tags: saved, known } = await readCustomer(ctx, id, [...planned])
    const isChanged = ({ name, key }: RuledTag) => planned.has(key) !== saved.includes(name)
    if (!known.some((tag) => tag.hasRule && isChanged(tag))) return NO_NOTICES
    const customerTags = known.flatMap(({ name, key }) => (planned.has(key) ? [name] : []))
    return countNoticesOfTags(ctx, {
      contracts: sql`${contractsOf(ctx.accountId)} and k.customer_id = ${id}`,
      retag: (before) => ({ ...before, customerTags }),
    })
  })
}

const TAGS = columnsOf(CustomerEntity, 'c', ['tags'])
const TaggedCustomer = z.object({ ...TAGS.fields, known: z.array(RuledTag) })

/** The tags of a customer, and of those and the others what is known about each. */
async function readCustomer({ read, accountId }: ReaderContext, id: number, keys: readonly string[]) {
  const concerned = ruledTags(accountId, sql`t.key = any(${[...keys]}::text[]) or t.name = any(c.tags)`)
  const statement = sql`
    select ${TAGS}, (select coalesce(json_agg(row_to_json(n)), '[]') from (${concerned}) n) as known
    ${customersOf(accountId)} and c.id = ${id}`
  const [customer] = await read(statement, TaggedCustomer)
  if (!customer) throw new AppError('CUSTOMER_NOT_FOUND')
  return customer
}

/**
 * The notices that customers would get once a tag is removed, or has become another one of the account.
 * @throws TAG_NOT_FOUND, TOO_MANY_REQUESTS, TOO_MANY_AT_ONCE
 */
export async function announceTag(ctx: ReaderContext, { tag, name }: AnnounceTag): Promise<AnnouncedNotices> {
  return ctx.limits.during('previews', ctx.accountId, async () => {
    const change = await readChange(ctx, tag, name)
    if (!change) return NO_NOTICES
    const { from, to } = change
    const changed = (tags: readonly string[]) => tags.flatMap((one) => (one === from ? (to ?? []) : one))
    return countNoticesOfTags(ctx, {
      contracts: sql`${contractsOf(ctx.accountId)} and (${hasTag('k', from)} or exists (
        select from customers c where c.account_id = k.account_id and c.id = k.customer_id and ${hasTag('c', from)}))`,
      retag: ({ tags, customerTags }) => ({ tags: changed(tags), customerTags: changed(customerTags) }),
    })
  })
}

/** A condition on a customer `c` or a contract `k`. */
function hasTag(row: 'c' | 'k', name: string): Sql {
  return sql`${raw(row)}.tags <> '{}' and ${name} = any(${raw(row)}.tags)`
}

/** As which tag the rules will take another; undefined where they take none otherwise. */
async function readChange({ read, accountId }: ReaderContext, tag: string, name: string | undefined) {
  const keys = [tag, ...(name === undefined ? [] : [name])].map(tagKey)
  const found = await read(ruledTags(accountId, sql`t.key = any(${keys}::text[])`), RuledTag)
  const of = (key: string | undefined) => found.find((one) => one.key === key)
  const [old, other] = [of(keys[0]), of(keys[1])]
  if (!old) throw new AppError('TAG_NOT_FOUND')
  if (name === undefined) return old.hasRule ? { from: old.name, to: undefined } : undefined
  if (!other || other === old) return undefined
  if (other.hasRule) return { from: old.name, to: other.name }
  // The other one gets the rule of the one that becomes it.
  return old.hasRule ? { from: other.name, to: old.name } : undefined
}
