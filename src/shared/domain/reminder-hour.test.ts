import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { addDays, dayIn, toDay } from './day.ts'
import { hasHourCome, instantOf } from './reminder-hour.ts'

const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Kiritimati']
const anyDay = fc
  .date({ min: new Date('2015-01-01'), max: new Date('2035-12-31'), noInvalidDate: true })
  .map((date) => toDay(date.toISOString().slice(0, 10)))
const anyHour = fc.integer({ min: 0, max: 23 })
const anyZone = fc.constantFrom(...ZONES)

describe('the hour of a day', () => {
  test.each([
    ['2026-11-21', 8, 'UTC', '2026-11-21T08:00:00.000Z'],
    ['2026-11-21', 8, 'America/New_York', '2026-11-21T13:00:00.000Z'],
    ['2026-07-21', 8, 'America/New_York', '2026-07-21T12:00:00.000Z'],
    ['2026-11-21', 8, 'Asia/Kolkata', '2026-11-21T02:30:00.000Z'],
    ['2026-11-21', 0, 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'],
  ])('%s %s:00 in %s strikes at %s', (day, hour, timeZone, expected) => {
    expect(instantOf(toDay(day), hour, timeZone).toISOString()).toBe(expected)
  })

  test('that daylight saving time leaves out strikes as the clock goes past it', () => {
    expect(instantOf(toDay('2026-03-08'), 2, 'America/New_York').toISOString()).toBe('2026-03-08T07:00:00.000Z')
    expect(instantOf(toDay('2026-03-29'), 2, 'Europe/Berlin').toISOString()).toBe('2026-03-29T01:00:00.000Z')
  })

  test('that comes twice strikes the first time', () => {
    expect(instantOf(toDay('2026-11-01'), 1, 'America/New_York').toISOString()).toBe('2026-11-01T05:00:00.000Z')
    expect(instantOf(toDay('2026-10-25'), 2, 'Europe/Berlin').toISOString()).toBe('2026-10-25T00:00:00.000Z')
  })

  test('on either side of a change is an hour of that side', () => {
    expect(instantOf(toDay('2026-03-08'), 1, 'America/New_York').toISOString()).toBe('2026-03-08T06:00:00.000Z')
    expect(instantOf(toDay('2026-03-08'), 3, 'America/New_York').toISOString()).toBe('2026-03-08T07:00:00.000Z')
    expect(instantOf(toDay('2026-03-08'), 8, 'America/New_York').toISOString()).toBe('2026-03-08T12:00:00.000Z')
  })

  test.prop([anyDay, anyHour, anyZone])('strikes on that very day', (day, hour, timeZone) => {
    expect(dayIn(instantOf(day, hour, timeZone), timeZone)).toBe(day)
  })

  test.prop([anyDay, anyHour, anyZone])('strikes once a day, 23 to 25 hours apart', (day, hour, timeZone) => {
    const [one, next] = [instantOf(day, hour, timeZone), instantOf(addDays(day, 1), hour, timeZone)]
    const hours = (next.getTime() - one.getTime()) / 3_600_000
    expect(hours).toBeGreaterThanOrEqual(22.5)
    expect(hours).toBeLessThanOrEqual(25.5)
  })

  test.prop([anyDay, anyHour, anyZone])('has struck from its instant on, and not before', (day, hour, timeZone) => {
    const instant = instantOf(day, hour, timeZone)
    expect(hasHourCome(hour, instant, timeZone)).toBe(true)
    const before = new Date(instant.getTime() - 1)
    expect(hasHourCome(hour, before, timeZone)).toBe(dayIn(before, timeZone) !== day)
  })
})
