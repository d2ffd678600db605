import { ContractFilter } from '#shared/schemas/filters.ts'
import type { ContractsSearch } from './contracts-search.ts'

type Filter = Partial<Omit<ContractFilter, 'sort' | 'direction'>>

const { sort: _sort, direction: _direction, ...FILTERS } = ContractFilter.shape

/** An address without any filter. */
export const NO_FILTER: Filter = Object.fromEntries(Object.keys(FILTERS).map((name) => [name, undefined]))

/** Without what a quick filter sets: what is searched for, and the cycle, hold besides. */
export const ALL: Filter = {
  status: undefined,
  overdue: undefined,
  expiring: undefined,
  renewsWithin: undefined,
  startedIn: undefined,
  noEmail: undefined,
  noPdf: undefined,
}

/** What excludes each other: a status, and the windows of open contracts. */
export const ANY_TERM: Filter = { status: undefined, overdue: undefined, expiring: undefined, renewsWithin: undefined }

/** Whether the address sets one of the filters. */
export function hasAny(search: ContractsSearch, filters: Filter): boolean {
  return Object.entries(search).some(([name, value]) => name in filters && value !== undefined && value !== false)
}
