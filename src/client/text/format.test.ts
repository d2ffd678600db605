import { expect, onTestFinished, test, vi } from 'vitest'
import {
  formatCompactMoney,
  formatCount,
  formatDate,
  formatDay,
  formatInstant,
  formatMoney,
  formatMonth,
  formatPercent,
  formatShortMonth,
  formatTime,
  isBrowserTimeZone,
} from './format.ts'

test('money is in US dollars with two decimals', () => {
  expect(formatMoney(0)).toBe('$0.00')
  expect(formatMoney(1234.5)).toBe('$1,234.50')
  expect(formatMoney(9_999_999_999.99)).toBe('$9,999,999,999.99')
})

test.each([
  [0, '$0'],
  [950, '$950'],
  [10.5, '$10.50'],
  [1250, '$1.25K'],
  [12_500, '$12.5K'],
  [3_000_000, '$3M'],
  [9_999_999_999.99, '$10B'],
])('money is short where there is little room: %s', (amount, text) => {
  expect(formatCompactMoney(amount)).toBe(text)
})

test('a month is named with its year, or short', () => {
  expect(formatMonth('2026-11')).toBe('November 2026')
  expect(formatShortMonth('2027-01')).toBe('Jan')
})

test.each(['Pacific/Auckland', 'America/Los_Angeles', 'UTC'])('a calendar day does not slip in %s', (zone) => {
  const before = process.env['TZ']
  process.env['TZ'] = zone
  try {
    expect(formatDay('2026-11-21')).toBe('Nov 21, 2026')
    expect(formatDay('2024-02-29')).toBe('Feb 29, 2024')
  } finally {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  }
})

test("an instant is told by the clock of the account's time zone", () => {
  const moment = new Date('2026-11-21T23:30:00Z')
  expect(plain(formatInstant(moment, 'UTC'))).toBe('Nov 21, 2026, 11:30 PM')
  expect(plain(formatInstant(moment, 'Asia/Tokyo'))).toBe('Nov 22, 2026, 8:30 AM')
})

test('the day and the time of a moment are those of one time zone', () => {
  const moment = new Date('2026-11-21T23:30:00Z')
  expect(formatDate(moment, 'UTC')).toBe('Nov 21, 2026')
  expect(formatDate(moment, 'Asia/Tokyo')).toBe('Nov 22, 2026')
  expect(plain(formatTime(moment, 'Asia/Tokyo'))).toBe('8:30 AM')
})

test('counts have thousands separators', () => {
  expect(formatCount(20_000)).toBe('20,000')
})

test('percentages have at most one decimal', () => {
  expect(formatPercent(0)).toBe('0%')
  expect(formatPercent(33.333)).toBe('33.3%')
  expect(formatPercent(100)).toBe('100%')
})

/** Intl writes a narrow no-break space before AM and PM. */
function plain(text: string): string {
  return text.replaceAll('\u202f', ' ')
}

test.each([
  ['Asia/Calcutta', 'Asia/Kolkata', true],
  ['Asia/Kolkata', 'Asia/Calcutta', true],
  ['America/New_York', 'US/Eastern', true],
  ['Europe/Athens', 'Asia/Jerusalem', false],
  ['Europe/Berlin', 'Africa/Lagos', false],
  ['Europe/Berlin', 'Nowhere/Atlantis', false],
])('a browser in %s is in %s: %s', (here, timeZone, expected) => {
  vi.stubEnv('TZ', here)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(isBrowserTimeZone(timeZone)).toBe(expected)
})
