import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import {
  addDays,
  addMonths,
  dayIn,
  daysBetween,
  endOfMonth,
  isDay,
  isTimeZone,
  monthOf,
  monthsBetween,
  startOfMonth,
  toDay,
} from './day.ts'

const anyDay = daysFrom('1900-01-01', '2999-12-31')
// Far enough from both ends of the calendar that no step of these tests leaves it.
const innerDay = daysFrom('2000-01-01', '2899-12-31')
const anyStep = fc.integer({ min: -1200, max: 1200 })
const anyInstant = fc.date({
  min: new Date('1970-01-01'),
  max: new Date('2199-12-31'),
  noInvalidDate: true,
})

function daysFrom(first: string, last: string) {
  return fc
    .date({ min: new Date(first), max: new Date(last), noInvalidDate: true })
    .map((date) => toDay(date.toISOString().slice(0, 10)))
}

describe('a day of the calendar', () => {
  test.each(['1900-01-01', '2999-12-31', '2026-11-21', '2024-02-29', '2000-02-29', '2026-12-31'])(
    '%s is one',
    (text) => {
      expect(isDay(text)).toBe(true)
      expect(toDay(text)).toBe(text)
    },
  )

  test.each([
    ['a 29 February outside a leap year', '2026-02-29'],
    ['a 29 February of a century that is no leap year', '2100-02-29'],
    ['a 31st of a month of 30 days', '2026-04-31'],
    ['a day 0', '2026-01-00'],
    ['a day 32', '2026-01-32'],
    ['a month 0', '2026-00-10'],
    ['a month 13', '2026-13-10'],
    ['a year before 1900', '1899-12-31'],
    ['a year after 2999', '3000-01-01'],
    ['one without leading zeros', '2026-1-1'],
    ['one with a time', '2026-01-01T00:00:00Z'],
    ['one with a space', ' 2026-01-01'],
    ['one with a line end', '2026-01-01\n'],
    ['another order', '01/31/2026'],
    ['digits of another script', '２０２６-０１-０１'],
    ['a word', 'tomorrow'],
    ['nothing', ''],
  ])('%s is none', (_, text) => {
    expect(isDay(text)).toBe(false)
    expect(() => toDay(text)).toThrow(RangeError)
  })

  test.prop([fc.integer({ min: 1890, max: 3010 }), fc.nat(14), fc.nat(33)])(
    'whatever year, month and day are written, it is one exactly when it exists from 1900 to 2999',
    (year, month, date) => {
      const text = [year, month, date].map((part) => String(part).padStart(2, '0')).join('-')
      const exists = new Date(Date.UTC(year, month - 1, date)).toISOString().startsWith(text)
      expect(isDay(text)).toBe(exists && year >= 1900 && year <= 2999)
    },
  )

  test.prop([fc.string()])('no other text is one', (text) => {
    expect(isDay(text)).toBe(false)
  })

  test.prop([anyDay, anyDay])('days compare as text', (one, other) => {
    expect(one < other).toBe(daysBetween(one, other) > 0)
  })
})

describe('adding days', () => {
  test.each([
    ['2026-11-21', 0, '2026-11-21'],
    ['2026-11-21', 30, '2026-12-21'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-02-28', 1, '2026-03-01'],
    ['2026-03-01', -1, '2026-02-28'],
  ])('%s and %i days give %s', (day, count, expected) => {
    expect(addDays(toDay(day), count)).toBe(expected)
  })

  test('a change to daylight saving time makes no day longer or shorter', () => {
    expect(addDays(toDay('2026-03-07'), 2)).toBe('2026-03-09')
    expect(daysBetween(toDay('2026-10-31'), toDay('2026-11-02'))).toBe(2)
  })

  test('leaving the calendar is refused', () => {
    expect(() => addDays(toDay('2999-12-31'), 1)).toThrow(RangeError)
    expect(() => addDays(toDay('1900-01-01'), -1)).toThrow(RangeError)
    expect(() => addDays(toDay('2026-01-01'), Number.NaN)).toThrow(RangeError)
  })

  test.prop([innerDay, anyStep])('counting back what was added gives the same number', (day, count) => {
    expect(daysBetween(day, addDays(day, count))).toBe(count)
  })

  test.prop([anyDay, anyDay])('adding the days between two days leads from one to the other', (from, to) => {
    expect(addDays(from, daysBetween(from, to))).toBe(to)
    expect(daysBetween(from, to) + daysBetween(to, from)).toBe(0)
  })

  test.prop([innerDay, anyStep, anyStep])('adding in two steps is adding at once', (day, first, second) => {
    expect(addDays(addDays(day, first), second)).toBe(addDays(day, first + second))
  })
})

describe('adding months', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2026-01-31', 3, '2026-04-30'],
    ['2026-01-30', 1, '2026-02-28'],
    ['2026-01-15', 12, '2027-01-15'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2026-11-30', 3, '2027-02-28'],
    ['2026-12-31', 1, '2027-01-31'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-01-31', -13, '2024-12-31'],
    ['2026-05-31', 0, '2026-05-31'],
  ])('%s and %i months give %s', (anchor, months, expected) => {
    expect(addMonths(toDay(anchor), months)).toBe(expected)
  })

  test('leaving the calendar is refused', () => {
    expect(() => addMonths(toDay('2999-12-01'), 1)).toThrow(RangeError)
    expect(() => addMonths(toDay('1900-01-31'), -1)).toThrow(RangeError)
  })

  test.prop([innerDay, anyStep])(
    "the anchor's day is kept wherever the month has it, else its last day",
    (anchor, months) => {
      const moved = addMonths(anchor, months)
      expect(Number(moved.slice(8))).toBe(Math.min(Number(anchor.slice(8)), Number(endOfMonth(moved).slice(8))))
    },
  )

  test.prop([innerDay, anyStep])('so many months are added, neither more nor fewer', (anchor, months) => {
    expect(monthsBetween(anchor, addMonths(anchor, months))).toBe(months)
  })

  test.prop([innerDay, anyStep])('a later count gives a later day', (anchor, step) => {
    // A step toward the inner years, so that it never leaves the calendar.
    const [earlier, later] = step > 0 ? [step - 1, step] : [step, step + 1]
    expect(addMonths(anchor, later) > addMonths(anchor, earlier)).toBe(true)
  })
})

