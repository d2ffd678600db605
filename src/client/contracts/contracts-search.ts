import * as z from 'zod/mini'
import { ContractFilter } from '#shared/schemas/filters.ts'
import { ListPosition, Opened } from '#client/list/list-position.ts'

/** What the contracts page keeps in its address. */
export const ContractsSearch = z.object({ ...ContractFilter.shape, ...ListPosition.shape, open: z.optional(Opened) })
export type ContractsSearch = z.output<typeof ContractsSearch>
