import * as z from 'zod/mini'
import { CustomerFilter } from '#shared/schemas/filters.ts'
import { ListPosition, Opened, PageSize } from '#client/list/list-position.ts'

/** The address of the customers page. */
export const CustomersSearch = z.object({
  ...CustomerFilter.shape,
  ...ListPosition.shape,
  size: PageSize,
  open: z.optional(Opened),
})
export type CustomersSearch = z.output<typeof CustomersSearch>
