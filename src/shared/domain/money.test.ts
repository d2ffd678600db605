import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import {
  amountFromCents,
  amountFromSum,
  averageCents,
  centsFromAmount,
  centsFromTwelfths,
  MAX_AMOUNT,
  monthlyTwelfths,
  percent,
  split,
} from './money.ts'
import { monthsOf, RENEWAL_CYCLES } from './renewal-cycle.ts'

const LARGEST = 999_999_999_999
const anyAmount = fc.integer({ min: 0, max: LARGEST }).map(cents)
const anyCents = fc.integer({ min: -LARGEST, max: LARGEST }).map(cents)
const MOST_CENTS = BigInt(LARGEST) * 100_000n
const anySum = fc.bigInt({ min: -MOST_CENTS, max: MOST_CENTS })
const anyCycle = fc.constantFrom(...RENEWAL_CYCLES)
const anyCount = fc.integer({ min: 1, max: 100_000 })

function cents(count: number) {
  return centsFromAmount(count / 100)
}

/** Exact, for comparison: a/b rounded to the nearest whole number, a half upwards. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const [twice, whole] = [2n * dividend + divisor, 2n * divisor]
  const cut = twice / whole
  return twice < 0n && twice % whole !== 0n ? cut - 1n : cut
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
    expect(amountFromSum(BigInt(centsFromAmount(0.1)) + BigInt(centsFromAmount(0.2)))).toBe(0.3)
  })

  test('100,000 contracts of the largest amount are told to the cent', () => {
    const total = BigInt(MAX_AMOUNT) * 100_000n
    expect(JSON.stringify(amountFromSum(total))).toBe('999999999999000')
    expect(amountFromSum(averageCents(total, 100_000))).toBe(9_999_999_999.99)
    for (const cycle of RENEWAL_CYCLES) {
      const monthly = centsFromTwelfths(monthlyTwelfths(total, cycle))
      expect(monthly).toBe(roundedQuotient(total, BigInt(monthsOf(cycle))))
    }
  })

  test.prop([fc.array(anyCents, { maxLength: 50 })])('a sum of few amounts is sent as one amount is', (amounts) => {
    const sum = amounts.reduce((total, one) => total + BigInt(one), 0n)
    expect(amountFromSum(sum)).toBe(Number(sum) / 100)
  })

  test.prop([anySum])('a sum of up to 100,000 amounts is sent as the number nearest to it', (sum) => {
    const amount = amountFromSum(sum)
    const [dollars = '', rest = ''] = amount.toFixed(6).split('.')
    const millionths = BigInt(dollars + rest)
    const difference = millionths - sum * 10_000n
    // Between neighbours there is an eighth of a dollar at most.
    expect(difference < 0n ? -difference : difference).toBeLessThanOrEqual(62_500n)
  })

  test.prop([fc.bigInt({ min: 0n, max: 2n ** 46n * 100n })])(
    'a sum up to 2^46 dollars is sent with its two decimals',
    (sum) => {
      expect(amountFromSum(sum).toFixed(2)).toBe(`${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`)
    },
  )
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
    'loses no cent and favors nobody by more than one',
    (total, count) => {
      const parts = split(total, count)
      expect(parts).toHaveLength(count)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total)
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
    },
  )
})

describe('the value per month', () => {
  test('is the amount of a monthly, a third of a quarterly, a twelfth of a yearly contract', () => {
    expect(centsFromTwelfths(monthlyTwelfths(2900n, 'monthly'))).toBe(2900n)
    expect(centsFromTwelfths(monthlyTwelfths(30_000n, 'quarterly'))).toBe(10_000n)
    expect(centsFromTwelfths(monthlyTwelfths(120_000n, 'yearly'))).toBe(10_000n)
  })

  test('is rounded once in a sum: three quarterly contracts of a dollar are a dollar a month', () => {
    const one = monthlyTwelfths(100n, 'quarterly')
    expect(centsFromTwelfths(one)).toBe(33n)
    expect(centsFromTwelfths(one * 3n)).toBe(100n)
  })

  test('half a cent is rounded up', () => {
    expect(centsFromTwelfths(5n)).toBe(0n)
    expect(centsFromTwelfths(6n)).toBe(1n)
    expect(centsFromTwelfths(17n)).toBe(1n)
    expect(centsFromTwelfths(18n)).toBe(2n)
    expect(centsFromTwelfths(-6n)).toBe(0n)
    expect(centsFromTwelfths(-7n)).toBe(-1n)
  })

  test('of no contracts is 0', () => {
    expect(centsFromTwelfths(0n)).toBe(0n)
  })

  test.prop([anyAmount, anyCycle])('is a whole number of twelfths, even of the largest amount', (amount, cycle) => {
    expect(monthlyTwelfths(BigInt(amount), cycle) * BigInt(monthsOf(cycle))).toBe(BigInt(amount) * 12n)
  })

  test.prop([anyAmount])('of a monthly contract is its amount', (amount) => {
    expect(centsFromTwelfths(monthlyTwelfths(BigInt(amount), 'monthly'))).toBe(BigInt(amount))
  })

  test.prop([fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n })])('is rounded exactly', (twelfths) => {
    expect(centsFromTwelfths(twelfths)).toBe(roundedQuotient(twelfths, 12n))
  })
})

describe('an average', () => {
  test('of nothing is 0', () => {
    expect(averageCents(0n, 0)).toBe(0n)
    expect(averageCents(100n, 0)).toBe(0n)
  })

  test('has half a cent rounded up', () => {
    expect(averageCents(1n, 2)).toBe(1n)
    expect(averageCents(100n, 3)).toBe(33n)
    expect(averageCents(200n, 3)).toBe(67n)
  })

  test.prop([anySum, anyCount])('is rounded exactly', (total, count) => {
    expect(averageCents(total, count)).toBe(roundedQuotient(total, BigInt(count)))
  })

  test.prop([anyAmount, anyCount])('of equal amounts is that amount', (amount, count) => {
    expect(averageCents(BigInt(amount) * BigInt(count), count)).toBe(BigInt(amount))
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
