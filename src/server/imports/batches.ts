import { ImportContract, ImportCustomer, type BulkUpload, type ImportKind } from '#shared/schemas/imports.ts'
import { plainArray, textArray } from './arrays.ts'
import { failureWriter, type FailedRows } from './failed-rows.ts'
import { parseRow, refusedRow, type Failure, type Refused, type RowRules } from './parse-row.ts'
import type { SheetLine } from './read-csv.ts'
import type { Sheet, StoredSheet } from './read-sheet.ts'
import type { Survey } from './survey.ts'

/**
 * Rows of a file that are well-formed by themselves, a column at a time, as PostgreSQL writes arrays; and those that
 * are not.
 */
interface BatchOf<Kind extends ImportKind, Row> {
  kind: Kind
  count: number
  columns: Columns<Row>
  failed: FailedRows
  /** The last line of the file that is in it. */
  throughLine: number
}

type Columns<Row> = { [Field in keyof Row]: string }

export type CustomerBatch = BatchOf<'customers', ImportCustomer>
export type ContractBatch = BatchOf<'contracts', ImportContract>
export type Batch = CustomerBatch | ContractBatch

/** A batch, and how its rows fail that the account's other rows do not allow. */
export interface OwnBatch {
  batch: Batch
  refuse: (refused: Refused[]) => FailedRows
}

/** A file that has been looked through, and can be read in batches. */
export interface SheetReader extends AsyncDisposable {
  survey: Survey
  /** All of its rows, from the first one each time. */
  batches(): AsyncGenerator<ReadBatch>
}

export interface ReadBatch {
  batch: Batch
  /** Rows of the batch that the account's other rows do not allow. */
  refuse: (refused: Refused[]) => Promise<FailedRows>
}

export interface ReadTask {
  kind: ImportKind
  answers: BulkUpload
  upload: StoredSheet
}

const ROWS_A_BATCH = 2000
/** A few rows may be as long as many. */
const CHARACTERS_A_BATCH = 250_000
/** What is wrong with rows takes more memory than they do. */
const FAILURES_A_BATCH = 300

function customerColumns(rows: ImportCustomer[]): Columns<ImportCustomer> {
  return {
    sourceId: plainArray(rows.map((row) => row.sourceId)),
    name: textArray(rows.map((row) => row.name)),
    address: textArray(rows.map((row) => row.address)),
    phone: textArray(rows.map((row) => row.phone)),
    customerNumber: textArray(rows.map((row) => row.customerNumber)),
    email: textArray(rows.map((row) => row.email)),
    sendNotifications: plainArray(rows.map((row) => row.sendNotifications)),
    createdAt: textArray(rows.map((row) => row.createdAt)),
  }
}

function contractColumns(rows: ImportContract[]): Columns<ImportContract> {
  return {
    customerId: plainArray(rows.map((row) => row.customerId)),
    customerName: textArray(rows.map((row) => row.customerName)),
    customerNumber: textArray(rows.map((row) => row.customerNumber)),
    amount: plainArray(rows.map((row) => row.amount)),
    startDate: plainArray(rows.map((row) => row.startDate)),
    renewalCycle: plainArray(rows.map((row) => row.renewalCycle)),
    renewalDate: plainArray(rows.map((row) => row.renewalDate)),
    status: plainArray(rows.map((row) => row.status)),
  }
}

/** The rows of a sheet, checked, in batches of which each is one transaction. */
export function batchesOf(kind: ImportKind, sheet: Sheet, survey: Survey): AsyncGenerator<OwnBatch> {
  const { reading, headings, columns } = survey
  const rules = { kind, columns: columns.found, width: headings.length, reading }
  const rows = { sheet, belowLine: survey.line }
  return kind === 'customers'
    ? batches(rows, { ...rules, schema: ImportCustomer }, { kind, columnsOf: customerColumns })
    : batches(rows, { ...rules, schema: ImportContract }, { kind, columnsOf: contractColumns })
}

interface RowKind<Kind extends ImportKind, Row> {
  kind: Kind
  columnsOf: (rows: Row[]) => Columns<Row>
}

async function* batches<Kind extends ImportKind, Row extends object>(
  { sheet, belowLine }: { sheet: Sheet; belowLine: number },
  rules: RowRules<Row>,
  kind: RowKind<Kind, Row>,
) {
  const close = closing(rules, kind)
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
function closing<Kind extends ImportKind, Row extends object>(
  rules: RowRules<Row>,
  { kind, columnsOf }: RowKind<Kind, Row>,
) {
  const [writeFailed, writeRefused] = [failureWriter(), failureWriter()]
  return ({ rows, sources, failures, throughLine }: OpenBatch<Row>) => ({
    batch: { kind, count: rows.length, columns: columnsOf(rows), failed: writeFailed(failures), throughLine },
    refuse: (refused: Refused[]) =>
      writeRefused(
        refused.flatMap((one) => {
          const source = sources[one.place - 1]
          return source ? [refusedRow(source, one, rules)] : []
        }),
      ),
  })
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
