import { markShown } from '#shared/domain/amount-text.ts'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import {
  MOST_IMPORT_ROWS,
  type BulkUpload,
  type ColumnsQuestion,
  type ImportKind,
  type ImportQuestion,
  type RepeatedRows,
} from '#shared/schemas/imports.ts'
import { orderShown, type Cell, type CellKind, type Reading, type SheetRow } from './cells.ts'
import type { Column } from './columns.ts'
import {
  columnsQuestion,
  hasReferences,
  headingRowOf,
  refuseMissing,
  Samples,
  type HeadingRow,
  type KnownMapping,
} from './heading-row.ts'
import { RepeatedReferences } from './parse-change.ts'
import { ROWS_WITH_HEADINGS } from './read-csv.ts'
import { RepeatedRowsCount } from './repeated-rows.ts'
import type { Sheet } from './upload-file.ts'

/** What must be known of a file before its rows can be parsed. */
export interface Inspection extends HeadingRow {
  /** How many rows are to be imported. */
  rows: number
  /** How many are left out because they repeat an earlier one. */
  repeated: number
  reading: Reading
  /** The lines to be imported, where only some are. */
  onlyLines: Set<number> | undefined
  /** The references that several rows have, by their keys; undefined where rows are not looked up by their reference. */
  repeatedReferences: Set<string> | undefined
}

export interface InspectOptions {
  kind: ImportKind
  answers: BulkUpload
  /** What was chosen for the columns of earlier files. */
  known?: KnownMapping[]
  /** The lines to be imported, where only some are. */
  onlyLines?: Set<number> | undefined
}

/**
 * Reads the whole file once before anything is written: can it be imported, and is there anything to ask?
 * @throws IMPORT_COLUMNS_MISSING, IMPORT_COLUMNS_UNCLEAR, IMPORT_COLUMN_UNKNOWN, IMPORT_COLUMN_TWICE, IMPORT_EMPTY,
 * IMPORT_HEADING_LINE_UNKNOWN, IMPORT_TOO_MANY_ROWS, IMPORT_DATE_ORDER_UNCLEAR, IMPORT_DECIMAL_MARK_UNCLEAR,
 * IMPORT_ROWS_REPEATED, and what reading the file throws
 */
export async function inspectSheet(sheet: Sheet, options: InspectOptions): Promise<Inspection> {
  const { answers } = options
  const evidence = { dateOrder: new Evidence(orderShown, DAY_KINDS), decimalMark: new Evidence(markShown, AMOUNTS) }
  const samples = new Samples()
  let [rows, heading]: [number, HeadingRow | undefined] = [0, undefined]
  let [repeats, references]: [RepeatedRowsCount | undefined, RepeatedReferences | undefined] = [undefined, undefined]
  for await (const piece of belowHeadings(sheet, options)) {
    heading = piece.heading
    if (looksForRepeats(answers)) repeats ??= new RepeatedRowsCount(heading.columns.found)
    if (hasReferences(heading, answers)) references ??= new RepeatedReferences(heading.columns.found)
    rows += piece.rows.length
    if (rows > MOST_IMPORT_ROWS) throw new AppError('IMPORT_TOO_MANY_ROWS')
    for (const row of piece.rows) {
      evidence.dateOrder.add(row, heading.columns.found)
      evidence.decimalMark.add(row, heading.columns.found)
      samples.add(row)
      if (!repeats?.countRepeat(row)) references?.add(row)
    }
  }
  if (!heading || rows === 0) throw new AppError('IMPORT_EMPTY')
  if (answers.mapping === 'ask') askAboutColumns(columnsQuestion(options, heading, samples))
  const dateOrder = answers.dateOrder ?? evidence.dateOrder.proven(askDateOrder)
  const decimalMark = answers.decimalMark ?? evidence.decimalMark.proven(askDecimalMark)
  if (answers.duplicates === 'ask' && repeats) askAboutRepeats(repeats)
  const repeated = repeats?.rows ?? 0
  return {
    ...heading,
    rows: options.onlyLines?.size ?? rows - repeated,
    repeated,
    reading: { dateOrder, decimalMark },
    onlyLines: options.onlyLines,
    repeatedReferences: references?.keys,
  }
}

function looksForRepeats({ duplicates }: BulkUpload): boolean {
  return duplicates === 'once' || duplicates === 'ask'
}

