import { z } from 'zod'
import { readAmount, type DecimalMark } from '#shared/domain/amount-text.ts'
import { addDays, isDay, toDay, type Day } from '#shared/domain/day.ts'
import { foldText } from '#shared/domain/fold-text.ts'
import { unguardFormula } from '#shared/domain/formula-guard.ts'
import type { DateOrder } from '#shared/schemas/imports.ts'

/** The value of a cell: always text in a CSV file, also a number or a boolean in a spreadsheet. */
export const Cell = z.union([z.string(), z.number(), z.boolean()])
export type Cell = z.output<typeof Cell>

export interface SheetRow {
  /** The line of the file on which the row begins, from 1. */
  line: number
  cells: Cell[]
}

export type CellKind = 'text' | 'id' | 'day' | 'instant' | 'amount' | 'flag' | 'cycle' | 'status' | 'renews' | 'tags'

/** How the dates and amounts of a file are written, as the file shows or its owner answered. */
export interface Reading {
  dateOrder: DateOrder | undefined
  decimalMark: DecimalMark | undefined
}

// In English, German, French and Spanish, as the headings are.
const YES = words('yes y true t 1 on enabled x ja j oui o si s')
const NO = words('no n false f 0 off disabled nein non')
const CYCLES = {
  monthly: words('month monatlich monat mensuel mensuelle mois mensual mes'),
  quarterly: words(`
    quarter vierteljahrlich vierteljaehrlich quartal quartalsweise trimestriel trimestrielle trimestre trimestral`),
  yearly: words('year annual annually jahrlich jaehrlich jahr annuel annuelle an annee anual ano'),
}
const STATUSES = {
  pending: words('ausstehend offen pendiente enattente'),
  active: words('aktiv actif active activo activa vigente'),
  expired: words('abgelaufen expire expiree echu echue vencido vencida expirado expirada caducado'),
  cancelled: words(
    'canceled gekundigt gekuendigt storniert annule annulee resilie resiliee cancelado cancelada anulado anulada',
  ),
}
const RENEWS = {
  automatic: words('auto automatically yes y true x automatisch ja automatique oui automatico si'),
  by_agreement: words('byagreement agreement manual manually no n false nein manuell non manuel manual'),
  never: words('none onetime nie einmalig jamais nunca'),
}
/** What spreadsheets show in place of a value that they could not compute. */
const SPREADSHEET_ERROR =
  /^#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|GETTING_DATA|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|ERROR!)$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

const READERS: Record<CellKind, (cell: string | number, reading: Reading) => unknown> = {
  text: String,
  id: (cell) => (/^\d{1,10}$/.test(String(cell)) ? Number(cell) : undefined),
  day: (cell, { dateOrder }) => readDay(cell, dateOrder),
  instant: (cell, { dateOrder }) => instantOf(cell, dateOrder),
  amount: (cell, { decimalMark }) => amountOf(cell, decimalMark),
  flag: (cell) => flagOf(foldText(String(cell))),
  cycle: (cell) => meantBy(cell, CYCLES),
  status: (cell) => meantBy(cell, STATUSES),
  renews: (cell) => meantBy(cell, RENEWS),
  tags: (cell) => tagsOf(String(cell)),
}

/** The value of a cell for the schema; undefined if it is not a valid value of that kind. */
export function readCell(kind: CellKind, cell: string | number, reading: Reading): unknown {
  return READERS[kind](cell, reading)
}

/** Whether the cell has an error of a formula, such as #REF!, instead of a value. */
export function isSpreadsheetError(cell: string | number): boolean {
  return typeof cell === 'string' && SPREADSHEET_ERROR.test(cell)
}

/** A cell without surrounding spaces, and without the apostrophe that an export puts before formulas. */
export function plainCell(cell: Cell | undefined): string | number {
  if (typeof cell === 'number') return cell
  return unguardFormula(String(cell ?? '').trim()).trim()
}

/** A cell as text that can be displayed and stored: no NUL, no half of a surrogate pair. */
export function shownCell(cell: Cell | undefined): string {
  return String(cell ?? '')
    .replaceAll('\u0000', '\u{FFFD}')
    .toWellFormed()
}

/** A row as a line of JSON. */
export function toJsonRow({ line, cells }: SheetRow): string {
  return `${JSON.stringify([line, ...cells])}\n`
}

// Spreadsheets compute in binary floating point and display at most 15 digits.
function amountOf(cell: string | number, mark: DecimalMark | undefined): number | undefined {
  return typeof cell === 'number' ? Number(cell.toPrecision(15)) : readAmount(cell, mark)
}

