import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { dayOfWeek, isCalendarSpan, weeksOfMonth } from './calendar.ts'
import { addDays, daysBetween, endOfMonth, startOfMonth, toDay } from './day.ts'

const anyDay = fc
  .date({ min: new Date('1950-01-01'), max: new Date('2900-12-31'), noInvalidDate: true })
  .map((date) => toDay(date.toISOString().slice(0, 10)))

test.prop([anyDay])('a day of the week is the one that the clock of JavaScript knows', (day) => {
  expect(dayOfWeek(day)).toBe(new Date(`${day}T00:00:00Z`).getUTCDay())
})

test.prop([anyDay])(
  'the weeks of a month are whole, follow each other, and have no week without a day of it',
  (day) => {
    const weeks = weeksOfMonth(day)
    const days = weeks.flat()
    for (const week of weeks) {
      expect(week.map(dayOfWeek)).toEqual([0, 1, 2, 3, 4, 5, 6])
      expect(week.some((one) => one >= startOfMonth(day) && one <= endOfMonth(day))).toBe(true)
    }
    expect(days).toEqual(days.map((_, index) => addDays(days[0] ?? day, index)))
    expect(days).toContain(startOfMonth(day))
    expect(days).toContain(endOfMonth(day))
  },
)

test.prop([anyDay, fc.integer({ min: -10, max: 500 })])('1 to 400 days can be read at once', (from, more) => {
  const through = addDays(from, more)
  expect(isCalendarSpan({ from, through })).toBe(daysBetween(from, through) >= 0 && daysBetween(from, through) < 400)
})
