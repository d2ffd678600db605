import { CustomerFilter } from '#shared/schemas/customers.ts'
import { ListPlace } from '#client/list-place.ts'

/** What the customers page keeps in its address. */
export const CustomersSearch = CustomerFilter.extend(ListPlace.shape)
export type CustomersSearch = CustomerFilter & ListPlace

/** What does not need to stand in the address. */
export const CUSTOMERS_DEFAULTS = { sort: 'name', direction: 'asc', page: 1, skip: 0 } as const
