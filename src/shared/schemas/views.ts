import * as z from 'zod/mini'
import { columnList } from './columns.ts'
import { Id, name, unknownNames } from './fields.ts'
import { ContractFilter, wholeNumber } from './filters.ts'

const LONGEST_NAME = 60
export const MOST_VIEWS = 50

/** Filters, order and columns of the contracts page under a name. */
const ViewFields = z.object({
  name: name(LONGEST_NAME, 'Enter a name'),
  search: z.strictObject({ ...ContractFilter.shape, columns: z.optional(columnList()) }, unknownNames),
  /** Its place among the views, from 1. */
  position: z.optional(wholeNumber(1, MOST_VIEWS)),
})

/** What an account's lists show unless chosen otherwise; null is the usual. */
export const ListSettings = z.object({ contractColumns: z.nullable(columnList()) })
export type ListSettings = z.output<typeof ListSettings>

/** Without a position it is the last one. */
export const SaveView = ViewFields
export type SaveView = z.output<typeof SaveView>

/** A field that is not sent stays as it is. */
export const ChangeView = z.object({ ...z.partial(ViewFields).shape, id: Id })
export type ChangeView = z.output<typeof ChangeView>
