import type * as z from 'zod/mini'
import { CELL_REASONS, type ImportKind } from '#shared/schemas/imports.ts'
import { plainCell, readCell, shownCell, type Cell, type Reading, type SheetRow } from './cells.ts'
import { headingOf, type Column } from './columns.ts'
import { UNREADABLE } from './read-csv.ts'

/** What is wrong with a row, with the column's heading in the file. */
export interface Problem {
  column: string
  value: string
  reason: string
}

/** A problem of a failed row as it is stored: the value is in the row's cells. */
export type StoredProblem = Omit<Problem, 'value'>

export type ListedProblem = Problem & { line: number }

export interface Failure extends SheetRow {
  problems: Problem[]
}

export interface FileColumns {
  kind: ImportKind
  columns: Column[]
}

export interface RowRules<Row> extends FileColumns {
  schema: z.ZodMiniType<Row>
  /** How many columns the row of headings has. */
  width: number
  reading: Reading
}

/** A row that is valid by itself, but not among the other rows of its account or its file. */
export interface RefusedRow {
  /** Its position in the batch, from 1. */
  position: number
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
  /** The first problems, as many as the answer has room for. */
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
  for (const { path, message } of parsed.error?.issues ?? []) {
    const problem = problemOf(String(path[0]), message, { source, file: rules })
    if (!reported.has(problem.column)) problems.push(problem)
    reported.add(problem.column)
  }
  return { ...source, problems }
}

/** The failure of a row that was refused when it was written. */
export function failureOf(source: SheetRow, { field, reason }: RefusedRow, file: FileColumns): Failure {
  return { ...source, problems: [problemOf(field, reason, { source, file })] }
}

/** Failed rows in the form in which they are stored, one after the other. At most `room` problems are listed for the answer. */
export function failedRowsOf(failures: Iterable<Failure>, room: number): FailedRows {
  const distinct = new Map<string, number>()
  const rows: FailedRows = { lines: [], cells: [], problems: [], distinctProblems: '', listed: [], found: 0 }
  for (const { line, cells, problems } of failures) {
    const stored = JSON.stringify(problems.map(storedProblem))
    const index = distinct.get(stored) ?? distinct.size
    distinct.set(stored, index)
    rows.lines.push(line)
    rows.cells.push(JSON.stringify(cells.map(storableCell)))
    rows.problems.push(index)
    rows.found += problems.length
    for (const problem of problems) if (rows.listed.length < room) rows.listed.push({ line, ...problem })
  }
  return { ...rows, distinctProblems: `[${[...distinct.keys()].join(',')}]` }
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
  const column = file.columns.find((one) => one.field === field)
  if (!column) return { column: headingOf(file.kind, field), value: '', reason }
  return { column: column.heading, value: valueShown(source.cells[column.index]), reason }
}

function readCells<Row>({ cells }: SheetRow, { columns, width, reading }: RowRules<Row>) {
  const input: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const { field, kind, isRequired, heading, index } of columns) {
    const cell = plainCell(cells[index])
    const value = cell === '' ? undefined : readCell(kind, cell, reading)
    if (isDamaged(cell)) problems.push({ column: heading, value: valueShown(cell), reason: CELL_REASONS.damaged })
    else if (value !== undefined) input[field] = value
    else if (cell !== '') problems.push({ column: heading, value: valueShown(cell), reason: CELL_REASONS[kind] })
    else if (isRequired) problems.push({ column: heading, value: '', reason: CELL_REASONS.blank })
  }
  const extra = cells.length > width ? cells.slice(width).filter((cell) => cell !== '') : []
  if (extra.length > 0) {
    problems.push({ column: '', value: valueShown(extra.join(', ')), reason: CELL_REASONS.tooManyCells })
  }
  return { input, problems }
}

function isDamaged(cell: Cell): boolean {
  return typeof cell === 'string' && cell.includes(UNREADABLE)
}

function valueShown(cell: Cell | undefined): string {
  return shownCell(shownCell(cell).slice(0, LONGEST_VALUE_SHOWN))
}
