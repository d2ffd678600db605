import { markShown } from '#shared/domain/amount-text.ts'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import { MOST_IMPORT_ROWS, type BulkUpload, type ImportKind, type ImportQuestion } from '#shared/schemas/imports.ts'
import { orderShown, shownCell, type Cell, type CellKind, type Reading, type SheetRow } from './cells.ts'
import { findColumns, type Column, type Columns } from './columns.ts'
import { ROWS_WITH_HEADINGS } from './read-csv.ts'
import type { Sheet } from './upload-file.ts'

/** The row that names the columns. */
interface HeadingRow {
  /** The line on which it begins: anything above it is a title. */
  line: number
  headings: string[]
  columns: Columns
}

/** What must be known of a file before its rows can be parsed. */
export interface Inspection extends HeadingRow {
  rows: number
  reading: Reading
}

/**
 * Reads the whole file once before anything is written: can it be imported, and is there anything to ask?
 * @throws IMPORT_COLUMNS_MISSING, IMPORT_EMPTY, IMPORT_TOO_MANY_ROWS, IMPORT_DATE_ORDER_UNCLEAR,
 * IMPORT_DECIMAL_MARK_UNCLEAR, and what reading the file throws
 */
export async function inspectSheet(
  sheet: Sheet,
  { kind, answers }: { kind: ImportKind; answers: BulkUpload },
): Promise<Inspection> {
  const evidence = { dateOrder: new Evidence(orderShown, DAY_KINDS), decimalMark: new Evidence(markShown, AMOUNTS) }
  let [rows, heading]: [number, HeadingRow | undefined] = [0, undefined]
  for await (const piece of belowHeadings(kind, sheet)) {
    heading = piece.heading
    rows += piece.rows.length
    if (rows > MOST_IMPORT_ROWS) throw new AppError('IMPORT_TOO_MANY_ROWS')
    for (const row of piece.rows) {
      evidence.dateOrder.look(row, heading.columns.found)
      evidence.decimalMark.look(row, heading.columns.found)
    }
  }
  if (!heading || rows === 0) throw new AppError('IMPORT_EMPTY')
  const dateOrder = answers.dateOrder ?? evidence.dateOrder.proven(askDateOrder)
  const decimalMark = answers.decimalMark ?? evidence.decimalMark.proven(askDecimalMark)
  return { ...heading, rows, reading: { dateOrder, decimalMark } }
}

async function* belowHeadings(kind: ImportKind, sheet: Sheet) {
  let [first, heading]: [SheetRow[], HeadingRow | undefined] = [[], undefined]
  for await (const rows of sheet.lines()) {
    if (heading) {
      yield { heading, rows }
      continue
    }
    first = first.concat(rows)
    if (first.length < ROWS_WITH_HEADINGS) continue
    heading = headingRowOf(kind, first)
    yield { heading, rows: below(heading, first) }
  }
  if (heading) return
  heading = headingRowOf(kind, first)
  yield { heading, rows: below(heading, first) }
}

/** The one of the first rows that names the most fields. @throws IMPORT_COLUMNS_MISSING, IMPORT_EMPTY */
function headingRowOf(kind: ImportKind, rows: SheetRow[]): HeadingRow {
  const candidates = rows.slice(0, ROWS_WITH_HEADINGS).map(({ line, cells }) => {
    const headings = cells.map((cell) => shownCell(cell).trim())
    return { line, headings, columns: findColumns(kind, headings) }
  })
  const [best] = candidates.toSorted((one, other) => other.columns.found.length - one.columns.found.length)
  if (!best) throw new AppError('IMPORT_EMPTY')
  const { headings } = best
  const { missing } = best.columns
  if (missing.length === 0) return best
  throw new AppError('IMPORT_COLUMNS_MISSING', {
    values: { columns: missing.join(', ') },
    details: { missing, headings },
  })
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

  look({ line, cells }: SheetRow, columns: Column[]) {
    for (const column of columns) if (this.kinds.has(column.kind)) this.lookAt(cells[column.index], { line, column })
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

  private lookAt(cell: Cell | undefined, { line, column }: { line: number; column: Column }) {
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
      { value: 'dot', label: 'Dot (1,234.50)' },
      { value: 'comma', label: 'Comma (1.234,50)' },
    ],
    example,
  })
}

/** A refusal that asks a question and names the query parameter that answers it. */
export function questionError(key: RefusalKey, question: ImportQuestion): AppError {
  return new AppError(key, { values: { value: question.example?.value ?? '' }, details: { question } })
}
