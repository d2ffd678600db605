declare const brand: unique symbol

/** A calendar day, 'YYYY-MM-DD', from 1900 to 2999; compares as text. Never an instant. */
export type Day = string & { readonly [brand]: 'Day' }

/** Days from one to the other, both included. */
export interface DaySpan {
  from: Day
  through: Day
}

const SHAPE = /^(?:19|2\d)\d\d-\d\d-\d\d$/
const MILLISECONDS_A_DAY = 86_400_000

/** Whether the text is an existing calendar day, written 'YYYY-MM-DD'. */
export function isDay(text: string): text is Day {
  if (!SHAPE.test(text)) return false
  const { year, month, date } = partsOf(text)
  return month >= 1 && month <= 12 && date >= 1 && date <= daysInMonth(year, month)
}

/** @throws RangeError if the text is not a calendar day */
export function toDay(text: string): Day {
  if (!isDay(text)) throw new RangeError(`Not a calendar day: ${text}`)
  return text
}

/** The day `count` days later, or earlier if negative. @throws RangeError beyond the calendar */
export function addDays(day: Day, count: number): Day {
  return toDay(textAfter(day, count))
}

/** Like `addDays`; undefined beyond the calendar. */
export function addDaysIfAny(day: Day, count: number): Day | undefined {
  const text = textAfter(day, count)
  return isDay(text) ? text : undefined
}

/** The anchor's day `months` later, or the last day of a shorter month. Always count from the anchor itself. */
export function addMonths(anchor: Day, months: number): Day {
  const { year, month, date } = partsOf(anchor)
  const target = year * 12 + (month - 1) + months
  const targetYear = Math.floor(target / 12)
  const targetMonth = target - targetYear * 12 + 1
  return dayOf(targetYear, targetMonth, Math.min(date, daysInMonth(targetYear, targetMonth)))
}

/** Calendar days from one day to the other; negative if `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return (utcOf(to) - utcOf(from)) / MILLISECONDS_A_DAY
}

/** How many months `to` is after `from`, ignoring the days. */
export function monthsBetween(from: Day, to: Day): number {
  const [first, last] = [partsOf(from), partsOf(to)]
  return (last.year - first.year) * 12 + last.month - first.month
}

/** The first day of the day's month. */
export function startOfMonth(day: Day): Day {
  return toDay(`${monthOf(day)}-01`)
}

/** The last day of the day's month. */
export function endOfMonth(day: Day): Day {
  const { year, month } = partsOf(day)
  return dayOf(year, month, daysInMonth(year, month))
}

/** 'YYYY-MM'. */
export function monthOf(day: Day): string {
  return day.slice(0, 7)
}

/** The calendar day at an instant in an IANA time zone. @throws RangeError if there is no such zone */
export function dayIn(instant: Date, timeZone: string): Day {
  const text = formatIn(timeZone).format(instant)
  return toDay(`${text.slice(6)}-${text.slice(0, 2)}-${text.slice(3, 5)}`)
}

/** Names that ICU accepts but that are not IANA's, or mean another zone elsewhere. */
const ICU_ALONE =
  /^systemv\/|^(act|aet|agt|art|ast|bet|bst|cat|cnt|cst|ctt|eat|ect|iet|ist|jst|mit|net|nst|plt|pnt|prt|pst|sst|vst)$/i

/** Whether the name is an IANA time zone; a bare offset such as '+01:00' is not. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name) || ICU_ALONE.test(name)) return false
  try {
    formatIn(name)
    return true
  } catch {
    return false
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

// Names are accepted in any case and cached in lower case; otherwise every spelling would stay in memory.
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const name = timeZone.toLowerCase()
  const known = formats.get(name)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(name, format)
  return format
}

function textAfter(day: Day, count: number): string {
  return new Date(utcOf(day) + count * MILLISECONDS_A_DAY).toISOString().slice(0, 10)
}

function partsOf(text: string) {
  return { year: Number(text.slice(0, 4)), month: Number(text.slice(5, 7)), date: Number(text.slice(8)) }
}

function dayOf(year: number, month: number, date: number): Day {
  return toDay(`${year}-${twoDigits(month)}-${twoDigits(date)}`)
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

function utcOf(day: Day): number {
  const { year, month, date } = partsOf(day)
  return Date.UTC(year, month - 1, date)
}

function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}
