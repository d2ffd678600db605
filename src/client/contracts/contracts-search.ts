import * as z from 'zod/mini'
import { ContractFilter } from '#shared/schemas/filters.ts'
import { ListPosition } from '#client/list/list-position.ts'
import { Opened } from '#client/list/open-param.ts'

/** What the contracts page keeps in its address. */
export const ContractsSearch = z.object({ ...ContractFilter.shape, ...ListPosition.shape, open: z.optional(Opened) })
export type ContractsSearch = z.output<typeof ContractsSearch>
