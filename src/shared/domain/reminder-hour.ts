import { dayIn, type Day } from './day.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * The instant of an hour on a day in an IANA time zone. An hour skipped by daylight saving time is the instant after the
 * gap; of an hour that comes twice it is the first.
 */
export function instantOf(day: Day, hour: number, timeZone: string): Date {
  const wall = Date.parse(`${day}T00:00:00Z`) + hour * HOUR_MS
  // Whatever change there is that day, its offsets are those of the day before and of the day after.
  const [before, after] = [wall - DAY_MS, wall + DAY_MS].map((instant) => wall - offsetAt(instant, timeZone))
  const instants = [before, after].filter((instant) => instant !== undefined)
  const exact = instants.filter((instant) => instant + offsetAt(instant, timeZone) === wall)
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...instants))
}

/** Whether the hour has struck on the calendar day that it is now. */
export function hasStruck(hour: number, now: Date, timeZone: string): boolean {
  return now >= instantOf(dayIn(now, timeZone), hour, timeZone)
}

/** How many milliseconds the zone's clock is ahead of UTC at an instant. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = clockIn(timeZone).formatToParts(instant)
  const [year, month, day, hour, minute, second] = FIELDS.map((field) =>
    Number(parts.find(({ type }) => type === field)?.value),
  )
  const shown = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
  return shown - Math.floor(instant / 1000) * 1000
}

const FIELDS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
const clocks = new Map<string, Intl.DateTimeFormat>()

// Names are taken in any case, so they are remembered in one.
function clockIn(timeZone: string): Intl.DateTimeFormat {
  const name = timeZone.toLowerCase()
  const known = clocks.get(name)
  if (known) return known
  const two = '2-digit'
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  })
  clocks.set(name, made)
  return made
}
