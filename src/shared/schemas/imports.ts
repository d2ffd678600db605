import * as z from 'zod/mini'
import type { FieldChange } from '#shared/domain/activity.ts'
import { DECIMAL_MARKS } from '#shared/domain/amount-text.ts'
import type { Day } from '#shared/domain/day.ts'
import { isImportField, type ImportField } from './import-rows.ts'
import { flag, LARGEST_ID, oneOf, Page, Slice, text, wholeNumber } from './filters.ts'

export const IMPORT_KINDS = ['customers', 'contracts'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

export const DATE_ORDERS = ['mdy', 'dmy'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

export const LARGEST_IMPORT_BYTES = 50 * 1024 * 1024
export const MOST_IMPORT_ROWS = 200_000
/** The result lists at most this many errors; the error file has all of them. */
export const MOST_ERRORS_LISTED = 1000

const MOST_COLUMNS = 1000
const LONGEST_HEADING = 200
const LONGEST_MAPPING = 10_000
const MAPPING = 'Must be ask, or JSON of fields with their column headings or numbers, such as {"name":"Company"}'

/** The column of each field: its heading, its number from 1, or null for none. Fields that are left out go by heading. */
export type ColumnMapping = Partial<Record<ImportField, string | number | null>>

function mappingOf(...kinds: ImportKind[]) {
  const isMapping = (value: unknown) => value === 'ask' || isColumnMapping(value, kinds)
  return z.optional(z.pipe(z.transform(parsedJson), z.custom<'ask' | ColumnMapping>(isMapping, MAPPING)))
}

// Written by hand, because zod's `record` would be loaded with every page.
function isColumnMapping(value: unknown, kinds: readonly ImportKind[]): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(
    ([field, column]) => kinds.some((kind) => isImportField(kind, field)) && isColumn(column),
  )
}

function isColumn(column: unknown): boolean {
  if (typeof column === 'string') return column.trim() !== '' && column.length <= LONGEST_HEADING
  return column === null || (Number.isInteger(column) && Number(column) >= 1 && Number(column) <= MOST_COLUMNS)
}

function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{') || value.length > LONGEST_MAPPING) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** The answers to an import's questions, sent with the first try or after it asks. */
export const BulkUpload = z.object({
  again: z._default(flag(), false),
  createCustomers: z._default(flag(), false),
  dateOrder: z.optional(z.enum(DATE_ORDERS, 'Must be mdy or dmy')),
  decimalMark: z.optional(z.enum(DECIMAL_MARKS, 'Must be dot or comma')),
  /**
   * 'once': rows that repeat an earlier row of the file are left out. 'ask': the import asks if there are any. By default
   * they are all imported.
   */
  duplicates: z.optional(z.enum(['once', 'all', 'ask'], 'Must be once, all, or ask')),
  /**
   * What becomes of rows with the reference of a contract that the account has. 'update': they change it. 'skip': they are
   * left out. 'ask': the import asks if there are any. By default they are added like the others.
   */
  existing: z.optional(z.enum(['add', 'update', 'skip', 'ask'], 'Must be add, update, skip, or ask')),
  /** The line of the headings. Together with `mapping=ask`, the import always asks about the columns. */
  headingLine: z.optional(wholeNumber(1, LARGEST_ID)),
  /** 'ask': the import asks about columns whose headings it does not know. */
  mapping: mappingOf(...IMPORT_KINDS),
  /** An earlier import of the same file: only the rows that failed then are imported. */
  retryOf: z.optional(wholeNumber(1, LARGEST_ID)),
  /**
   * 'off': customers get no emails about the renewal dates in the file. 'ask': the import asks if they would get any in
   * the next 90 days.
   */
  reminders: z.optional(z.enum(['on', 'off', 'ask'], 'Must be on, off, or ask')),
})
export type BulkUpload = z.output<typeof BulkUpload>

/** The answers for each kind of file. Customers have no renewal dates. */
export const BULK_UPLOADS = {
  customers: z.object({
    ...BulkUpload.shape,
    mapping: mappingOf('customers'),
    existing: z.optional(z.undefined('Only for imports of contracts')),
    reminders: z.optional(z.undefined('Only for imports of contracts')),
  }),
  contracts: z.object({ ...BulkUpload.shape, mapping: mappingOf('contracts') }),
}

export const ListImports = Page
export type ListImports = z.output<typeof ListImports>

export const SliceImports = Slice

/** What was chosen for the columns of files with the same headings. */
export const MappingKey = z.object({ kind: oneOf(IMPORT_KINDS), key: text(100) })
export type MappingKey = z.output<typeof MappingKey>

export const IMPORT_STATUSES = ['running', 'finished', 'interrupted'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

/** The question in a 409: to continue, make the same call with `parameter` set to one of the choices. */
export interface ImportQuestion {
  parameter: 'again' | 'dateOrder' | 'decimalMark' | 'duplicates' | 'existing' | 'mapping' | 'reminders'
  /** Empty if the answer is a mapping. */
  choices: { value: string; label: string }[]
  /** The first cell that can be read in two ways. */
  example?: { line: number; column: string; value: string }
  /** The earlier import of the same file. */
  earlier?: {
    id: number
    createdAt: Date
    created: number
    updated: number
    failed: number
    status: ImportStatus
    throughLine: number
  }
  /** The emails that customers would get. */
  mail?: ImportMail
  repeated?: RepeatedRows
  existing?: ExistingRows
  columns?: ColumnsQuestion
}

/** The rows of a file with the reference of a contract that the account has, and what they would change. */
export interface ExistingRows {
  rows: number
  /** How many contracts would change, and their amounts in US dollars before and after. */
  changed: number
  amountBefore: number
  amount: number
  /** How many of the rows cannot change a contract, and would fail. */
  failing: number
  fields: { field: string; contracts: number }[]
  /** The first few contracts that would change. */
  first: { line: number; reference: string; customerName: string; changes: FieldChange[] }[]
}

/** The rows of a file that equal an earlier row in every imported column. */
export interface RepeatedRows {
  rows: number
  /** The first few, with the line that each repeats. */
  first: { line: number; earlierLine: number; text: string }[]
}

/** A question about the columns of a file. */
export interface ColumnsQuestion {
  /** The line of the headings. */
  line: number
  /** Lines that could be the headings, with their first values; `headingLine` selects one. */
  lines: { line: number; text: string }[]
  /** The columns with their first values and the field that each seems to be. */
  found: { number: number; heading: string; samples: string[]; field: ImportField | null }[]
  fields: { field: ImportField; label: string }[]
  /** Of each group, at least one field needs a column. */
  needed: { label: string; fields: ImportField[] }[]
  /** A field that is enough where rows only change contracts that exist; null where they do not. */
  enough: ImportField | null
}

/** The emails that customers would get about a file's contracts in the next 90 days. */
export interface ImportMail {
  emails: number
  /** How many customers would get them. */
  customers: number
  /** False if the file has more contracts than are counted; there may then be more emails and customers. */
  isAll: boolean
  /** The first few. */
  first: { customerName: string; day: Day }[]
}
