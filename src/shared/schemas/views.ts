import * as z from 'zod/mini'
import { Id, name } from './fields.ts'
import { ContractFilter, text, wholeNumber } from './filters.ts'

/** What the contracts table can show, in the order in which the chooser has it. */
export const CONTRACT_COLUMNS = [
  'customer',
  'title',
  'reference',
  'amount',
  'startDate',
  'renewal',
  'renews',
  'noticeDate',
  'status',
  'tags',
  'pdf',
] as const
export type ContractColumn = (typeof CONTRACT_COLUMNS)[number]

/** Those that it shows unless chosen otherwise. */
export const DEFAULT_COLUMNS: readonly ContractColumn[] = [
  'customer',
  'amount',
  'startDate',
  'renewal',
  'status',
  'pdf',
]

/** Columns in their order, separated by commas. Names that there are not are left out. */
export function columnList() {
  return z.pipe(
    text(200),
    z.transform((written: string) => columnsIn(written).join(',') || undefined),
  )
}

/** The columns of such a text. */
export function columnsIn(written: string | undefined): readonly ContractColumn[] {
  if (written === undefined) return DEFAULT_COLUMNS
  const names = new Set(written.split(',').map((one) => one.trim()))
  return [...names].flatMap((one) => CONTRACT_COLUMNS.find((column) => column === one) ?? [])
}

const LONGEST_NAME = 60
export const MOST_VIEWS = 50

/** Filters, order and columns of the contracts page under a name. */
const ViewFields = z.object({
  name: name(LONGEST_NAME, 'Enter a name'),
  search: z.strictObject({ ...ContractFilter.shape, columns: z.optional(columnList()) }),
  /** Its place among the views, from 1. */
  position: z.optional(wholeNumber(1, MOST_VIEWS)),
})

/** Without a position it is the last one. */
export const SaveView = ViewFields
export type SaveView = z.output<typeof SaveView>

/** A field that is not sent stays as it is. */
export const ChangeView = z.object({ ...z.partial(ViewFields).shape, id: Id })
export type ChangeView = z.output<typeof ChangeView>