describe('a month', () => {
  test.each([
    ['2026-11-21', '2026-11-01', '2026-11-30'],
    ['2026-12-31', '2026-12-01', '2026-12-31'],
    ['2026-02-01', '2026-02-01', '2026-02-28'],
    ['2028-02-10', '2028-02-01', '2028-02-29'],
  ])('%s lies in the month from %s to %s', (day, first, last) => {
    expect(startOfMonth(toDay(day))).toBe(first)
    expect(endOfMonth(toDay(day))).toBe(last)
  })

  test('is written as year and month', () => {
    expect(monthOf(toDay('2026-02-28'))).toBe('2026-02')
  })

  test('months are counted whatever the days', () => {
    expect(monthsBetween(toDay('2026-01-31'), toDay('2026-02-01'))).toBe(1)
    expect(monthsBetween(toDay('2026-01-01'), toDay('2026-01-31'))).toBe(0)
    expect(monthsBetween(toDay('2026-01-01'), toDay('2025-12-31'))).toBe(-1)
  })

  test.prop([innerDay])('ends the day before the next begins', (day) => {
    expect(addDays(endOfMonth(day), 1)).toBe(addMonths(startOfMonth(day), 1))
    expect(monthOf(startOfMonth(day))).toBe(monthOf(endOfMonth(day)))
  })
})

describe('the day in a time zone', () => {
  test.each([
    ['2026-11-21T12:00:00Z', 'UTC', '2026-11-21'],
    ['2026-11-21T23:59:59.999Z', 'UTC', '2026-11-21'],
    ['2026-11-21T23:30:00Z', 'Europe/Berlin', '2026-11-22'],
    ['2026-11-21T04:59:59Z', 'America/New_York', '2026-11-20'],
    ['2026-11-21T05:00:00Z', 'America/New_York', '2026-11-21'],
    ['2026-11-21T18:29:59Z', 'Asia/Kolkata', '2026-11-21'],
    ['2026-11-21T18:30:00Z', 'Asia/Kolkata', '2026-11-22'],
    ['2026-11-21T10:00:00Z', 'Pacific/Kiritimati', '2026-11-22'],
    ['2026-11-21T10:59:59Z', 'Pacific/Pago_Pago', '2026-11-20'],
  ])('at %s in %s it is %s', (instant, timeZone, expected) => {
    expect(dayIn(new Date(instant), timeZone)).toBe(expected)
  })

  test('it turns at midnight on both sides of a change to daylight saving time', () => {
    expect(dayIn(new Date('2026-03-08T04:59:59Z'), 'America/New_York')).toBe('2026-03-07')
    expect(dayIn(new Date('2026-03-09T03:59:59Z'), 'America/New_York')).toBe('2026-03-08')
    expect(dayIn(new Date('2026-03-09T04:00:00Z'), 'America/New_York')).toBe('2026-03-09')
  })

  test('the day that Samoa left out does not appear', () => {
    expect(dayIn(new Date('2011-12-30T09:59:59Z'), 'Pacific/Apia')).toBe('2011-12-29')
    expect(dayIn(new Date('2011-12-30T10:00:00Z'), 'Pacific/Apia')).toBe('2011-12-31')
  })

  test('an unknown zone and an instant that is none are refused', () => {
    expect(() => dayIn(new Date(), 'Mars/Olympus')).toThrow(RangeError)
    expect(() => dayIn(new Date(Number.NaN), 'UTC')).toThrow(RangeError)
  })

  test.prop([anyInstant])('in UTC it is the date of the instant', (instant) => {
    expect(dayIn(instant, 'UTC')).toBe(instant.toISOString().slice(0, 10))
  })

  test.prop([anyInstant, fc.constantFrom('Pacific/Kiritimati', 'Pacific/Niue', 'America/St_Johns', 'Asia/Kathmandu')])(
    'nowhere is it more than a day from that of UTC',
    (instant, timeZone) => {
      expect(Math.abs(daysBetween(dayIn(instant, 'UTC'), dayIn(instant, timeZone)))).toBeLessThanOrEqual(1)
    },
  )
})

describe('a time zone', () => {
  test.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Asia/Calcutta', 'Etc/GMT+5'])(
    '%s is one',
    (name) => {
      expect(isTimeZone(name)).toBe(true)
    },
  )

  test('its name counts in any case', () => {
    expect(isTimeZone('europe/berlin')).toBe(true)
    expect(dayIn(new Date('2026-11-21T23:30:00Z'), 'EUROPE/BERLIN')).toBe('2026-11-22')
  })

  test.each([
    '',
    'Europe',
    'Europe/Atlantis',
    '+01:00',
    '-0500',
    ' UTC',
    'UTC; drop table',
    'local',
    'ist',
    'AET',
    'SystemV/EST5',
  ])('"%s" is none', (name) => {
    expect(isTimeZone(name)).toBe(false)
  })
})
