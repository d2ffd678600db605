import * as z from 'zod/mini'
import { columnList } from '#shared/schemas/columns.ts'
import { ContractFilter } from '#shared/schemas/filters.ts'
import { ListPosition, Opened, PageSize } from '#client/list/list-position.ts'

/** The address of the contracts page. By default open contracts come first, and of these what renews next. */
export const ContractsSearch = z.object({
  ...ContractFilter.shape,
  ...ListPosition.shape,
  sort: z._default(z.nonoptional(ContractFilter.shape.sort), 'openFirst'),
  size: PageSize,
  /** Which columns the table has, in their order. */
  columns: z.optional(columnList()),
  open: z.optional(Opened),
})
export type ContractsSearch = z.output<typeof ContractsSearch>
