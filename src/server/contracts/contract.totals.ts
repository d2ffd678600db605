import sql, { empty, type Sql } from 'sql-template-tag'
import type { Day, DaySpan } from '#shared/domain/day.ts'
import type { ContractFilter } from '#shared/schemas/filters.ts'
import { dueWindows } from './contract.rows.ts'

/** How many contracts match a filter, from the stored totals; undefined if they cannot tell and rows have to be counted. */
export function knownTotal(accountId: number, filter: ContractFilter, today: Day): Sql | undefined {
  const { search, customerId, status, cycle, noticeWithin, startedIn, noEmail, noPdf } = filter
  if (search || customerId !== undefined || noticeWithin !== undefined || startedIn || noEmail || noPdf)
    return undefined
  const [window, ...others] = dueWindows(filter, today)
  if (window) return status || cycle || others.length > 0 ? undefined : openContractsDue(accountId, window)
  return sql`
    select coalesce(sum(contracts), 0)::int from contract_totals where account_id = ${accountId}
      ${status ? sql`and status = ${status}` : empty} ${cycle ? sql`and renewal_cycle = ${cycle}` : empty}`
}

/** How many open contracts have their renewal date in the window. */
export function openContractsDue(accountId: number, { from, through }: DaySpan): Sql {
  return sql`
    select coalesce(sum(contracts), 0)::int from contract_due_days
    where account_id = ${accountId} and renewal_date between ${from} and ${through}`
}
