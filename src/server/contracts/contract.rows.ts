import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { OPEN_STATUSES } from '#shared/domain/contract-status.ts'
import { monthEndWindow } from '#shared/domain/contract-term.ts'
import type { Day } from '#shared/domain/day.ts'
import type { ContractFilter } from '#shared/schemas/filters.ts'

/** An account's contracts; conditions on `k` may follow. */
export function contractsOf(accountId: number): Sql {
  return sql`from contracts k where k.account_id = ${accountId}`
}

/** Pending or active, as `isOpen` in the domain; spelled out, since only then the index of open contracts is used. */
export const IS_OPEN = raw(`k.status in (${OPEN_STATUSES.map((status) => `'${status}'`).join(', ')})`)

/** Conditions on `k`: all of the filter but the search. */
export function contractConditions(filter: ContractFilter, today: Day): Sql {
  const window = monthEndWindow(today)
  return sql`
    ${filter.status ? sql`and k.status = ${filter.status}` : empty}
    ${filter.cycle ? sql`and k.renewal_cycle = ${filter.cycle}` : empty}
    ${filter.expiring ? sql`and ${IS_OPEN} and k.renewal_date between ${window.from} and ${window.through}` : empty}`
}
