import type { ContactColumn } from '#shared/domain/contact-columns.ts'
import { foldText } from '#shared/domain/fold-text.ts'
import { AppError } from '#shared/errors.ts'
import type { ImportContract, ImportCustomer, ImportField } from '#shared/schemas/import-rows.ts'
import type { ColumnMapping, ImportKind } from '#shared/schemas/imports.ts'
import type { CellKind } from './cells.ts'
import { CONTACT_FIELDS } from './contact-headings.ts'
import { FIELDS, type Field } from './known-headings.ts'

export interface Column {
  field: ImportField
  /** Where it belongs to a contact besides the first. */
  contact?: ContactColumn | undefined
  kind: CellKind
  isRequired: boolean
  /** The heading in the file. */
  heading: string
  index: number
}

export interface Columns {
  found: Column[]
  /** Required fields that have no column, by their headings in templates. */
  missing: string[]
  /** Headings that are no field. */
  ignored: string[]
}

/** Fields of which one at least has to have a column. */
export interface NeededFields {
  label: string
  fields: ImportField[]
}

/** Headings that are clear and belong to no field, so that there is nothing to ask about them. */
const OTHER_HEADINGS: Record<ImportKind, string> = {
  customers: 'line reason',
  contracts: `
    line reason id pdf mutedrenewaldate
    contract contractid vertrag vertragsid contrat idcontrat contrato idcontrato`,
}

/** A contract names its customer by one of these at least. */
const CUSTOMER_FIELDS = ['customerName', 'customerNumber', 'customerId'] as const satisfies ImportField[]

export function isCustomerField(field: ImportField): boolean {
  return CUSTOMER_FIELDS.some((one) => one === field)
}

/** Anything longer is not a heading, and too expensive to compare. */
const LONGEST_HEADING = 100

/**
 * Finds the column of each field: the one that the mapping names, otherwise by its heading.
 * @throws IMPORT_COLUMN_UNKNOWN, IMPORT_COLUMN_TWICE if the mapping does not fit the file
 */
export function findColumns(kind: ImportKind, headings: string[], mapping: ColumnMapping = {}): Columns {
  const mapped = mappedColumns(headings, mapping)
  const taken = new Set(mapped.values())
  const indexes = indexesOf(headings)
  const found = ALL_FIELDS[kind].flatMap(({ field, contact, kind: cells, isRequired = false, names }): Column[] => {
    const free = () => names.flatMap((name) => indexes.get(name) ?? []).find((index) => !taken.has(index))
    const index = field in mapping ? mapped.get(field) : free()
    if (index === undefined) return []
    return [{ field, contact, kind: cells, isRequired, heading: headings[index] ?? '', index }]
  })
  const used = new Set(found.map((column) => column.index))
  return {
    found,
    missing: missingOf(kind, new Set(found.map((column) => column.field))),
    ignored: headings.filter((heading, index) => heading !== '' && !used.has(index)),
  }
}

/** Whether the heading belongs to a field. */
export function isKnownHeading(kind: ImportKind, heading: string): boolean {
  return KNOWN[kind].has(plainHeading(heading))
}

/** Whether the heading belongs to a field, or to something that is not imported. */
export function isClearHeading(kind: ImportKind, heading: string): boolean {
  return heading === '' || isKnownHeading(kind, heading) || OTHER[kind].has(plainHeading(heading))
}

interface RowOf {
  customers: Omit<ImportCustomer, 'contacts'>
  contracts: ImportContract
}
export type FieldOf<Kind extends ImportKind> = keyof RowOf[Kind]

/**
 * The fields of a row, in the order that their columns have in templates and exports. The columns of contacts follow them:
 * there are as many as a file needs.
 */
export function fieldsOf<Kind extends ImportKind>(kind: Kind): FieldOf<Kind>[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the table has these keys and no others
  return Object.keys(FIELDS[kind]) as FieldOf<Kind>[]
}

const FEWEST_CONTACTS_OFFERED = 3

/** The fields that a person can choose from for the columns of a file: those of a few contacts, or of as many as it names. */
export function fieldsOffered(kind: ImportKind, headings: string[]): ImportField[] {
  const named = new Set(headings.map(plainHeading))
  const contacts = ALL_FIELDS[kind].filter(({ contact }) => contact)
  const last = contacts.findLast(({ names }) => names.some((name) => named.has(name)))?.contact?.number ?? 0
  const most = Math.max(last, FEWEST_CONTACTS_OFFERED)
  const offered = contacts.filter(({ contact }) => contact && contact.number <= most)
  return [...fieldsOf(kind), ...offered.map(({ field }) => field)]
}

