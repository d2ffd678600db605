import { AppError, type RefusalKey } from '#shared/errors.ts'
import { MOST_IMPORT_ROWS, type BulkUpload, type ImportKind, type ImportQuestion } from '#shared/schemas/imports.ts'
import { markShown } from './amounts.ts'
import type { Cell, CellKind, Reading } from './cells.ts'
import type { Column } from './columns.ts'
import { orderShown } from './dates.ts'
import { belowHead, type Head } from './head.ts'
import type { SheetLine } from './read-csv.ts'
import type { Sheet } from './read-sheet.ts'

export interface Survey extends Head {
  rows: number
  reading: Reading
}

/** Reads the whole file once before anything is written: can it be imported, and is there anything to ask? */
export async function surveySheet(
  sheet: Sheet,
  { kind, answers }: { kind: ImportKind; answers: BulkUpload },
): Promise<Survey> {
  const evidence = { dateOrder: new Evidence(orderShown, DAY_KINDS), decimalMark: new Evidence(markShown, AMOUNTS) }
  let [rows, head]: [number, Head | undefined] = [0, undefined]
  for await (const lines of belowHead(kind, sheet)) {
    head = lines.head
    rows += lines.rows.length
    if (rows > MOST_IMPORT_ROWS) throw new AppError('IMPORT_TOO_MANY_ROWS')
    for (const row of lines.rows) {
      evidence.dateOrder.look(row, head.columns.found)
      evidence.decimalMark.look(row, head.columns.found)
    }
  }
  if (!head || rows === 0) throw new AppError('IMPORT_EMPTY')
  const dateOrder = answers.dateOrder ?? evidence.dateOrder.proven(askDateOrder)
  const decimalMark = answers.decimalMark ?? evidence.decimalMark.proven(askDecimalMark)
  return { ...head, rows, reading: { dateOrder, decimalMark } }
}

const DAY_KINDS = new Set<CellKind>(['day', 'instant'])
const AMOUNTS = new Set<CellKind>(['amount'])

type Example = NonNullable<ImportQuestion['example']>

/** One value of a hundred is soon mistyped: so many that can be read both ways need one more that proves how. */
const DECIDED_BY_ONE = 20
const FEWEST_PROOFS = 2

/** What a file's cells show of how they are written: one way, solidly proven, is the way of them all. */
class Evidence<Way extends string> {
  private readonly ways = new Set<Way>()
  private proofs = 0
  private unclear = 0
  private example: Example | undefined
  private readonly shown: (text: string) => Way | 'either' | undefined
  private readonly kinds: Set<CellKind>

  constructor(shown: (text: string) => Way | 'either' | undefined, kinds: Set<CellKind>) {
    this.shown = shown
    this.kinds = kinds
  }

  look({ line, cells }: SheetLine, columns: Column[]) {
    for (const column of columns) if (this.kinds.has(column.kind)) this.lookAt(cells[column.index], { line, column })
  }

  /** The one way proven; undefined where nothing depends on it. Asks where something does. */
  proven(ask: (example: Example) => AppError): Way | undefined {
    const [way, ...others] = this.ways
    if (way && others.length === 0 && this.isSolid()) return way
    if (this.example) throw ask(this.example)
    return undefined
  }

  /** For a single unclear value one proof will do. */
  private isSolid(): boolean {
    return this.proofs >= Math.min(this.unclear, Math.max(FEWEST_PROOFS, this.unclear / DECIDED_BY_ONE))
  }

  private lookAt(cell: Cell | undefined, { line, column }: { line: number; column: Column }) {
    if (typeof cell !== 'string') return
    const way = this.shown(cell.trim())
    if (way === undefined) return
    if (way === 'either') {
      this.unclear += 1
      this.example ??= { line, column: column.heading, value: cell.trim() }
    } else {
      this.proofs += 1
      this.ways.add(way)
    }
  }
}

function askDateOrder(example: Example): AppError {
  return asking('IMPORT_DATE_ORDER_UNCLEAR', {
    parameter: 'dateOrder',
    choices: [
      { value: 'mdy', label: 'Month first (MM/DD/YYYY)' },
      { value: 'dmy', label: 'Day first (DD/MM/YYYY)' },
    ],
    example,
  })
}

function askDecimalMark(example: Example): AppError {
  return asking('IMPORT_DECIMAL_MARK_UNCLEAR', {
    parameter: 'decimalMark',
    choices: [
      { value: 'dot', label: 'Dot (1,234.50)' },
      { value: 'comma', label: 'Comma (1.234,50)' },
    ],
    example,
  })
}

/** A 409 that names the query parameter which answers it. */
export function asking(key: RefusalKey, question: ImportQuestion): AppError {
  return new AppError(key, { values: { value: question.example?.value ?? '' }, details: { question } })
}
