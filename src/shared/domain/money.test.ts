import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import {
  addCents,
  amountFromCents,
  averageCents,
  centsFromAmount,
  centsFromTwelfths,
  MAX_AMOUNT,
  monthlyTwelfths,
  percent,
  split,
} from './money.ts'
import { RENEWAL_CYCLES } from './renewal-cycle.ts'

const LARGEST = 999_999_999_999
const anyAmount = fc.integer({ min: 0, max: LARGEST }).map(cents)
const anyCents = fc.integer({ min: -LARGEST, max: LARGEST }).map(cents)
const anyCycle = fc.constantFrom(...RENEWAL_CYCLES)
const anyCount = fc.integer({ min: 1, max: 100_000 })

function cents(count: number) {
  return centsFromAmount(count / 100)
}

/** Exact, for comparison: a/b rounded to the nearest whole number, a half upwards. */
function roundedQuotient(dividend: number, divisor: number): number {
  const [twice, whole] = [2n * BigInt(dividend) + BigInt(divisor), 2n * BigInt(divisor)]
  const cut = twice / whole
  return Number(twice < 0n && twice % whole !== 0n ? cut - 1n : cut)
}

describe('an amount that comes in', () => {
  test.each([
    [0, 0],
    [0.01, 1],
    [0.29, 29],
    [0.57, 57],
    [1.1, 110],
    [1.15, 115],
    [4.35, 435],
    [29, 2900],
    [1234.56, 123_456],
    [8_999_999_999.07, 899_999_999_907],
    [9_999_999_999.99, LARGEST],
    [-29, -2900],
  ])('of $%d is %i cents', (amount, expected) => {
    expect(centsFromAmount(amount)).toBe(expected)
  })

  test.each([1.005, 0.001, 0.005, 29.999, 0.1 + 0.2, 1e-7, Number.MIN_VALUE, 9_999_999_999.985])(
    'of %d has more than two decimals and is refused',
    (amount) => {
      expect(() => centsFromAmount(amount)).toThrow(RangeError)
    },
  )

  test.each([10_000_000_000, -10_000_000_000, 1e15, 1e300, Infinity, -Infinity, Number.NaN])(
    'of %d is too large or no number and is refused',
    (amount) => {
      expect(() => centsFromAmount(amount)).toThrow(RangeError)
    },
  )

  test('of minus zero is zero', () => {
    expect(Object.is(centsFromAmount(-0), 0)).toBe(true)
  })

  test('may be $9,999,999,999.99 and not a cent more', () => {
    expect(amountFromCents(MAX_AMOUNT)).toBe(9_999_999_999.99)
    expect(() => centsFromAmount(10_000_000_000)).toThrow(RangeError)
  })

  test.prop([fc.integer({ min: 0, max: 9_999_999_999 }), fc.integer({ min: 0, max: 99 })])(
    'is exact for every dollar and cent that can be written',
    (dollars, rest) => {
      const text = `${dollars}.${String(rest).padStart(2, '0')}`
      expect(centsFromAmount(Number(text))).toBe(dollars * 100 + rest)
    },
  )

  test.prop([fc.integer({ min: 0, max: 9_999_999_999 }), fc.integer({ min: 0, max: 999 })])(
    'is refused whenever its third decimal is not 0',
    (dollars, rest) => {
      fc.pre(rest % 10 !== 0)
      const text = `${dollars}.${String(rest).padStart(3, '0')}`
      expect(() => centsFromAmount(Number(text))).toThrow(RangeError)
    },
  )

  test.prop([anyCents])('comes back as it went out', (amount) => {
    expect(centsFromAmount(amountFromCents(amount))).toBe(amount)
  })

  test.prop([anyAmount])('is written with at most two decimals', (amount) => {
    expect(String(amountFromCents(amount))).toMatch(/^\d+(\.\d{1,2})?$/)
  })
})

describe('adding', () => {
  test('0.1 and 0.2 dollars are 0.3 dollars', () => {
    expect(amountFromCents(addCents(centsFromAmount(0.1), centsFromAmount(0.2)))).toBe(0.3)
  })

  test('a sum may be larger than the largest amount', () => {
    expect(addCents(MAX_AMOUNT, MAX_AMOUNT)).toBe(1_999_999_999_998)
  })

  test('a sum too large to be exact is refused', () => {
    const doubled = Array.from({ length: 13 }).reduce<typeof MAX_AMOUNT>((sum) => addCents(sum, sum), MAX_AMOUNT)
    expect(() => addCents(doubled, doubled)).toThrow(RangeError)
  })

  test.prop([fc.array(anyCents, { maxLength: 50 })])('a sum is the same in any order', (amounts) => {
    const sum = amounts.reduce(addCents, cents(0))
    expect(amounts.toReversed().reduce(addCents, cents(0))).toBe(sum)
    expect(BigInt(sum)).toBe(amounts.reduce((total, one) => total + BigInt(one), 0n))
  })
})

