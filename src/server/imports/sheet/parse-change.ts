import { hash } from 'node:crypto'
import { ImportChange } from '#shared/schemas/import-rows.ts'
import { plainCell, type SheetRow } from './cells.ts'
import type { Column } from './columns.ts'
import { parseRow, type Failure, type RowRules } from './parse-row.ts'

/** What a row says about the contract with its reference. */
export interface RowChange extends ImportChange {
  /** Another row of the file has the same reference. */
  isRepeated: boolean
}

/** What a row says about a contract, or what is wrong with that; undefined without a reference. */
export function parseChange(
  source: SheetRow,
  { columns, ...rules }: Omit<RowRules<unknown>, 'schema'>,
  repeated: ReadonlySet<string>,
): { row: RowChange } | Failure | undefined {
  const key = referenceKey(source, columns)
  if (key === undefined) return undefined
  const optional = columns.map((column) => ({ ...column, isRequired: false }))
  const parsed = parseRow(source, { ...rules, columns: optional, schema: ImportChange })
  return 'row' in parsed ? { row: { ...parsed.row, isRepeated: repeated.has(key) } } : parsed
}

/** Finds the references that several rows of a file have. It keeps hashes: the rows may be too many for the memory. */
export class RepeatedReferences {
  readonly keys = new Set<string>()
  private readonly seen = new Set<string>()
  private readonly columns: Column[]

  constructor(columns: Column[]) {
    this.columns = columns
  }

  add(row: SheetRow): void {
    const key = referenceKey(row, this.columns)
    if (key === undefined) return
    if (this.seen.has(key)) this.keys.add(key)
    this.seen.add(key)
  }
}

const KEY_CHARACTERS = 12

/** The same for a reference in any case; undefined without one. */
function referenceKey({ cells }: SheetRow, columns: Column[]): string | undefined {
  const index = columns.find(({ field }) => field === 'reference')?.index
  const cell = index === undefined ? '' : String(plainCell(cells[index]))
  if (cell === '') return undefined
  return hash('sha256', cell.normalize().toLowerCase(), 'base64').slice(0, KEY_CHARACTERS)
}
