import { ImportContract, ImportCustomer, type ImportKind } from '#shared/schemas/imports.ts'
import { plainArray, textArray } from './arrays.ts'
import { failureWriter, type FailedRows } from './failed-rows.ts'
import { parseRow, refusedRow, type Failure, type RowRules } from './parse-row.ts'
import type { SheetLine } from './read-csv.ts'
import type { Sheet } from './read-sheet.ts'
import type { Survey } from './survey.ts'
import type { Refused } from './write-batch.ts'

/**
 * Rows of a file that are well-formed by themselves, a column at a time, as PostgreSQL writes arrays; and those that
 * are not.
 */
export interface Batch {
  count: number
  columns: Record<string, string>
  failed: FailedRows
  /** The last line of the file that is in it. */
  throughLine: number
}

/** A batch, and how its rows fail that the account's other rows do not allow. */
export interface OwnBatch {
  batch: Batch
  refuse: (refused: Refused[]) => FailedRows
}

const ROWS_A_BATCH = 2000
/** A few rows may be as long as many. */
const CHARACTERS_A_BATCH = 250_000
/** What is wrong with rows takes more memory than they do. */
const FAILURES_A_BATCH = 300

type Columns<Row> = { [Field in keyof Row]: (values: Row[Field][]) => string }

const CUSTOMER_COLUMNS: Columns<ImportCustomer> = {
  sourceId: plainArray,
  name: textArray,
  address: textArray,
  phone: textArray,
  customerNumber: textArray,
  email: textArray,
  sendNotifications: plainArray,
  createdAt: textArray,
}
const CONTRACT_COLUMNS: Columns<ImportContract> = {
  customerId: plainArray,
  customerName: textArray,
  customerNumber: textArray,
  amount: plainArray,
  startDate: plainArray,
  renewalCycle: plainArray,
  renewalDate: plainArray,
  status: plainArray,
}

/** The rows of a sheet, checked, in batches of which each is one transaction. */
export function batchesOf(kind: ImportKind, sheet: Sheet, survey: Survey): AsyncGenerator<OwnBatch> {
  const { reading, headings, columns } = survey
  const rules = { kind, columns: columns.found, width: headings.length, reading }
  const rows = { sheet, belowLine: survey.line }
  return kind === 'customers'
    ? batches(rows, { ...rules, schema: ImportCustomer }, CUSTOMER_COLUMNS)
    : batches(rows, { ...rules, schema: ImportContract }, CONTRACT_COLUMNS)
}

async function* batches<Row extends object>(
  { sheet, belowLine }: { sheet: Sheet; belowLine: number },
  rules: RowRules<Row>,
  columns: Columns<Row>,
): AsyncGenerator<OwnBatch> {
  const close = closing(rules, columns)
  let open = new OpenBatch<Row>()
  for await (const lines of sheet.lines()) {
    for (const source of lines) {
      if (source.line <= belowLine) continue
      open.add(source, parseRow(source, rules))
      if (!open.isFull) continue
      yield close(open)
      open = new OpenBatch()
    }
  }
  if (!open.isEmpty) yield close(open)
}

/** Writes batches as the database takes them. What is refused later on fails with what failed by itself, or after it. */
function closing<Row extends object>(rules: RowRules<Row>, columns: Columns<Row>) {
  const [writeFailed, writeRefused] = [failureWriter(), failureWriter()]
  return ({ rows, sources, failures, throughLine }: OpenBatch<Row>): OwnBatch => ({
    batch: { count: rows.length, columns: written(rows, columns), failed: writeFailed(failures), throughLine },
    refuse: (refused) =>
      writeRefused(
        refused.flatMap((one) => {
          const source = sources[one.place - 1]
          return source ? [refusedRow(source, one, rules)] : []
        }),
      ),
  })
}

function written<Row extends object>(rows: Row[], columns: Columns<Row>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const field in columns) texts[field] = columns[field](rows.map((row) => row[field]))
  return texts
}

class OpenBatch<Row extends object> {
  readonly rows: Row[] = []
  readonly sources: SheetLine[] = []
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

  add(source: SheetLine, parsed: { row: Row } | Failure) {
    for (const cell of source.cells) this.characters += String(cell).length
    this.throughLine = source.line
    if (!('row' in parsed)) {
      this.failures.push(parsed)
      return
    }
    this.rows.push(parsed.row)
    this.sources.push(source)
  }
}
