import * as z from 'zod/mini'
import { ContractFilter } from '#shared/schemas/filters.ts'
import { ListPosition, Opened, PageSize } from '#client/list/list-position.ts'

/** What the contracts page keeps in its address: open contracts come first, those that renew next on top, unless it says otherwise. */
export const ContractsSearch = z.object({
  ...ContractFilter.shape,
  ...ListPosition.shape,
  sort: z._default(z.nonoptional(ContractFilter.shape.sort), 'openFirst'),
  size: PageSize,
  open: z.optional(Opened),
})
export type ContractsSearch = z.output<typeof ContractsSearch>