describe('splitting', () => {
  test('the first parts carry what does not divide', () => {
    expect(split(cents(100), 3)).toEqual([34, 33, 33])
    expect(split(cents(-100), 3)).toEqual([-34, -33, -33])
    expect(split(cents(2), 4)).toEqual([1, 1, 0, 0])
    expect(split(cents(0), 2)).toEqual([0, 0])
    expect(split(cents(29), 1)).toEqual([29])
  })

  test.each([0, -1, 1.5, Number.NaN])('into %d parts is refused', (parts) => {
    expect(() => split(cents(100), parts)).toThrow(RangeError)
  })

  test.prop([anyCents, fc.integer({ min: 1, max: 60 })])(
    'loses no cent and favours nobody by more than one',
    (total, count) => {
      const parts = split(total, count)
      expect(parts).toHaveLength(count)
      expect(parts.reduce(addCents)).toBe(total)
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
    },
  )
})

describe('the value per month', () => {
  test('is the amount of a monthly, a third of a quarterly, a twelfth of a yearly contract', () => {
    expect(centsFromTwelfths(monthlyTwelfths(centsFromAmount(29), 'monthly'))).toBe(2900)
    expect(centsFromTwelfths(monthlyTwelfths(centsFromAmount(300), 'quarterly'))).toBe(10_000)
    expect(centsFromTwelfths(monthlyTwelfths(centsFromAmount(1200), 'yearly'))).toBe(10_000)
  })

  test('is rounded once in a sum: three quarterly contracts of a dollar are a dollar a month', () => {
    const one = monthlyTwelfths(centsFromAmount(1), 'quarterly')
    expect(centsFromTwelfths(one)).toBe(33)
    expect(centsFromTwelfths(one * 3)).toBe(100)
  })

  test('half a cent is rounded up', () => {
    expect(centsFromTwelfths(5)).toBe(0)
    expect(centsFromTwelfths(6)).toBe(1)
    expect(centsFromTwelfths(17)).toBe(1)
    expect(centsFromTwelfths(18)).toBe(2)
    expect(centsFromTwelfths(-6)).toBe(0)
    expect(centsFromTwelfths(-7)).toBe(-1)
  })

  test('of no contracts is 0', () => {
    expect(Object.is(centsFromTwelfths(0), 0)).toBe(true)
  })

  test.prop([anyAmount, anyCycle])('is a whole number of twelfths, even of the largest amount', (amount, cycle) => {
    expect(Number.isSafeInteger(monthlyTwelfths(amount, cycle))).toBe(true)
  })

  test.prop([anyAmount])('of a monthly contract is its amount', (amount) => {
    expect(centsFromTwelfths(monthlyTwelfths(amount, 'monthly'))).toBe(amount)
  })

  test.prop([fc.maxSafeInteger()])('is rounded exactly', (twelfths) => {
    fc.pre(Math.abs(twelfths) < Number.MAX_SAFE_INTEGER - 12)
    expect(centsFromTwelfths(twelfths)).toBe(roundedQuotient(twelfths, 12))
  })
})

describe('an average', () => {
  test('of nothing is 0', () => {
    expect(averageCents(cents(0), 0)).toBe(0)
    expect(averageCents(cents(100), 0)).toBe(0)
  })

  test('has half a cent rounded up', () => {
    expect(averageCents(cents(1), 2)).toBe(1)
    expect(averageCents(cents(100), 3)).toBe(33)
    expect(averageCents(cents(200), 3)).toBe(67)
  })

  test.prop([anyCents, anyCount])('is rounded exactly', (total, count) => {
    expect(averageCents(total, count)).toBe(roundedQuotient(total, count))
  })

  test.prop([fc.nat(9_999_999), anyCount])('of equal amounts is that amount', (amount, count) => {
    expect(averageCents(cents(amount * count), count)).toBe(amount)
  })
})

describe('a percentage', () => {
  test('of nothing is 0, never NaN', () => {
    expect(percent(0, 0)).toBe(0)
    expect(percent(5, 0)).toBe(0)
  })

  test('has one decimal, a half rounded up', () => {
    expect(percent(1, 3)).toBe(33.3)
    expect(percent(2, 3)).toBe(66.7)
    expect(percent(1, 8)).toBe(12.5)
    expect(percent(1, 16)).toBe(6.3)
    expect(percent(23, 2000)).toBe(1.2)
    expect(percent(3, 2)).toBe(150)
    expect(percent(7, 7)).toBe(100)
    expect(percent(0, 7)).toBe(0)
  })

  test.prop([fc.nat(100_000), anyCount])('lies within a twentieth of the exact value', (part, whole) => {
    expect(Math.abs(percent(part, whole) - (part / whole) * 100)).toBeLessThanOrEqual(0.05 + 1e-9)
    expect(String(percent(part, whole))).toMatch(/^\d+(\.\d)?$/)
  })
})
