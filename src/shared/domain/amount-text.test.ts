import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { markShown, readAmount, readTypedAmount } from './amount-text.ts'

const anyAmount = fc.integer({ min: 1, max: 999_999_999_999 }).map((cents) => cents / 100)
const grouped = (value: number, group: string, mark: string) => {
  const [whole = '', fraction = ''] = value.toFixed(2).split('.')
  return whole.replaceAll(/\B(?=(\d{3})+$)/g, group) + mark + fraction
}

describe.each([
  ['1,234.50', ',', '.', 'dot'],
  ['1.234,50', '.', ',', 'comma'],
  ['1 234.50', ' ', '.', 'dot'],
  ['1 234,50', '\u00a0', ',', 'comma'],
  ['1’234.50', '’', '.', 'dot'],
] as const)('amounts like %s', (_like, group, mark, name) => {
  property.prop([anyAmount])('are read as they are meant, and show their decimal mark', (value) => {
    const text = grouped(value, group, mark)
    expect(readAmount(text, undefined)).toBe(value)
    expect(readAmount(`$${text}`, name)).toBe(value)
    expect(readAmount(`${text} USD`, name)).toBe(value)
    expect(markShown(text)).toBe(name)
  })
})

property.prop([fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 999 }), fc.constantFrom('.', ',')])(
  'three digits after the only mark are thousands or decimals, and are never guessed',
  (thousands, rest, mark) => {
    const text = `${thousands}${mark}${String(rest).padStart(3, '0')}`
    expect(markShown(text)).toBe('either')
    expect(readAmount(text, undefined)).toBeUndefined()
    expect(readAmount(text, mark === ',' ? 'dot' : 'comma')).toBe(thousands * 1000 + rest)
    expect(readAmount(text, mark === ',' ? 'comma' : 'dot')).toBeCloseTo(thousands + rest / 1000)
  },
)

test.each([
  ['$1 234', 1234, undefined],
  ['US$ 1234', 1234, undefined],
  ['1234', 1234, undefined],
  ['1,234,567', 1_234_567, 'dot'],
  ['1.234.567', 1_234_567, 'comma'],
  ['12.5', 12.5, 'dot'],
  ['12,5', 12.5, 'comma'],
  ['.50', 0.5, 'dot'],
  ['0,234', 0.234, 'comma'],
  ['(1,234.50)', -1234.5, 'dot'],
  ['-$5.00', -5, 'dot'],
  ['$-5.00', -5, 'dot'],
  ['5.00-', -5, 'dot'],
  ['12,34,567.00', undefined, 'dot'],
  ['1,23.00', undefined, 'dot'],
  ['12 34', undefined, undefined],
  ['€12.00', undefined, 'dot'],
  ['twelve', undefined, undefined],
  ['1.2.3', undefined, 'comma'],
  ['', undefined, undefined],
  ['$', undefined, undefined],
  ['5%', undefined, undefined],
  ['1e3', undefined, undefined],
])('%j is %j and shows the mark %j', (text, value, mark) => {
  expect(readAmount(text, undefined)).toBe(value)
  expect(markShown(text)).toBe(mark)
})

test('a text of a million characters is looked at once', () => {
  for (const text of [`1${' '.repeat(1_000_000)}x`, `$${' '.repeat(1_000_000)}x`, '1.'.repeat(500_000)]) {
    expect(readAmount(text, undefined)).toBeUndefined()
  }
})

test.each([
  ['1.200,50', 1200.5],
  ['1,200.50', 1200.5],
  ['1 200,50', 1200.5],
  ['12,34', 12.34],
  ['1,200', 1200],
  ['1.234.567', 1_234_567],
  ['1,234.50', 1234.5],
  ['1234.5', 1234.5],
  [' $1,234,567.89 ', 1_234_567.89],
  ['.5', 0.5],
  ['12.', 12],
  ['0', 0],
  ['-5', -5],
])('"%s" in a form is %d', (text, amount) => {
  expect(readTypedAmount(text)).toBe(amount)
})

test.each([
  ['1.200', { asThousands: 1200, asDecimals: 1.2 }],
  ['$12.345', { asThousands: 12_345, asDecimals: 12.345 }],
])('"%s" in a form can be read in two ways', (text, readings) => {
  expect(readTypedAmount(text)).toEqual(readings)
})

test.each(['', ' ', '$', '.', 'abc', '1 2', '1e5', '0x10', '1,23.00', '€5'])('"%s" in a form is no amount', (text) => {
  expect(readTypedAmount(text)).toBeUndefined()
})
