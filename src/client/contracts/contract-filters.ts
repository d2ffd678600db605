import { ContractFilter } from '#shared/schemas/filters.ts'
import type { ContractsSearch } from './contracts-search.ts'

type Filter = Partial<Omit<ContractFilter, 'sort' | 'direction'>>

const { sort: _sort, direction: _direction, ...FILTERS } = ContractFilter.shape

/** An address without any filter. */
export const NO_FILTER: Filter = Object.fromEntries(Object.keys(FILTERS).map((name) => [name, undefined]))

const { search: _search, cycle: _cycle, ...QUICK } = NO_FILTER

/** Clears what quick filters set. The search and the cycle are kept. */
export const ALL: Filter = QUICK

/** Clears the filters of which only one can be set: a status, or a window of open contracts. */
export const ANY_TERM: Filter = { status: undefined, overdue: undefined, expiring: undefined, renewsWithin: undefined }

/** Whether the address sets one of the filters. */
export function hasAny(search: ContractsSearch, filters: Filter): boolean {
  return Object.entries(search).some(([name, value]) => name in filters && value !== undefined && value !== false)
}
