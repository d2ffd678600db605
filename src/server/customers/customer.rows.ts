import sql, { empty, join, type Sql } from 'sql-template-tag'
import { toDay } from '#shared/domain/day.ts'
import type { CustomerFilter } from '#shared/schemas/filters.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import { hasTags } from '#server/tags/tagged-rows.ts'

/** An account's customers; conditions on `c` may follow. */
export function customersOf(accountId: number): Sql {
  return sql`from customers c where c.account_id = ${accountId} and c.${NOT_DELETED}`
}

/** Conditions on `c`: the whole filter except the search; `empty` if it lets everyone through. */
export function customerConditions(
  accountId: number,
  { addedIn, withContracts, tag }: Pick<CustomerFilter, 'addedIn' | 'withContracts' | 'tag'>,
  timeZone: string,
): Sql {
  const conditions = [
    ...(addedIn ? [wasAddedIn(addedIn, timeZone)] : []),
    ...(withContracts ? [HAS_CONTRACTS] : []),
    ...(tag ? [hasTags('c', accountId, tag)] : []),
  ]
  return conditions.length > 0 ? sql`and ${join(conditions, ' and ')}` : empty
}

/** Condition on `c`: added in a month, 'YYYY-MM', as the time zone has it. */
function wasAddedIn(month: string, timeZone: string): Sql {
  const start = sql`${toDay(`${month}-01`)}::date::timestamp`
  return sql`c.created_at >= ${start} at time zone ${timeZone}
    and c.created_at < (${start} + interval '1 month') at time zone ${timeZone}`
}

const HAS_CONTRACTS = sql`
  exists (select from contracts k where k.account_id = c.account_id and k.customer_id = c.id and k.${NOT_DELETED})`
