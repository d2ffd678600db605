import * as z from 'zod/mini'
import { CustomerFilter } from '#shared/schemas/filters.ts'
import { ListPosition } from '#client/list/list-position.ts'
import { Opened } from '#client/list/open-param.ts'

/** What the customers page keeps in its address. */
export const CustomersSearch = z.object({ ...CustomerFilter.shape, ...ListPosition.shape, open: z.optional(Opened) })
export type CustomersSearch = z.output<typeof CustomersSearch>
