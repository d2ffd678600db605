import { unguardFormula } from '#shared/domain/formula-guard.ts'
import type { DateOrder, DecimalMark } from '#shared/schemas/imports.ts'
import { readAmount } from './amounts.ts'
import { readDay } from './dates.ts'

/** What stands in a cell: a CSV file has only text, a spreadsheet numbers and truths as well. */
export type Cell = string | number | boolean

export type CellKind = 'text' | 'id' | 'day' | 'instant' | 'amount' | 'flag' | 'cycle' | 'status'

/** What the file, or its owner, says of how its dates and amounts are written. */
export interface Reading {
  dateOrder: DateOrder | undefined
  decimalMark: DecimalMark | undefined
}

const YES = new Set(['yes', 'y', 'true', 't', '1', 'on', 'enabled', 'x'])
const NO = new Set(['no', 'n', 'false', 'f', '0', 'off', 'disabled'])
const CYCLES: Record<string, string> = {
  month: 'monthly',
  quarter: 'quarterly',
  year: 'yearly',
  annual: 'yearly',
  annually: 'yearly',
}
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

const READERS: Record<CellKind, (cell: string | number, reading: Reading) => unknown> = {
  text: String,
  id: (cell) => (/^\d{1,10}$/.test(String(cell)) ? Number(cell) : undefined),
  day: (cell, { dateOrder }) => readDay(cell, dateOrder),
  instant: (cell, { dateOrder }) => instantOf(cell, dateOrder),
  amount: (cell, { decimalMark }) => readAmount(cell, decimalMark),
  flag: (cell) => flagOf(String(cell).toLowerCase()),
  cycle: (cell) => CYCLES[String(cell).toLowerCase()] ?? String(cell),
  status: (cell) => String(cell).replace(/^canceled$/i, 'cancelled'),
}

/** A cell as the schema takes it; undefined where it cannot be one of its kind. */
export function readCell(kind: CellKind, cell: string | number, reading: Reading): unknown {
  return READERS[kind](cell, reading)
}

/** A cell without the spaces around it and without the guard that an export puts before formulas. */
export function plainCell(cell: Cell | undefined): string | number {
  if (typeof cell === 'number') return cell
  return unguardFormula(String(cell ?? '').trim())
}

/** A cell as a person may be shown it, and as the database can keep it. */
export function shownCell(cell: Cell | undefined): string {
  return String(cell ?? '')
    .replaceAll('\u0000', '\u{FFFD}')
    .toWellFormed()
}

function flagOf(text: string): boolean | undefined {
  if (YES.has(text)) return true
  return NO.has(text) ? false : undefined
}

// A bare day is taken at noon in UTC: the same day in nearly every zone.
function instantOf(cell: string | number, order: DateOrder | undefined): string | undefined {
  if (INSTANT.test(String(cell))) return String(cell)
  const day = readDay(cell, order)
  return day && `${day}T12:00:00Z`
}
