import { z } from 'zod'
import type * as mini from 'zod/mini'
import { CONTACT_PARTS, contactField } from '#shared/domain/contact-columns.ts'
import { CELL_REASONS, CUSTOMER_REASONS, type ImportField } from '#shared/schemas/import-rows.ts'
import type { ImportKind } from '#shared/schemas/imports.ts'
import {
  isSpreadsheetError,
  plainCell,
  readCell,
  shownCell,
  Cell,
  type CellKind,
  type Reading,
  type SheetRow,
} from './cells.ts'
import { headingOf, isCustomerField, type Column } from './columns.ts'
import { UNREADABLE } from './read-csv.ts'

/** What is wrong with a row, with the column's heading in the file. */
export interface Problem {
  column: string
  value: string
  reason: string
}

/** A problem of a failed row as it is stored: the value is in the row's cells. */
export const StoredProblem = z.object({ column: z.string(), reason: z.string() })
export type StoredProblem = z.output<typeof StoredProblem>

export type ListedProblem = Problem & { line: number }

export interface Failure extends SheetRow {
  problems: Problem[]
}

export interface FileColumns {
  kind: ImportKind
  columns: Column[]
}

export interface RowRules<Row> extends FileColumns {
  schema: mini.ZodMiniType<Row>
  /** How many columns the row of headings has. */
  width: number
  reading: Reading
}

/** The valid rows as they are in the file, because writing may still refuse them. */
export interface SourceRows {
  lines: number[]
  /** The cells of each row, as a line of JSON. */
  cells: string
}

/** Why rows of a batch are not valid among the other rows of their account or their file. */
export interface Refusal {
  /** Which rows of the batch, from 1. */
  positions: number[]
  field: string
  reason: string
}

/** Failed rows as arrays of plain values, a few strings for each row: as objects, 2,000 rows are 20 MB of garbage. */
export interface FailedRows {
  lines: number[]
  /** The cells of each row, as JSON. */
  cells: string[]
  /** What is wrong with each row, as an index into `distinctProblems`. */
  problems: number[]
  /** Every combination of problems once, as a JSON array: thousands of rows fail for the same few reasons. */
  distinctProblems: string
  /** The first problems, as many as the response has room for. */
  listed: ListedProblem[]
  /** How many problems there are, listed or not. */
  found: number
}

const LONGEST_VALUE_SHOWN = 200

/** The values of a row by its schema, or everything that is wrong with it. */
export function parseRow<Row>(source: SheetRow, rules: RowRules<Row>): { row: Row } | Failure {
  const { input, problems } = readCells(source, rules)
  const parsed = rules.schema.safeParse(input)
  if (parsed.success && problems.length === 0) return { row: parsed.data }
  const reported = new Set(problems.map((problem) => problem.column))
  // What names the customer is there, and reported as unreadable.
  const isNamed = rules.columns.some(
    ({ field, index }) => isCustomerField(field) && plainCell(source.cells[index]) !== '',
  )
  for (const { path, message } of parsed.error?.issues ?? []) {
    if (isNamed && message === CUSTOMER_REASONS.unidentified) continue
    const problem = problemOf(fieldAt(path), message, { source, file: rules })
    if (!reported.has(problem.column)) problems.push(problem)
    reported.add(problem.column)
  }
  return { ...source, problems }
}

/** The field of a file at this place of a row. */
function fieldAt([name, index, part]: readonly PropertyKey[]): string {
  const contactPart = name === 'contacts' ? CONTACT_PARTS.find((one) => one === part) : undefined
  return contactPart ? contactField({ number: Number(index) + 2, part: contactPart }) : String(name)
}

/** Failed rows in the form in which they are stored, one after the other. At most `room` problems are listed for the response. */
export function failedRowsOf(failures: Iterable<Failure>, room: number): FailedRows {
  const distinct = new Map<string, number>()
  const rows: FailedRows = { lines: [], cells: [], problems: [], distinctProblems: '', listed: [], found: 0 }
  for (const { line, cells, problems } of failures) {
    const stored = JSON.stringify(problems.map(storedProblem))
    const index = distinct.get(stored) ?? distinct.size
    distinct.set(stored, index)
    rows.lines.push(line)
    rows.cells.push(cellsAsJson(cells))
    rows.problems.push(index)
    rows.found += problems.length
    for (const problem of problems) if (rows.listed.length < room) rows.listed.push({ line, ...problem })
  }
  return { ...rows, distinctProblems: `[${[...distinct.keys()].join(',')}]` }
}

