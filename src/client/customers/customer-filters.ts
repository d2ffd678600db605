import type { CustomersSearch } from './customers-search.ts'

type Filter = Partial<Pick<CustomersSearch, 'search' | 'addedIn' | 'withContracts' | 'tag'>>

/** Clears what chips and cards set, and the tag. The search is kept. */
export const ALL: Filter = { addedIn: undefined, withContracts: undefined, tag: undefined }

/** An address without any filter. */
export const NO_FILTER: Filter = { search: undefined, ...ALL }

/** Whether the address leaves anyone out. */
export function hasFilter({ search, addedIn, withContracts, tag }: CustomersSearch): boolean {
  return Boolean(search ?? addedIn ?? tag) || withContracts === true
}
