import * as z from 'zod/mini'
import { text } from './filters.ts'

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
    z.transform((written: string) => columnsIn(written).join(',')),
  )
}

/** The columns of such a text; the usual ones if it names none. */
export function columnsIn(written: string | undefined): readonly ContractColumn[] {
  if (written === undefined) return DEFAULT_COLUMNS
  const names = new Set(written.split(',').map((one) => one.trim()))
  const known = [...names].flatMap((one) => CONTRACT_COLUMNS.find((column) => column === one) ?? [])
  return known.length > 0 ? known : DEFAULT_COLUMNS
}