async function* belowHeadings(sheet: Sheet, options: InspectOptions) {
  let [first, heading]: [SheetRow[], HeadingRow | undefined] = [[], undefined]
  for await (const rows of sheet.lines()) {
    if (heading) {
      yield { heading, rows }
      continue
    }
    first = first.concat(rows)
    if (first.length < ROWS_WITH_HEADINGS) continue
    heading = knownHeadingRow(first, options)
    yield { heading, rows: below(heading, first) }
  }
  if (heading) return
  heading = knownHeadingRow(first, options)
  yield { heading, rows: below(heading, first) }
}

/** Missing columns are refused only if no question about columns will be asked, and no row can do without them. */
function knownHeadingRow(rows: SheetRow[], { kind, answers, known = [] }: InspectOptions): HeadingRow {
  const row = headingRowOf(rows, { kind, answers, known })
  if (answers.mapping !== 'ask' && !hasReferences(row, answers)) refuseMissing(row)
  return row
}

function below({ line }: HeadingRow, rows: SheetRow[]): SheetRow[] {
  return rows.filter((row) => row.line > line)
}

const DAY_KINDS = new Set<CellKind>(['day', 'instant'])
const AMOUNTS = new Set<CellKind>(['amount'])

type Example = NonNullable<ImportQuestion['example']>

/** A single value may be a typo: this many ambiguous values need one more clear value as proof. */
const DECIDED_BY_ONE = 20
const FEWEST_PROOFS = 2

/** What the cells of a file reveal about its notation. It applies to all of them if there is enough proof of one only. */
class Evidence<Notation extends string> {
  private readonly notations = new Set<Notation>()
  private proofs = 0
  private unclear = 0
  private example: Example | undefined
  private readonly shown: (text: string) => Notation | 'either' | undefined
  private readonly kinds: Set<CellKind>

  constructor(shown: (text: string) => Notation | 'either' | undefined, kinds: Set<CellKind>) {
    this.shown = shown
    this.kinds = kinds
  }

  add({ line, cells }: SheetRow, columns: Column[]) {
    for (const column of columns) if (this.kinds.has(column.kind)) this.addCell(cells[column.index], { line, column })
  }

  /** The proven notation; undefined if no value depends on it. Asks if one does and there is no proof. */
  proven(ask: (example: Example) => AppError): Notation | undefined {
    const [notation, ...others] = this.notations
    if (notation && others.length === 0 && this.isSolid()) return notation
    if (this.example) throw ask(this.example)
    return undefined
  }

  /** For a single unclear value one proof is enough. */
  private isSolid(): boolean {
    return this.proofs >= Math.min(this.unclear, Math.max(FEWEST_PROOFS, this.unclear / DECIDED_BY_ONE))
  }

  private addCell(cell: Cell | undefined, { line, column }: { line: number; column: Column }) {
    if (typeof cell !== 'string') return
    const notation = this.shown(cell.trim())
    if (notation === undefined) return
    if (notation === 'either') {
      this.unclear += 1
      this.example ??= { line, column: column.heading, value: cell.trim() }
    } else {
      this.proofs += 1
      this.notations.add(notation)
    }
  }
}

function askAboutColumns(columns: ColumnsQuestion | undefined): void {
  if (columns) throw questionError('IMPORT_COLUMNS_UNCLEAR', { parameter: 'mapping', choices: [], columns })
}

function askAboutRepeats({ rows, first }: RepeatedRows): void {
  if (rows === 0) return
  throw questionError('IMPORT_ROWS_REPEATED', {
    parameter: 'duplicates',
    choices: [
      { value: 'once', label: 'Import each row once' },
      { value: 'all', label: 'Import every row' },
    ],
    repeated: { rows, first },
  })
}

function askDateOrder(example: Example): AppError {
  return questionError('IMPORT_DATE_ORDER_UNCLEAR', {
    parameter: 'dateOrder',
    choices: [
      { value: 'mdy', label: 'Month first (MM/DD/YYYY)' },
      { value: 'dmy', label: 'Day first (DD/MM/YYYY)' },
    ],
    example,
  })
}

function askDecimalMark(example: Example): AppError {
  return questionError('IMPORT_DECIMAL_MARK_UNCLEAR', {
    parameter: 'decimalMark',
    choices: [
      { value: 'dot', label: 'Period (1,234.50)' },
      { value: 'comma', label: 'Comma (1.234,50)' },
    ],
    example,
  })
}

/** A refusal that asks a question and names the query parameter that answers it. */
export function questionError(key: RefusalKey, question: ImportQuestion): AppError {
  return new AppError(key, { values: { value: question.example?.value ?? '' }, details: { question } })
}
