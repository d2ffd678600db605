import sql, { empty, type Sql } from 'sql-template-tag'
import { OPEN_STATUSES } from '#shared/domain/contract-status.ts'
import { monthEndWindow } from '#shared/domain/contract-term.ts'
import type { Day } from '#shared/domain/day.ts'
import type { ContractFilter } from '#shared/schemas/contracts.ts'
import { likePattern } from '#server/db/search.ts'

/** The columns of a ContractRow, from `contracts k join customers c`. */
export const CONTRACT_COLUMNS = sql`
  k.id, k.customer_id as "customerId", c.name as "customerName", k.amount_cents::float8 as "amountCents",
  k.start_date as "startDate", k.renewal_cycle as "renewalCycle", k.renewal_date as "renewalDate", k.status,
  k.pdf_path is not null as "hasPdf"`

/** An account's contracts with their customers; conditions on `k` and `c` may follow. */
export function contractsOf(accountId: number): Sql {
  return sql`from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
    where k.account_id = ${accountId}`
}

/** Pending or active, as `isOpen` in the domain. */
export const IS_OPEN = sql`k.status = any(${[...OPEN_STATUSES]})`

export function contractConditions(filter: ContractFilter, today: Day): Sql {
  const window = monthEndWindow(today)
  return sql`
    ${filter.search ? sql`and c.name ilike ${likePattern(filter.search)}` : empty}
    ${filter.status ? sql`and k.status = ${filter.status}` : empty}
    ${filter.cycle ? sql`and k.renewal_cycle = ${filter.cycle}` : empty}
    ${filter.expiring ? sql`and ${IS_OPEN} and k.renewal_date between ${window.from} and ${window.to}` : empty}`
}