function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/))
}

// A tag has neither of the two.
function tagsOf(text: string): string[] {
  return text.split(/[,;]/).flatMap((tag) => tag.trim() || [])
}

/** The value that the cell has another word for; otherwise what the cell says. */
function meantBy(cell: string | number, values: Record<string, Set<string>>): string {
  const word = foldText(String(cell)).replaceAll(' ', '')
  return Object.entries(values).find(([, others]) => others.has(word))?.[0] ?? String(cell)
}

function flagOf(text: string): boolean | undefined {
  if (YES.has(text)) return true
  return NO.has(text) ? false : undefined
}

// A date without a time becomes noon UTC: the same day in nearly every time zone.
function instantOf(cell: string | number, order: DateOrder | undefined): string | undefined {
  if (INSTANT.test(String(cell))) return String(cell)
  const day = readDay(cell, order)
  return day && `${day}T12:00:00Z`
}

const ISO = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/
const COMPACT = /^(\d{4})(\d\d)(\d\d)$/
const SEPARATED = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?: 0?0:00(?::00)?)?$/
const NAMED_FIRST = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/
const NAMED_SECOND = /^(\d{1,2})(?:st|nd|rd|th)?[. -]+([a-z]{3,9})\.?[ ,-]+(\d{4})$/
const SERIAL = /^\d{5}(?:\.0+)?$/
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY_ZERO_OF_EXCEL = toDay('1900-01-01')
const EXCEL_COUNTS_FROM = 2

/**
 * The order of month and day that a date reveals: 'either' for 03/04/2026, undefined for a date that can only be read
 * in one way whatever the order, such as 2026-03-04 or 05/05/2026.
 */
export function orderShown(text: string): DateOrder | 'either' | undefined {
  const separated = SEPARATED.exec(text)
  if (!separated || separated[2] === '.') return undefined
  const [monthFirst, dayFirst] = [slashed(separated, 'mdy'), slashed(separated, 'dmy')]
  if (monthFirst === dayFirst) return undefined
  if (monthFirst && dayFirst) return 'either'
  return monthFirst ? 'mdy' : 'dmy'
}

/** The day in a cell; undefined if there is none, or if it can be read in two ways and `order` is unknown. */
export function readDay(cell: string | number, order: DateOrder | undefined): Day | undefined {
  const text = String(cell).trim()
  if (SERIAL.test(text)) return dayOfSerial(Math.floor(Number(text)))
  return typeof cell === 'number' ? dayOfSerial(Math.floor(cell)) : dayOfText(text, order)
}

function dayOfText(text: string, order: DateOrder | undefined): Day | undefined {
  const iso = ISO.exec(text)
  if (iso) return dayOf(iso[1], iso[3], iso[4])
  const compact = COMPACT.exec(text)
  if (compact) return dayOf(compact[1], compact[2], compact[3])
  const separated = SEPARATED.exec(text)
  if (separated) return dayOfSeparated(separated, order)
  const lower = text.toLowerCase()
  const first = NAMED_FIRST.exec(lower)
  if (first) return dayOf(first[3], monthNamed(first[1]), first[2])
  const second = NAMED_SECOND.exec(lower)
  return second ? dayOf(second[3], monthNamed(second[2]), second[1]) : undefined
}

function dayOfSeparated(separated: RegExpExecArray, order: DateOrder | undefined): Day | undefined {
  if (separated[2] === '.') return slashed(separated, 'dmy')
  if (order) return slashed(separated, order)
  return orderShown(separated[0]) === 'either' ? undefined : (slashed(separated, 'mdy') ?? slashed(separated, 'dmy'))
}

function slashed(separated: RegExpExecArray, order: DateOrder): Day | undefined {
  const [, first, , second, year] = separated
  return order === 'mdy' ? dayOf(year, first, second) : dayOf(year, second, first)
}

function dayOf(year = '', month = '', date = ''): Day | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  return isDay(text) ? text : undefined
}

function monthNamed(name = ''): string {
  const index = MONTHS.indexOf(name.slice(0, 3))
  return index < 0 ? '' : String(index + 1)
}

// Excel counts January 1, 1900 as day 1, and has a February 29, 1900 that never existed.
function dayOfSerial(serial: number): Day | undefined {
  return serial > 60 && serial < 400_000 ? addDays(DAY_ZERO_OF_EXCEL, serial - EXCEL_COUNTS_FROM) : undefined
}
