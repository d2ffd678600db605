import { AppError } from '#shared/errors.ts'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { shownCell } from './cells.ts'
import { columnsOf, type Columns } from './columns.ts'
import { ROWS_TO_HEAD, type SheetLine } from './read-csv.ts'
import type { Sheet } from './read-sheet.ts'

/** The row that names the columns. */
export interface Head {
  /** The line on which it begins: what stands above it is a title. */
  line: number
  headings: string[]
  columns: Columns
}

/** The rows below the headings, some at a time. @throws IMPORT_COLUMNS_MISSING */
export async function* belowHead(kind: ImportKind, sheet: Sheet): AsyncGenerator<{ head: Head; rows: SheetLine[] }> {
  let [first, head]: [SheetLine[], Head | undefined] = [[], undefined]
  for await (const rows of sheet.lines()) {
    if (head) {
      yield { head, rows }
      continue
    }
    first = first.concat(rows)
    if (first.length < ROWS_TO_HEAD) continue
    head = headAmong(kind, first)
    yield { head, rows: below(head, first) }
  }
  if (head) return
  head = headAmong(kind, first)
  yield { head, rows: below(head, first) }
}

/** Of the first rows the one that names the most columns that we know. @throws IMPORT_COLUMNS_MISSING, IMPORT_EMPTY */
function headAmong(kind: ImportKind, rows: SheetLine[]): Head {
  const heads = rows.slice(0, ROWS_TO_HEAD).map((row) => headOf(kind, row))
  const [head] = heads.toSorted((one, other) => other.columns.found.length - one.columns.found.length)
  if (!head) throw new AppError('IMPORT_EMPTY')
  const { headings } = head
  const { missing } = head.columns
  if (missing.length === 0) return head
  throw new AppError('IMPORT_COLUMNS_MISSING', {
    values: { columns: missing.join(', ') },
    details: { missing, headings },
  })
}

function below({ line }: Head, rows: SheetLine[]): SheetLine[] {
  return rows.filter((row) => row.line > line)
}

function headOf(kind: ImportKind, { line, cells }: SheetLine): Head {
  const headings = cells.map((cell) => shownCell(cell).trim())
  return { line, headings, columns: columnsOf(kind, headings) }
}
