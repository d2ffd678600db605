import { dayIn, type Day } from './day.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * The instant of an hour on a day in an IANA time zone. For an hour that daylight saving time skips it is the end of the
 * gap; for an hour that occurs twice, the first one.
 */
export function instantOf(day: Day, hour: number, timeZone: string): Date {
  const wall = Date.parse(`${day}T00:00:00Z`) + hour * HOUR_MS
  // If the offset changes that day, it changes from that of the day before to that of the day after.
  const [before, after] = [wall - DAY_MS, wall + DAY_MS].map((instant) => wall - offsetAt(instant, timeZone))
  const instants = [before, after].filter((instant) => instant !== undefined)
  const exact = instants.filter((instant) => instant + offsetAt(instant, timeZone) === wall)
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...instants))
}

/** Whether the hour has come on the current calendar day. */
export function hasHourCome(hour: number, now: Date, timeZone: string): boolean {
  return now >= instantOf(dayIn(now, timeZone), hour, timeZone)
}

/** The zone's offset from UTC at an instant, in milliseconds; positive east of Greenwich. */
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

// Names are accepted in any case and cached in lower case.
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
