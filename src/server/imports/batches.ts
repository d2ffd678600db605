import { ImportContract, ImportCustomer, type ImportKind } from '#shared/schemas/imports.ts'
import { plainArray, textArray } from './arrays.ts'
import { parseRow, type Failure, type RowRules } from './parse-row.ts'
import type { SheetLine } from './read-csv.ts'
import type { Sheet } from './read-sheet.ts'
import type { Survey } from './survey.ts'

/**
 * Rows of a file that are well-formed by themselves, a column at a time, as PostgreSQL writes arrays; and those that
 * are not.
 */
export interface Batch {
  count: number
  columns: Record<string, string>
  failures: Failure[]
  /** The last line of the file that is in it. */
  throughLine: number
}

/** A batch with its rows as they were, for those that the account's other rows do not allow. */
interface OwnBatch {
  batch: Batch
  sources: SheetLine[]
}

const ROWS_A_BATCH = 2000
/** A few rows may be as long as many. */
const CHARACTERS_A_BATCH = 1_000_000

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
  return kind === 'customers'
    ? batches(sheet, { ...rules, schema: ImportCustomer }, CUSTOMER_COLUMNS)
    : batches(sheet, { ...rules, schema: ImportContract }, CONTRACT_COLUMNS)
}

async function* batches<Row extends object>(
  sheet: Sheet,
  rules: RowRules<Row>,
  columns: Columns<Row>,
): AsyncGenerator<OwnBatch> {
  let open = new OpenBatch(columns)
  let isHead = true
  for await (const lines of sheet.lines()) {
    for (const source of lines) {
      if (!isHead) open.add(source, parseRow(source, rules))
      isHead = false
      if (!open.isFull) continue
      yield open.closed()
      open = new OpenBatch(columns)
    }
  }
  if (!open.isEmpty) yield open.closed()
}

class OpenBatch<Row extends object> {
  private readonly columns: Columns<Row>
  private readonly rows: Row[] = []
  private readonly sources: SheetLine[] = []
  private readonly failures: Failure[] = []
  private characters = 0
  private throughLine = 0

  constructor(columns: Columns<Row>) {
    this.columns = columns
  }

  get isEmpty(): boolean {
    return this.throughLine === 0
  }

  get isFull(): boolean {
    return this.rows.length + this.failures.length >= ROWS_A_BATCH || this.characters >= CHARACTERS_A_BATCH
  }

  add(source: SheetLine, parsed: { row: Row } | Failure) {
    for (const cell of source.cells) this.characters += String(cell).length
    this.throughLine = source.line
    if (!('row' in parsed)) return void this.failures.push(parsed)
    this.rows.push(parsed.row)
    this.sources.push(source)
  }

  closed(): OwnBatch {
    const { rows, sources, failures, throughLine } = this
    return { batch: { count: rows.length, columns: this.written(), failures, throughLine }, sources }
  }

  private written(): Record<string, string> {
    const columns: Record<string, string> = {}
    for (const field in this.columns) columns[field] = this.columns[field](this.rows.map((row) => row[field]))
    return columns
  }
}
