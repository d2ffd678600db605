import { ImportContract, ImportCustomer, MOST_ERRORS_LISTED, type ImportKind } from '#shared/schemas/imports.ts'
import type { SheetRow } from './cells.ts'
import { fieldsOf } from './columns.ts'
import type { Inspection } from './inspect-sheet.ts'
import {
  cellsAsJson,
  failedRowsOf,
  parseRow,
  type FailedRows,
  type Failure,
  type RowRules,
  type SourceRows,
} from './parse-row.ts'
import { SeenRows } from './repeated-rows.ts'
import type { Sheet } from './upload-file.ts'

/** Rows of a file: those that are valid by themselves, a column at a time, and those that are not. */
interface BatchOf<Kind extends ImportKind, Row> {
  kind: Kind
  count: number
  columns: Columns<Row>
  /** The valid rows as they are in the file. */
  sources: SourceRows
  failed: FailedRows
  /** The last line of the file that is in it. */
  throughLine: number
}

type Columns<Row> = { [Field in keyof Row]: Row[Field][] }

export type CustomerBatch = BatchOf<'customers', ImportCustomer>
export type ContractBatch = BatchOf<'contracts', ImportContract>
export type Batch = CustomerBatch | ContractBatch

const ROWS_A_BATCH = 2000
/** A few rows may be as long as many. */
const CHARACTERS_A_BATCH = 250_000
/** The problems of rows take more memory than the rows. */
const FAILURES_A_BATCH = 300

/** Parses the rows of a sheet, or only those on some lines, into batches. Each batch is written in one transaction. */
export function batchesOf(kind: ImportKind, sheet: Sheet, inspection: Inspection): AsyncGenerator<Batch> {
  const { reading, headings, columns, repeated, onlyLines } = inspection
  const rules = { kind, columns: columns.found, width: headings.length, reading }
  const seen = repeated > 0 ? new SeenRows(columns.found) : undefined
  const rows = { sheet, belowLine: inspection.line, onlyLines, seen }
  return kind === 'customers'
    ? batches(rows, { ...rules, schema: ImportCustomer }, { kind, fields: [...fieldsOf('customers'), 'contacts'] })
    : batches(rows, { ...rules, schema: ImportContract }, { kind, fields: fieldsOf('contracts') })
}

interface RowKind<Kind extends ImportKind, Row> {
  kind: Kind
  /** All that a row has. */
  fields: (keyof Row)[]
}

interface SheetRows {
  sheet: Sheet
  /** The line of the headings. */
  belowLine: number
  onlyLines: Set<number> | undefined
  /** Where rows that repeat an earlier one are left out. */
  seen: SeenRows | undefined
}

async function* batches<Kind extends ImportKind, Row extends object>(
  { sheet, belowLine, onlyLines, seen }: SheetRows,
  rules: RowRules<Row>,
  { kind, fields }: RowKind<Kind, Row>,
): AsyncGenerator<BatchOf<Kind, Row>> {
  let room = MOST_ERRORS_LISTED
  const close = ({ rows, lines, cells, failures, throughLine }: OpenBatch<Row>): BatchOf<Kind, Row> => {
    const failed = failedRowsOf(failures, room)
    room -= failed.listed.length
    const sources = { lines, cells: cells.join('\n') }
    return { kind, count: rows.length, columns: columnsOf(rows, fields), sources, failed, throughLine }
  }
  let open = new OpenBatch<Row>()
  for await (const lines of sheet.lines()) {
    for (const source of lines) {
      if (source.line <= belowLine || seen?.earlierLine(source) !== undefined) continue
      if (onlyLines && !onlyLines.has(source.line)) continue
      open.add(source, parseRow(source, rules))
      if (!open.isFull) continue
      yield close(open)
      open = new OpenBatch()
    }
  }
  if (!open.isEmpty) yield close(open)
}

function columnsOf<Row>(rows: Row[], fields: (keyof Row)[]): Columns<Row> {
  const columns = Object.fromEntries(fields.map((field) => [field, rows.map((row) => row[field])]))
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the fields are all that a row has
  return columns as Columns<Row>
}

class OpenBatch<Row extends object> {
  readonly rows: Row[] = []
  readonly lines: number[] = []
  /** As JSON. */
  readonly cells: string[] = []
  readonly failures: Failure[] = []
  throughLine = 0
  private characters = 0

  get isEmpty(): boolean {
    return this.throughLine === 0
  }

  get isFull(): boolean {
    const [rows, failures] = [this.rows.length, this.failures.length]
    return this.characters >= CHARACTERS_A_BATCH || failures >= FAILURES_A_BATCH || rows + failures >= ROWS_A_BATCH
  }

  add(source: SheetRow, parsed: { row: Row } | Failure) {
    for (const cell of source.cells) this.characters += String(cell).length
    this.throughLine = source.line
    if (!('row' in parsed)) {
      this.failures.push(parsed)
      return
    }
    this.rows.push(parsed.row)
    this.lines.push(source.line)
    this.cells.push(cellsAsJson(source.cells))
  }
}
