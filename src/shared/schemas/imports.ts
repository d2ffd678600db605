import * as z from 'zod/mini'
import type { FieldChange } from '#shared/domain/activity.ts'
import { DECIMAL_MARKS } from '#shared/domain/amount-text.ts'
import { contactColumnOf, MOST_FURTHER_CONTACTS, type ContactField } from '#shared/domain/contact-columns.ts'
import type { Day } from '#shared/domain/day.ts'
import { MOST_TERMS, newTermStart } from '#shared/domain/renewal.ts'
import { REFUSALS } from '#shared/errors.ts'
import { ContractChanges, NewContractFields } from './contracts.ts'
import { NewContactFields } from './customer-contacts.ts'
import { NewCustomerFields } from './customers.ts'
import { day, Id, spacedOrNone } from './fields.ts'
import { flag, LARGEST_ID, oneOf, Page, Slice, text, wholeNumber } from './filters.ts'

export const IMPORT_KINDS = ['customers', 'contracts'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

export const DATE_ORDERS = ['mdy', 'dmy'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

export const LARGEST_IMPORT_BYTES = 50 * 1024 * 1024
export const MOST_IMPORT_ROWS = 200_000
/** The result lists at most this many errors; the error file has all of them. */
export const MOST_ERRORS_LISTED = 1000

/** What a column of a file can be. */
export type ImportField = Exclude<keyof ImportCustomer, 'contacts'> | keyof ImportContract | ContactField

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

const sourceId = z._default(z.nullable(Id), null)

export const ImportCustomer = z.object({
  ...NewCustomerFields.shape,
  sourceId,
  createdAt: z._default(z.nullable(z.iso.datetime()), null),
  /** The further contacts by their number in the file, which may leave some out. */
  contacts: z._default(
    z.pipe(
      z.array(z.nullable(NewContactFields)).check(z.maxLength(MOST_FURTHER_CONTACTS)),
      z.transform((contacts: (ImportContact | null)[]) => contacts.filter((contact) => contact !== null)),
    ),
    [],
  ),
})
export type ImportCustomer = z.output<typeof ImportCustomer>
export type ImportContact = z.output<typeof NewContactFields>

/** Why the customer of a contract cannot be found. */
export const CUSTOMER_REASONS = {
  unidentified: 'Must identify the customer by number, name, or ID',
  notAnId: 'A customer ID is a whole number. If this column has names, import it as Customer',
  unknown: 'No such customer',
  unnamed: 'No such customer, and it cannot be created without a name',
  ambiguous: 'More than one customer has this name. Use the customer number instead',
} as const

const TERM_NUMBER = `Term Number must be a whole number from 1 to ${MOST_TERMS}`
const TermNumber = z.int(TERM_NUMBER).check(z.minimum(1, TERM_NUMBER), z.maximum(MOST_TERMS, TERM_NUMBER))
const TERM_START = 'Term Start must be after the start date and before the renewal date'

export const ImportContract = z
  .object({
    ...NewContractFields.shape,
    customerId: sourceId,
    customerName: z._default(spacedOrNone(200), null),
    customerNumber: z._default(spacedOrNone(50), null),
    status: z._default(NewContractFields.shape.status, 'active'),
    termNumber: z._default(TermNumber, 1),
    /** The first term has none of its own. */
    termStart: z._default(z.nullable(day('Must be a date')), null),
  })
  .check(
    z.refine((contract) => contract.renewalDate >= contract.startDate, {
      path: ['renewalDate'],
      message: REFUSALS.RENEWAL_BEFORE_START.message,
    }),
    z.refine(isWithinContract, { path: ['termStart'], message: TERM_START }),
    z.refine((contract) => contract.customerId ?? contract.customerName ?? contract.customerNumber, {
      path: ['customerName'],
      message: CUSTOMER_REASONS.unidentified,
    }),
  )
export type ImportContract = z.output<typeof ImportContract>

/** What a row says about a contract that may exist. Blank cells say nothing. */
export const ImportChange = z
  .object({
    ...ContractChanges.shape,
    reference: z.string(),
    customerId: z.optional(Id),
    customerName: z.optional(spacedOrNone(200)),
    customerNumber: z.optional(spacedOrNone(50)),
    termNumber: z.optional(TermNumber),
  })
  .check(
    z.refine(({ startDate, renewalDate }) => !startDate || !renewalDate || renewalDate >= startDate, {
      path: ['renewalDate'],
      message: REFUSALS.RENEWAL_BEFORE_START.message,
    }),
  )
export type ImportChange = z.output<typeof ImportChange>

/** Why a row cannot change the contract with its reference. */
export const UPDATE_REASONS = {
  ambiguous: 'More than one contract has this reference',
  repeated: 'More than one row has this reference',
  otherCustomer: (name: string) => `The contract with this reference is for another customer, ${name}`,
  lacking: (columns: string) => `No contract has this reference, and a new one needs ${columns}`,
  other_term: (term: number) => `This contract is in term ${term} now. Check the dates and the amount`,
  decision: 'An import cannot end or reopen a contract. Do that on its page',
  start_of_renewed: 'This contract has been renewed. Change its start date on its page',
} as const

/** A contract in a later term has had an earlier one. */
function isWithinContract(contract: Parameters<typeof newTermStart>[0]): boolean {
  const termStart = newTermStart(contract)
  return termStart === null || (termStart > contract.startDate && termStart < contract.renewalDate)
}

function isImportField(kind: ImportKind, field: string): boolean {
  if (kind === 'contracts') return Object.hasOwn(ImportContract.shape, field)
  return contactColumnOf(field) !== undefined || (field !== 'contacts' && Object.hasOwn(ImportCustomer.shape, field))
}

/** Why a cell cannot be read, before any rule is checked. */
export const CELL_REASONS = {
  blank: 'Must not be blank',
  text: 'Must be text',
  day: 'Must be a date, such as 2026-01-31',
  amount: 'Must be an amount, such as 1234.50',
  flag: 'Must be yes or no',
  id: 'Must be a whole number',
  instant: 'Must be a date, such as 2026-01-31',
  tags: 'Must be tags, separated by semicolons',
  cycle: 'Cycle must be monthly, quarterly, or yearly',
  status: 'Status must be pending, active, expired, or cancelled',
  renews: 'Renews must be automatic, by_agreement, or never',
  damaged: 'Contains unreadable characters',
  error: 'The spreadsheet has an error in this cell',
  tooManyCells: 'The row has more values than there are column headings',
} as const
