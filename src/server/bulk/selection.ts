import sql, { empty, type Sql } from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'
import type { Selection } from '#shared/schemas/bulk.ts'
import { contractConditions, contractsOf } from '#server/contracts/contract.rows.ts'
import { customerMatches } from '#server/customers/customer.search.ts'

/** The selected contracts of an account; conditions on `k` may follow. Other accounts' ids select nothing. */
export function selectedContracts(accountId: number, { ids, filter }: Selection, today: Day): Sql {
  if (!filter) return sql`${contractsOf(accountId)} and k.id = any(${ids ?? []}::int[])`
  return sql`${contractsOf(accountId)} ${contractConditions(accountId, filter, today)} ${filter.search ? matching(filter.search) : empty}`
}

function matching(text: string): Sql {
  return sql`and exists (select from customers c where c.account_id = k.account_id and c.id = k.customer_id
    and ${customerMatches(text, { nameAlone: true })})`
}
