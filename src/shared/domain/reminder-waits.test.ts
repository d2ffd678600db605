import { describe, expect, test } from 'vitest'
import { addDays, dayIn } from './day.ts'
import { triedAgainAt } from './mail-limits.ts'
import { UNDO_MS } from './manual-reminder.ts'
import { hasHourCome, instantOf } from './reminder-hour.ts'
import {
  HELD_UP_MS,
  LEASE_MS,
  MOST_FOR_LIMIT_MS,
  MOST_UNTIL_PLANNED_MS,
  MOST_WHILE_DUE_MS,
  RETRY_MS,
  retryWait,
} from './reminder-waits.ts'
import { REPLAN_AFTER_MINUTES } from './replanning.ts'

const HOUR_MS = 3_600_000
const HOURS = Array.from({ length: 24 }, (_hour, at) => at)
/** Days that are longer than 24 hours: by one, and by two. */
const LONG_DAYS = [
  ['Australia/Adelaide', '2026-04-05'],
  ['Antarctica/Troll', '2026-10-25'],
] as const

/** The longest that anything waits around those days, whichever hour the account has chosen. */
function longest(wait: (now: Date, account: { hour: number; timeZone: string }) => number): number {
  const waits = LONG_DAYS.flatMap(([timeZone, day]) => {
    const from = Date.parse(`${day}T00:00:00Z`) - 48 * HOUR_MS
    const instants = Array.from({ length: 72 }, (_instant, at) => from + at * HOUR_MS)
    return instants.flatMap((now) => HOURS.map((hour) => wait(new Date(now), { hour, timeZone })))
  })
  return Math.max(...waits)
}

test('a message is tried again sooner at first, and every hour in the end', () => {
  expect([1, 2, 3, 4, 5, 100].map((attempts) => retryWait(attempts) / 60_000)).toEqual([1, 5, 15, 60, 60, 60])
})

describe('nothing waits so long that it would be taken for the trace of a clock that was ahead', () => {
  test('while a message is due', () => {
    expect(MOST_WHILE_DUE_MS).toBeGreaterThan(Math.max(UNDO_MS, LEASE_MS, HELD_UP_MS, ...RETRY_MS))
  })

  test('for a limit', () => {
    const untilTheNextDay = longest((now, account) => triedAgainAt(now, account).getTime() - now.getTime())
    expect(untilTheNextDay / HOUR_MS).toBe(49)
    expect(MOST_FOR_LIMIT_MS).toBeGreaterThan(untilTheNextDay)
  })

  test('until an account is planned', () => {
    const untilPlanned = longest((now, { hour, timeZone }) => {
      const today = dayIn(now, timeZone)
      const next = hasHourCome(hour, now, timeZone) ? addDays(today, 1) : today
      return instantOf(next, hour, timeZone).getTime() - now.getTime()
    })
    expect(untilPlanned / HOUR_MS).toBe(26)
    expect(MOST_UNTIL_PLANNED_MS).toBeGreaterThan(Math.max(untilPlanned, REPLAN_AFTER_MINUTES * 60_000))
  })
})
