import { expect, test } from 'vitest'
import { amountText, parseAmount } from './amount.ts'

test.each([
  ['1,234.50', 1234.5],
  ['1234.5', 1234.5],
  [' $1,234,567.89 ', 1234567.89],
  ['.5', 0.5],
  ['12.', 12],
  ['0', 0],
  ['-5', -5],
])('"%s" is read as %d', (text, amount) => {
  expect(parseAmount(text)).toBe(amount)
})

test.each(['', ' ', '$', '.', 'abc', '12,34', '1.234,50', '1 2', '1e5', '0x10', '1,2345'])(
  '"%s" is no amount',
  (text) => {
    expect(parseAmount(text)).toBeNaN()
  },
)

test('an amount is written as it can be typed', () => {
  expect(amountText(1234.5)).toBe('1,234.50')
  expect(parseAmount(amountText(9_999_999_999.99))).toBe(9_999_999_999.99)
})
