import sql from 'sql-template-tag'
import { CUSTOMER_REASONS } from '#shared/schemas/imports.ts'
import type { SubscriberContext } from '#server/context.ts'
import type { ContractBatch } from './batches.ts'
import type { Inserted, InsertOptions } from './insert-customers.ts'
import { matched, named, terms } from './match-customers.ts'
import type { Refused } from './parse-row.ts'

/** Adds a batch in one statement that finds each row's customer, among those of the account alone. */
export async function insertContracts(
  ctx: SubscriberContext,
  batch: ContractBatch,
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
async function createMissing(
  { read, accountId }: SubscriberContext,
  batch: ContractBatch,
  importId: number,
): Promise<number> {
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

function reasonOf({ matches, isNamed }: Pick<Unmatched, 'matches' | 'isNamed'>, createCustomers: boolean): string {
  if (matches > 1) return CUSTOMER_REASONS.ambiguous
  return createCustomers && !isNamed ? CUSTOMER_REASONS.unnamed : CUSTOMER_REASONS.unknown
}
