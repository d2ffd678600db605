import sql, { join, type Sql } from 'sql-template-tag'
import type { ContractBatch } from './batches.ts'

/** How each row names its customer. */
export function named({ columns }: ContractBatch): Sql {
  return sql`named as (
    select * from unnest(${columns.customerId}::int[], ${columns.customerNumber}::text[],
      ${columns.customerName}::text[]) with ordinality as i(customer_id, customer_number, customer_name, place))`
}

export function terms({ columns }: ContractBatch): Sql {
  return sql`unnest(${columns.amount}::bigint[], ${columns.startDate}::date[], ${columns.renewalCycle}::text[],
    ${columns.renewalDate}::date[], ${columns.status}::text[])
    with ordinality as i(amount_cents, start_date, renewal_cycle, renewal_date, status, place)`
}

/**
 * The customer of each row. A customer number decides; else the ID, the account's own or the one that the customer was
 * imported with, where the name is the same; else the name, or a number that stands in the name's place.
 */
export function matched({ columns }: ContractBatch, accountId: number): Sql {
  const gives = (field: 'customerId' | 'customerNumber' | 'customerName') => /[^{},NUL]/.test(columns[field])
  const ways = [
    ...(gives('customerNumber') ? [BY_NUMBER] : []),
    ...(gives('customerId') ? [BY_OWN_ID, BY_SOURCE_ID] : []),
    ...(gives('customerName') ? [BY_NAME, BY_NUMBER_FOR_NAME] : []),
  ]
  return sql`own as not materialized (select * from customers where account_id = ${accountId}), matched as materialized (
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
