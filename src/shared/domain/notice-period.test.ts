import { expect, test } from 'vitest'
import { toDay } from './day.ts'
import { lastDayForNotice, lastDayForNoticeOf, noticePeriodText, parseNoticePeriod } from './notice-period.ts'

test.each([
  ['30 days', '30 days'],
  ['1 day', '1 day'],
  ['1 month', '1 month'],
  ['3 Months', '3 months'],
  [' 90d ', '90 days'],
  ['2m', '2 months'],
  ['6 mos', '6 months'],
])('%j is read as %s', (text, expected) => {
  const period = parseNoticePeriod(text)
  expect(period && noticePeriodText(period)).toBe(expected)
})

test.each(['', '30', 'days', '0 days', '366 days', '25 months', '-3 days', '1.5 months', '30 weeks', '1000 days'])(
  '%j is refused',
  (text) => {
    expect(parseNoticePeriod(text)).toBeUndefined()
  },
)

test.each([
  ['2027-03-31', '30 days', '2027-03-01'],
  ['2027-03-31', '1 month', '2027-02-28'],
  ['2028-03-31', '1 month', '2028-02-29'],
  ['2027-01-15', '3 months', '2026-10-15'],
  ['2027-01-01', '1 day', '2026-12-31'],
])('of a contract that renews on %s with %s notice, the last day is %s', (date, text, expected) => {
  const period = parseNoticePeriod(text)
  expect(period && lastDayForNotice(toDay(date), period)).toBe(expected)
  expect(lastDayForNoticeOf({ renewalDate: toDay(date), noticePeriod: text })).toBe(expected)
})

test('of a contract without a notice period that can be read, there is no last day', () => {
  expect(lastDayForNoticeOf({ renewalDate: toDay('2027-03-31'), noticePeriod: null })).toBeNull()
  expect(lastDayForNoticeOf({ renewalDate: toDay('2027-03-31'), noticePeriod: 'soon' })).toBeNull()
})

test('where the calendar has not begun, there is no last day', () => {
  expect(lastDayForNotice(toDay('1900-01-10'), { count: 30, unit: 'days' })).toBeUndefined()
  expect(lastDayForNotice(toDay('1900-01-10'), { count: 1, unit: 'months' })).toBeUndefined()
})