interface KnownField extends Omit<Field, 'names'> {
  field: ImportField
  contact?: ContactColumn
  names: string[]
}

/** The headings of a template, and one row as an example. */
export function templateRows(kind: ImportKind): string[][] {
  const fields = ALL_FIELDS[kind].filter(({ example }) => example !== undefined)
  return [fields.map(({ heading }) => heading), fields.map(({ example = '' }) => example)]
}

/** The heading of a field in templates and exports. */
export function headingOf(kind: ImportKind, field: string): string {
  return ALL_FIELDS[kind].find((one) => one.field === field)?.heading ?? field
}

/** What a file has to have a column for. */
export function neededFields(kind: ImportKind): NeededFields[] {
  const customer = { label: 'Customer (or Customer Number)', fields: [...CUSTOMER_FIELDS] }
  const required = fieldsOf(kind).filter((field) => FIELDS[kind][field]?.isRequired)
  const needed = required.map((field) => ({ label: headingOf(kind, field), fields: [field] }))
  return kind === 'contracts' ? [customer, ...needed] : needed
}

/** Without case, accents, spaces and punctuation: "Customer No." is customerno, "Customer #" is customernumber. */
function plainHeading(heading: string): string {
  if (heading.length > LONGEST_HEADING) return ''
  return foldText(heading)
    .replaceAll('#', 'number')
    .replaceAll(/[^a-z0-9]/g, '')
}

function knownFields(kind: ImportKind): KnownField[] {
  const own = fieldsOf(kind).flatMap((field): KnownField[] => {
    const known = FIELDS[kind][field]
    return known ? [{ field, ...known, names: namesOf(known.names) }] : []
  })
  const contacts = CONTACT_FIELDS.map((known) => ({ ...known, names: namesOf(known.names) }))
  return kind === 'customers' ? [...own, ...contacts] : own
}

const ALL_FIELDS: Record<ImportKind, KnownField[]> = {
  customers: knownFields('customers'),
  contracts: knownFields('contracts'),
}

function namesIn(kind: ImportKind): Set<string> {
  return new Set(ALL_FIELDS[kind].flatMap(({ names }) => names))
}

const KNOWN: Record<ImportKind, Set<string>> = { customers: namesIn('customers'), contracts: namesIn('contracts') }
const OTHER: Record<ImportKind, Set<string>> = {
  customers: new Set(namesOf(OTHER_HEADINGS.customers)),
  contracts: new Set(namesOf(OTHER_HEADINGS.contracts)),
}

function namesOf(names: string): string[] {
  return names.trim().split(/\s+/)
}

/** The first index of each heading; blank ones are left out. */
function indexesOf(headings: string[]): Map<string, number> {
  const indexes = new Map<string, number>()
  for (const [index, heading] of headings.entries()) {
    const plain = plainHeading(heading)
    if (plain !== '' && !indexes.has(plain)) indexes.set(plain, index)
  }
  return indexes
}

/** The index of the column that a mapping names, from 0; undefined if there is none. */
export function indexOfColumn(headings: string[], column: string | number): number | undefined {
  if (typeof column === 'number') return column <= headings.length ? column - 1 : undefined
  const wanted = foldText(column.trim())
  if (wanted === '') return undefined
  const index = headings.findIndex((heading) => foldText(heading) === wanted)
  return index < 0 ? undefined : index
}

function mappedColumns(headings: string[], mapping: ColumnMapping): Map<string, number> {
  const indexes = new Map<string, number>()
  for (const [field, column] of Object.entries(mapping)) {
    if (column === null || column === undefined) continue
    const index = indexOfColumn(headings, column)
    if (index === undefined) throw new AppError('IMPORT_COLUMN_UNKNOWN', { values: { column } })
    if ([...indexes.values()].includes(index)) throw new AppError('IMPORT_COLUMN_TWICE', { values: { column } })
    indexes.set(field, index)
  }
  return indexes
}

function missingOf(kind: ImportKind, found: Set<string>): string[] {
  const missing = neededFields(kind).filter(({ fields }) => !fields.some((field) => found.has(field)))
  return missing.map(({ label }) => label)
}
