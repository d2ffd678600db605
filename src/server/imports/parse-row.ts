import type { z } from 'zod'
import { CELL_REASONS, type ImportKind } from '#shared/schemas/imports.ts'
import { plainCell, readCell, shownCell, type Cell, type Reading } from './cells.ts'
import { headingOf, type Column } from './columns.ts'
import { UNREADABLE } from './decode.ts'
import type { SheetLine } from './read-csv.ts'

/** What is wrong with a row, by its column as the file heads it. */
export interface Problem {
  column: string
  value: string
  reason: string
}

export interface Failure extends SheetLine {
  problems: Problem[]
}

/** A row that the account's other rows do not allow. */
export interface Refused {
  /** Which row of the batch, from 1. */
  place: number
  field: string
  reason: string
}

export interface RowRules<Row> {
  kind: ImportKind
  schema: z.ZodType<Row>
  columns: Column[]
  /** How many columns the first row has. */
  width: number
  reading: Reading
}

const LONGEST_VALUE_SHOWN = 200

/** A row as its schema has it, or all that is wrong with it. */
export function parseRow<Row>(source: SheetLine, rules: RowRules<Row>): { row: Row } | Failure {
  const { input, problems } = readCells(source, rules)
  const parsed = rules.schema.safeParse(input)
  if (parsed.success && problems.length === 0) return { row: parsed.data }
  const told = new Set(problems.map((problem) => problem.column))
  for (const { path, message } of parsed.error?.issues ?? []) {
    const problem = problemOf(String(path[0]), message, { source, rules })
    if (!told.has(problem.column)) problems.push(problem)
    told.add(problem.column)
  }
  return { ...source, problems }
}

/** A row that fails for what the account has besides. */
export function refusedRow<Row>(source: SheetLine, { field, reason }: Refused, rules: RowRules<Row>): Failure {
  return { ...source, problems: [problemOf(field, reason, { source, rules })] }
}

/** A problem with the field, told by the column that gives it. */
function problemOf<Row>(
  field: string,
  reason: string,
  { source, rules }: { source: SheetLine; rules: RowRules<Row> },
): Problem {
  const column = rules.columns.find((one) => one.field === field)
  if (!column) return { column: headingOf(rules.kind, field), value: '', reason }
  return { column: column.heading, value: valueShown(source.cells[column.index]), reason }
}

function readCells<Row>({ cells }: SheetLine, { columns, width, reading }: RowRules<Row>) {
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
