import { dayIn } from '#shared/domain/day.ts'

const LOCALE = 'en-US'

const money = whenNeeded(() => new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' }))
const shortMoney = whenNeeded(
  () => new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' }),
)
const compactMoney = whenNeeded(
  () =>
    new Intl.NumberFormat(LOCALE, {
      style: 'currency',
      currency: 'USD',
      notation: 'compact',
      minimumFractionDigits: 0,
      maximumFractionDigits: 2,
    }),
)
const count = whenNeeded(() => new Intl.NumberFormat(LOCALE))
const percent = whenNeeded(() => new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 }))
// A calendar day has no time zone; parsing and formatting in the same one keeps it from shifting.
const day = whenNeeded(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' }))
const longDay = whenNeeded(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeZone: 'UTC' }))
const weekday = whenNeeded(() => new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' }))
const month = whenNeeded(() => new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' }))
const shortMonth = whenNeeded(() => new Intl.DateTimeFormat(LOCALE, { month: 'short', timeZone: 'UTC' }))
const instants = new Map<string, Intl.DateTimeFormat>()

/** US dollars with two decimals, as in "$1,234.50". */
export function formatMoney(amount: number): string {
  return money().format(amount)
}

/** US dollars where there is little room, as in "$12.5K". */
export function formatCompactMoney(amount: number): string {
  return (Math.abs(amount) < 1000 ? shortMoney : compactMoney)().format(amount)
}

export function formatCount(value: number): string {
  return count().format(value)
}

/** Of a hundred, as in "12.5%". */
export function formatPercent(value: number): string {
  return `${percent().format(value)}%`
}

/** A calendar day, `YYYY-MM-DD`, as in "Nov 21, 2026". */
export function formatDay(value: string): string {
  return day().format(new Date(`${value}T00:00:00Z`))
}

/** A calendar day, `YYYY-MM-DD`, as in "Saturday, November 21, 2026". */
export function formatLongDay(value: string): string {
  return longDay().format(new Date(`${value}T00:00:00Z`))
}

/** The day of the week of a calendar day, as in "Sat". */
export function formatWeekday(value: string): string {
  return weekday().format(new Date(`${value}T00:00:00Z`))
}

/** A month, `YYYY-MM`, as in "November 2026". */
export function formatMonth(value: string): string {
  return month().format(new Date(`${value}-01T00:00:00Z`))
}

/** A month, `YYYY-MM`, as in "Nov". */
export function formatShortMonth(value: string): string {
  return shortMonth().format(new Date(`${value}-01T00:00:00Z`))
}

/** The calendar day of a moment, by the clock of the browser's time zone unless another is named. */
export function formatDate(value: Date, timeZone?: string): string {
  return formatDay(dayIn(value, timeZone ?? browserTimeZone()))
}

/** The time of day of a moment, as in "3:04 PM". */
export function formatTime(value: Date, timeZone?: string): string {
  return new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', timeZone: timeZone ?? browserTimeZone() }).format(value)
}

/** A moment as the clock in that time zone shows it, as in "Nov 21, 2026, 3:04 PM". */
export function formatInstant(value: Date, timeZone: string): string {
  return instantFormat(timeZone).format(value)
}

let browser: string | undefined

/** On a server that renders for one person: the time zone of their browser. */
export function showTimesIn(timeZone: string): void {
  browser = timeZone
}

/** The time zone that the browser is set to. */
export function browserTimeZone(): string {
  return browser ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Whether the browser is in this time zone, which may have several names. */
export function isBrowserTimeZone(timeZone: string): boolean {
  const here = browserTimeZone()
  return here === timeZone || clockOf(here) === clockOf(timeZone)
}

/** The time there in winter and in summer, with the names of both. Undefined for an unknown zone. */
function clockOf(timeZone: string): string | undefined {
  try {
    const clock = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'short', timeStyle: 'full', timeZone })
    const year = new Date().getUTCFullYear()
    return [0, 6].map((monthIndex) => clock.format(Date.UTC(year, monthIndex))).join(' ')
  } catch {
    return undefined
  }
}

function instantFormat(timeZone: string): Intl.DateTimeFormat {
  const known = instants.get(timeZone)
  if (known) return known

  const made = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  instants.set(timeZone, made)
  return made
}

/** Created on first use: creating all of them takes a phone many milliseconds. */
function whenNeeded<Format>(make: () => Format): () => Format {
  let made: Format | undefined
  return () => (made ??= make())
}
