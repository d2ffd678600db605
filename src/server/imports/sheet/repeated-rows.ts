import { hash } from 'node:crypto'
import type { RepeatedRows } from '#shared/schemas/imports.ts'
import { plainCell, shownCell, type SheetRow } from './cells.ts'
import type { Column } from './columns.ts'

const MOST_SHOWN = 5
const LONGEST_SHOWN = 120

/**
 * Tells which rows of a file are the same as an earlier one in every column that is imported. It keeps a hash of each row:
 * the rows themselves may be too many for the memory.
 */
export class SeenRows {
  private readonly lines = new Map<string, number>()
  private readonly columns: Column[]

  constructor(columns: Column[]) {
    this.columns = columns
  }

  /** The line of the row that this one repeats; undefined if it is the first of its kind. */
  earlierLine({ line, cells }: SheetRow): number | undefined {
    const key = hash('sha256', JSON.stringify(this.columns.map(({ index }) => plainCell(cells[index]))), 'base64')
    const earlier = this.lines.get(key)
    if (earlier === undefined) this.lines.set(key, line)
    return earlier
  }
}

/** Counts the rows that repeat an earlier one, and keeps the first few of them. */
export class RepeatedRowsCount implements RepeatedRows {
  rows = 0
  readonly first: RepeatedRows['first'] = []
  private readonly seen: SeenRows
  private readonly columns: Column[]

  constructor(columns: Column[]) {
    this.columns = columns
    this.seen = new SeenRows(columns)
  }

  /** Counts the row if it repeats an earlier one; whether it does. */
  countRepeat(row: SheetRow): boolean {
    const earlierLine = this.seen.earlierLine(row)
    if (earlierLine === undefined) return false
    this.rows += 1
    if (this.first.length < MOST_SHOWN) this.first.push({ line: row.line, earlierLine, text: this.textOf(row) })
    return true
  }

  private textOf({ cells }: SheetRow): string {
    const values = this.columns.map(({ index }) => shownCell(cells[index]).trim()).filter((value) => value !== '')
    return values.join(', ').slice(0, LONGEST_SHOWN).toWellFormed()
  }
}
