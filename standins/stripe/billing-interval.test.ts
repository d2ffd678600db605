import { expect, test } from 'vitest'
import { addMonths, nextCycleEnd } from './billing-interval.ts'

const monthly = { interval: 'month', interval_count: 1 } as const

function at(date: string): number {
  return Date.parse(`${date}T09:30:00Z`) / 1000
}

test('a month from the 31st ends on the last day of a shorter month', () => {
  expect(addMonths(at('2027-01-31'), 1)).toBe(at('2027-02-28'))
  expect(addMonths(at('2027-11-30'), 3)).toBe(at('2028-02-29'))
})

test('a monthly cycle comes back to the day of its anchor', () => {
  const anchor = at('2027-01-31')
  expect(nextCycleEnd(anchor, monthly, at('2027-02-28'))).toBe(at('2027-03-31'))
})

test('a cycle that ends this very moment is followed by the next', () => {
  const anchor = at('2027-01-15')
  expect(nextCycleEnd(anchor, monthly, anchor)).toBe(at('2027-02-15'))
  expect(nextCycleEnd(anchor, monthly, at('2027-02-15'))).toBe(at('2027-03-15'))
})

test.each([
  ['day', 3, '2027-01-18'],
  ['week', 2, '2027-01-29'],
  ['year', 1, '2028-01-15'],
] as const)('a cycle may be of %ss', (interval, interval_count, end) => {
  expect(nextCycleEnd(at('2027-01-15'), { interval, interval_count }, at('2027-01-15'))).toBe(at(end))
})
