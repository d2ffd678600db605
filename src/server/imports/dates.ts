import { addDays, isDay, toDay, type Day } from '#shared/domain/day.ts'
import type { DateOrder } from '#shared/schemas/imports.ts'

const ISO = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/
const COMPACT = /^(\d{4})(\d\d)(\d\d)$/
const PARTED = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?: 0?0:00(?::00)?)?$/
const NAMED_FIRST = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/
const NAMED_SECOND = /^(\d{1,2})(?:st|nd|rd|th)?[. -]+([a-z]{3,9})\.?[ ,-]+(\d{4})$/
const SERIAL = /^\d{5}(?:\.0+)?$/
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY_ZERO_OF_EXCEL = toDay('1900-01-01')
const EXCEL_COUNTS_FROM = 2

/**
 * In which order a date's month and day stand, as far as it shows by itself: 03/04/2026 could be 'either', and a date
 * that has no two readings tells nothing.
 */
export function orderShown(text: string): DateOrder | 'either' | undefined {
  const parted = PARTED.exec(text)
  if (!parted || parted[2] === '.') return undefined
  const [monthFirst, dayFirst] = [slashed(parted, 'mdy'), slashed(parted, 'dmy')]
  if (monthFirst === dayFirst) return undefined
  if (monthFirst && dayFirst) return 'either'
  return monthFirst ? 'mdy' : 'dmy'
}

/** The calendar day that a cell means; undefined where it means none. A date of two readings needs the order. */
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
  const parted = PARTED.exec(text)
  if (parted) return dayOfParts(parted, order)
  const lower = text.toLowerCase()
  const first = NAMED_FIRST.exec(lower)
  if (first) return dayOf(first[3], monthNamed(first[1]), first[2])
  const second = NAMED_SECOND.exec(lower)
  return second ? dayOf(second[3], monthNamed(second[2]), second[1]) : undefined
}

function dayOfParts(parted: RegExpExecArray, order: DateOrder | undefined): Day | undefined {
  if (parted[2] === '.') return slashed(parted, 'dmy')
  if (order) return slashed(parted, order)
  return orderShown(parted[0]) === 'either' ? undefined : (slashed(parted, 'mdy') ?? slashed(parted, 'dmy'))
}

function slashed(parted: RegExpExecArray, order: DateOrder): Day | undefined {
  const [, first, , second, year] = parted
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

// Excel counts 1 January 1900 as day 1 and a 29 February 1900 that never was.
function dayOfSerial(serial: number): Day | undefined {
  return serial > 60 && serial < 400_000 ? addDays(DAY_ZERO_OF_EXCEL, serial - EXCEL_COUNTS_FROM) : undefined
}
