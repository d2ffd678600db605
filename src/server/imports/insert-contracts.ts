import sql, { join, type Sql } from 'sql-template-tag'
import { CUSTOMER_REASONS } from '#shared/schemas/imports.ts'
import type { SubscriberContext } from '#server/context.ts'
import type { Batch } from './batches.ts'
import type { Inserted, InsertOptions, Refused } from './write-batch.ts'

/** Adds a batch in one statement that finds each row's customer, among those of the account alone. */
export async function insertContracts(
  ctx: SubscriberContext,
  batch: Batch,
  { importId, createCustomers, isMuted }: InsertOptions,
): Promise<Inserted> {
  const createdCustomers = createCustomers ? await createMissing(ctx, batch, importId) : 0
  const unmatched = await ctx.read<Unmatched>(sql`
    with ${named(batch)}, ${matched(batch, ctx.accountId)}, added as (
      insert into contracts
        (account_id, import_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status,
          muted_renewal_date)
      select ${ctx.accountId}, ${importId}, m.customer_id, i.amount_cents, i.start_date, i.renewal_cycle,
        i.renewal_date, i.status, case when ${isMuted}::boolean then i.renewal_date end
      from matched m join ${terms(batch)} using (place)
      where m.matches = 1
      order by place
    )
    select i.place::int, coalesce(m.matches, 0)::int as matches, customer_name is not null as "isNamed",
      case when customer_number is not null then 'customerNumber' when i.customer_id is not null then 'customerId'
        else 'customerName' end as field
    from named i left join matched m using (place) where m.matches is distinct from 1 order by i.place`)
  const refused = unmatched.map(({ place, field, ...why }) => ({
    place,
    field,
    reason: reasonOf(why, createCustomers),
  }))
  return { created: batch.count - refused.length, createdCustomers, refused }
}

interface Unmatched extends Omit<Refused, 'reason'> {
  matches: number
  isNamed: boolean
}

/** The customers that rows name and the account has not, once each, where there is a name to create them with. */
async function createMissing({ read, accountId }: SubscriberContext, batch: Batch, importId: number): Promise<number> {
  const [added] = await read<{ count: number }>(sql`
    with ${named(batch)}, ${matched(batch, accountId)}, added as (
      insert into customers (account_id, import_id, name, customer_number, source_id)
      select ${accountId}, ${importId}, name, customer_number, customer_id from (
        select distinct on (${IDENTITY}) place, customer_name as name, customer_number, customer_id
        from named i
        where customer_name is not null and not exists (select from matched m where m.place = i.place)
        order by ${IDENTITY}, place
      ) missing order by place
      on conflict (account_id, lower(customer_number)) do nothing
      returning 1
    )
    select count(*)::int as count from added`)
  return added?.count ?? 0
}

const IDENTITY = sql`coalesce('number ' || lower(customer_number), 'id ' || customer_id,
  'name ' || lower(customer_name collate "und-x-icu"))`

/** How each row names its customer. */
function named({ columns }: Batch): Sql {
  return sql`named as (
    select * from unnest(${columns['customerId']}::int[], ${columns['customerNumber']}::text[],
      ${columns['customerName']}::text[]) with ordinality as i(customer_id, customer_number, customer_name, place))`
}

function terms({ columns }: Batch): Sql {
  return sql`unnest(${columns['amount']}::bigint[], ${columns['startDate']}::date[], ${columns['renewalCycle']}::text[],
    ${columns['renewalDate']}::date[], ${columns['status']}::text[])
    with ordinality as i(amount_cents, start_date, renewal_cycle, renewal_date, status, place)`
}

/**
 * The customer of each row. A customer number decides; else the ID, the account's own or the one that the customer was
 * imported with, where the name is the same; else the name, or a number that stands in the name's place.
 */
function matched({ columns }: Batch, accountId: number): Sql {
  const gives = (field: string) => /[^{},NUL]/.test(columns[field] ?? '')
  const ways = [
    ...(gives('customerNumber') ? [BY_NUMBER] : []),
    ...(gives('customerId') ? [BY_OWN_ID, BY_SOURCE_ID] : []),
    ...(gives('customerName') ? [BY_NAME, BY_NUMBER_FOR_NAME] : []),
  ]
  return sql`own as not materialized (select * from customers where account_id = ${accountId}), matched as (
    select distinct on (place) place, min(id) as customer_id, count(*) as matches
    from (${join(ways, ' union all ')}) candidates(place, rank, id) group by place, rank order by place, rank)`
}

const SAME_NAME = sql`lower(c.name) = lower(i.customer_name collate "und-x-icu")`
const BY_NUMBER = sql`select i.place, 1, c.id from named i join own c
  on lower(c.customer_number) = lower(i.customer_number)`
const BY_OWN_ID = sql`select i.place, 2, c.id from named i join own c on c.id = i.customer_id
  where i.customer_number is null and (i.customer_name is null or ${SAME_NAME})`
const BY_SOURCE_ID = sql`select i.place, 3, c.id from named i join own c on c.source_id = i.customer_id
  where i.customer_number is null and (i.customer_name is null or ${SAME_NAME})`
const BY_NAME = sql`select i.place, 4, c.id from named i join own c on ${SAME_NAME}
  where i.customer_number is null and (i.customer_id is null or c.source_id is null or c.source_id = i.customer_id)`
const BY_NUMBER_FOR_NAME = sql`select i.place, 5, c.id from named i join own c
  on lower(c.customer_number) = lower(i.customer_name) where i.customer_number is null and i.customer_id is null`

function reasonOf({ matches, isNamed }: Pick<Unmatched, 'matches' | 'isNamed'>, createCustomers: boolean): string {
  if (matches > 1) return CUSTOMER_REASONS.ambiguous
  return createCustomers && !isNamed ? CUSTOMER_REASONS.unnamed : CUSTOMER_REASONS.unknown
}
