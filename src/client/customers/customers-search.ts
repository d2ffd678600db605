import { CUSTOMER_SORTS, SORT_DIRECTIONS } from '#shared/domain/lists.ts'
import type { CustomerFilter } from '#shared/schemas/customers.ts'
import { POSITION_DEFAULTS, POSITION_READERS, type ListPosition } from '#client/list/list-position.ts'
import { readOpened, type Opened } from '#client/list/open-param.ts'
import { oneOf, searchReader, text } from '#client/list/search-params.ts'

/** What the customers page keeps in its address. */
export type CustomersSearch = CustomerFilter & ListPosition & { open?: Opened | undefined }

/** What does not need to stand in the address. */
export const CUSTOMERS_DEFAULTS = { sort: 'name', direction: 'asc', ...POSITION_DEFAULTS } as const

export const customersSearch = searchReader<CustomersSearch>(
  {
    search: text(200),
    sort: oneOf(CUSTOMER_SORTS),
    direction: oneOf(SORT_DIRECTIONS),
    ...POSITION_READERS,
    open: readOpened,
  },
  CUSTOMERS_DEFAULTS,
)
