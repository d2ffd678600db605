import type { Day } from '#shared/domain/day.ts'
import { ImportContract, ImportCustomer } from '#shared/schemas/import-rows.ts'
import { MOST_ERRORS_LISTED, type ImportKind } from '#shared/schemas/imports.ts'
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
import { parseChange, type RowChange } from './parse-change.ts'
import { SeenRows } from './repeated-rows.ts'
import { settledRow } from './settled-row.ts'
import type { Sheet } from './upload-file.ts'

/** Rows of a file: those that are valid by themselves, a column at a time, and those that are not. */
interface BatchOf<Kind extends ImportKind, Row> {
  kind: Kind
  count: number
  columns: Columns<Row>
  /** The valid rows as they are in the file, and behind them the incomplete ones. */
  sources: SourceRows
  /** Where rows are looked up by their reference. */
  changes: Changes | undefined
  failed: FailedRows
  /** The last line of the file that is in it. */
  throughLine: number
}

/** What rows say about contracts that may exist. */
interface Changes {
  /** Of the valid rows and then of the incomplete ones, by position; null without a reference. */
  rows: (RowChange | null)[]
  /** For each incomplete row, which says too little for a new contract: the columns that it lacks. */
  lacking: string[]
}

type Columns<Row> = { [Field in keyof Row]: Row[Field][] }

export type CustomerBatch = BatchOf<'customers', ImportCustomer>
export type ContractBatch = BatchOf<'contracts', ImportContract>
export type Batch = CustomerBatch | ContractBatch

const ROWS_A_BATCH = 1000
/** A few rows may be as long as many. */
const CHARACTERS_A_BATCH = 250_000
/** The problems of rows take more memory than the rows. */
const FAILURES_A_BATCH = 300

/** Which rows are to be read. */
export interface RowsWanted {
  /**
   * Only contracts that renew on one of these days, once what is due by `today` has happened to them, and rows that may
   * change one: whatever else there is, it is not kept.
   */
  renewing?: { on: ReadonlySet<Day>; today: Day } | undefined
}

/** Parses the rows of a sheet, or only those on some lines, into batches. Each batch is written in one transaction. */
export function batchesOf(kind: ImportKind, sheet: Sheet, inspection: Inspection & RowsWanted): AsyncGenerator<Batch> {
  const { reading, headings, columns, repeated, onlyLines, repeatedReferences, renewing } = inspection
  const rules = { kind, columns: columns.found, width: headings.length, reading }
  const changeOf = repeatedReferences && ((source: SheetRow) => parseChange(source, rules, repeatedReferences))
  const seen = repeated > 0 ? new SeenRows(columns.found) : undefined
  const rows = { sheet, belowLine: inspection.line, onlyLines, seen, changeOf }
  return kind === 'customers'
    ? batches(rows, { ...rules, schema: ImportCustomer }, { kind, fields: [...fieldsOf('customers'), 'contacts'] })
    : batches(
        rows,
        { ...rules, schema: ImportContract },
        {
          kind,
          fields: fieldsOf('contracts'),
          isWanted: renewing && ((row) => renewing.on.has(settledRow(row, renewing.today).renewalDate)),
        },
      )
}

interface RowKind<Kind extends ImportKind, Row> {
  kind: Kind
  /** All that a row has. */
  fields: (keyof Row)[]
  /** Where only some rows are read. */
  isWanted?: ((row: Row) => boolean) | undefined
}

interface SheetRows {
  sheet: Sheet
  /** The line of the headings. */
  belowLine: number
  onlyLines: Set<number> | undefined
  /** Where rows that repeat an earlier one are left out. */
  seen: SeenRows | undefined
  /** What a row says about the contract with its reference, where that is looked up. */
  changeOf: ((source: SheetRow) => ParsedChange) | undefined
}

type ParsedChange = ReturnType<typeof parseChange>

async function* batches<Kind extends ImportKind, Row extends object>(
  { sheet, belowLine, onlyLines, seen, changeOf }: SheetRows,
  rules: RowRules<Row>,
  { kind, fields, isWanted }: RowKind<Kind, Row>,
): AsyncGenerator<BatchOf<Kind, Row>> {
  let room = MOST_ERRORS_LISTED
  const close = (batch: OpenBatch<Row>): BatchOf<Kind, Row> => {
    const failed = failedRowsOf(batch.failures, room)
    room -= failed.listed.length
    const { rows: valid, throughLine, sources } = batch
    const changes = changeOf && batch.changes
    return { kind, count: valid.length, columns: columnsOf(valid, fields), sources, changes, failed, throughLine }
  }
  let open = new OpenBatch<Row>()
  for await (const lines of sheet.lines()) {
    for (const source of lines) {
      if (source.line <= belowLine || seen?.earlierLine(source) !== undefined) continue
      if (onlyLines && !onlyLines.has(source.line)) continue
      const [parsed, change] = [parseRow(source, rules), changeOf?.(source)]
      if (isWanted && !(change && 'row' in change) && !('row' in parsed && isWanted(parsed.row))) continue
      open.add(source, parsed, change)
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
  readonly failures: Failure[] = []
  throughLine = 0
  private readonly valid = new Sources()
  private readonly incomplete = new Sources()
  private readonly lacking: string[] = []
  private characters = 0

  get isEmpty(): boolean {
    return this.throughLine === 0
  }

  get sources(): SourceRows {
    const cells = [...this.valid.cells, ...this.incomplete.cells].join('\n')
    return { lines: [...this.valid.lines, ...this.incomplete.lines], cells }
  }

  get changes(): Changes {
    return { rows: [...this.valid.changes, ...this.incomplete.changes], lacking: this.lacking }
  }

  get isFull(): boolean {
    const [rows, failures] = [this.rows.length + this.lacking.length, this.failures.length]
    return this.characters >= CHARACTERS_A_BATCH || failures >= FAILURES_A_BATCH || rows + failures >= ROWS_A_BATCH
  }

  add(source: SheetRow, parsed: { row: Row } | Failure, change: ParsedChange) {
    for (const cell of source.cells) this.characters += String(cell).length
    this.throughLine = source.line
    const changeRow = change && 'row' in change ? change.row : null
    if ('row' in parsed) {
      this.rows.push(parsed.row)
      this.valid.add(source, changeRow)
    } else if (changeRow) {
      this.incomplete.add(source, changeRow)
      this.lacking.push(parsed.problems.map(({ column }) => column).join(', '))
    } else {
      // What is wrong with its cells, and not what a new contract would need besides.
      this.failures.push(change && 'problems' in change ? change : parsed)
    }
  }
}

class Sources {
  readonly lines: number[] = []
  /** As JSON. */
  readonly cells: string[] = []
  readonly changes: (RowChange | null)[] = []

  add({ line, cells }: SheetRow, change: RowChange | null): void {
    this.lines.push(line)
    this.cells.push(cellsAsJson(cells))
    this.changes.push(change)
  }
}
