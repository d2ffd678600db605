import sql, { empty, type Sql } from 'sql-template-tag'
import type { Day, DaySpan } from '#shared/domain/day.ts'
import { Page, type ContractFilter } from '#shared/schemas/filters.ts'
import { dueWindows } from './contract.rows.ts'

/** What the stored totals are by, and what changes no total. With any other filter, rows have to be counted. */
const STORED = new Set(['status', 'cycle', 'overdue', 'expiring', 'renewsWithin'])
const ORDER = new Set(['sort', 'direction', ...Object.keys(Page.shape)])

/** How many contracts match a filter, from the stored totals; undefined if they cannot tell and rows have to be counted. */
export function knownTotal(accountId: number, filter: ContractFilter, today: Day): Sql | undefined {
  const isCounted = ([name, value]: [string, unknown]) => !STORED.has(name) && !ORDER.has(name) && isSet(value)
  if (Object.entries(filter).some(isCounted)) return undefined
  const { status, cycle } = filter
  const [window, ...others] = dueWindows(filter, today)
  if (window) return status || cycle || others.length > 0 ? undefined : openContractsDue(accountId, window)
  return sql`
    select coalesce(sum(contracts), 0)::int from contract_totals where account_id = ${accountId}
      ${status ? sql`and status = ${status}` : empty} ${cycle ? sql`and renewal_cycle = ${cycle}` : empty}`
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== false && value !== ''
}

/** How many open contracts have their renewal date in the window. */
export function openContractsDue(accountId: number, { from, through }: DaySpan): Sql {
  return sql`
    select coalesce(sum(contracts), 0)::int from contract_due_days
    where account_id = ${accountId} and renewal_date between ${from} and ${through}`
}