/** The same for rows that were refused when they were written. Only those that are listed are parsed again. */
export function refusedRowsOf(
  sources: SourceRows,
  refusals: readonly Refusal[],
  { room, file }: { room: number; file: FileColumns },
): FailedRows {
  const rows: FailedRows = { lines: [], cells: [], problems: [], distinctProblems: '', listed: [], found: 0 }
  rows.distinctProblems = JSON.stringify(
    refusals.map(({ field, reason }) => [{ column: headingFor(field, file), reason }]),
  )
  if (refusals.length === 0) return rows
  const why = new Map<number, number>()
  for (const [index, { positions }] of refusals.entries()) for (const position of positions) why.set(position, index)
  for (const [row, cells] of sources.cells.split('\n').entries()) {
    const [line, index = -1] = [sources.lines[row], why.get(row + 1)]
    const refusal = refusals[index]
    if (line === undefined || !refusal) continue
    rows.lines.push(line)
    rows.cells.push(cells)
    rows.problems.push(index)
    rows.found += 1
    if (rows.listed.length >= room) continue
    const source = { line, cells: Cells.parse(JSON.parse(cells)) }
    rows.listed.push({ line, ...problemOf(refusal.field, refusal.reason, { source, file }) })
  }
  return rows
}

const Cells = z.array(Cell)

/** The cells of a row as they are stored. */
export function cellsAsJson(cells: Cell[]): string {
  return JSON.stringify(cells.map(storableCell))
}

function storedProblem({ column, reason }: Problem): StoredProblem {
  return { column, reason }
}

// PostgreSQL's text and JSON cannot hold NUL.
function storableCell(cell: Cell): Cell {
  return typeof cell === 'string' ? shownCell(cell) : cell
}

/** A problem with a field, reported under the heading of its column. */
function problemOf(field: string, reason: string, { source, file }: { source: SheetRow; file: FileColumns }): Problem {
  const index = file.columns.find((column) => column.field === field)?.index
  const value = index === undefined ? '' : valueShown(source.cells[index])
  return { column: headingFor(field, file), value, reason }
}

function headingFor(field: string, { kind, columns }: FileColumns): string {
  return columns.find((column) => column.field === field)?.heading ?? headingOf(kind, field)
}

function readCells<Row>({ cells }: SheetRow, { columns, width, reading }: RowRules<Row>) {
  const input: Record<string, unknown> = {}
  const problems: Problem[] = []
  let contacts: Contacts | undefined
  for (const { field, contact, kind, isRequired, heading, index } of columns) {
    const cell = plainCell(cells[index])
    const value = cell === '' ? undefined : readCell(kind, cell, reading)
    const fault = faultOf(cell)
    if (fault) problems.push({ column: heading, value: valueShown(cell), reason: fault })
    else if (value !== undefined && contact) contactAt((contacts ??= []), contact.number)[contact.part] = value
    else if (value !== undefined) input[field] = value
    else if (cell !== '') problems.push({ column: heading, value: valueShown(cell), reason: unreadable(field, kind) })
    else if (isRequired) problems.push({ column: heading, value: '', reason: CELL_REASONS.blank })
  }
  const extra = cells.length > width ? cells.slice(width).filter((cell) => cell !== '') : []
  if (extra.length > 0) {
    problems.push({ column: '', value: valueShown(extra.join(', ')), reason: CELL_REASONS.tooManyCells })
  }
  if (contacts) input['contacts'] = contacts.map(contactOrNull)
  return { input, problems }
}

type Contacts = (Record<string, unknown> | null)[]

/** The contact of this number, from 2; those before it may be missing. */
function contactAt(contacts: Contacts, number: number): Record<string, unknown> {
  while (contacts.length < number - 1) contacts.push(null)
  return (contacts[number - 2] ??= {})
}

/** Only reminders is no contact: somebody may have filled "Yes" down the column. */
function contactOrNull(contact: Record<string, unknown> | null): Record<string, unknown> | null {
  return contact && Object.keys(contact).some((part) => part !== 'reminders') ? contact : null
}

function unreadable(field: ImportField, kind: CellKind): string {
  return field === 'customerId' ? CUSTOMER_REASONS.notAnId : CELL_REASONS[kind]
}

/** Why the cell has no value, whatever its column is. */
function faultOf(cell: string | number): string | undefined {
  if (isSpreadsheetError(cell)) return CELL_REASONS.error
  return typeof cell === 'string' && cell.includes(UNREADABLE) ? CELL_REASONS.damaged : undefined
}

function valueShown(cell: Cell | undefined): string {
  return shownCell(shownCell(cell).slice(0, LONGEST_VALUE_SHOWN))
}
