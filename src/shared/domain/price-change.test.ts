import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { centsFromAmount } from './money.ts'
import { changedPrice, PRICE_CHANGES } from './price-change.ts'

const dollars = centsFromAmount
const CENT = dollars(0.01)

describe('a price', () => {
  test.each([
    ['5 percent more', 100, { by: 'percent', hundredths: 500, roundToCents: CENT }, 105],
    [
      '5 percent more than an odd price, to the cent',
      33.33,
      { by: 'percent', hundredths: 500, roundToCents: CENT },
      35,
    ],
    ['half a cent, which is rounded up', 0.1, { by: 'percent', hundredths: 500, roundToCents: CENT }, 0.11],
    ['a third of a percent less', 300, { by: 'percent', hundredths: -33, roundToCents: CENT }, 299.01],
    ['4 percent more, to 5 dollars', 99, { by: 'percent', hundredths: 400, roundToCents: dollars(5) }, 105],
    ['half of 5 dollars, which is rounded up', 100, { by: 'amount', hundredths: 250, roundToCents: dollars(5) }, 105],
    ['12.50 more', 87.5, { by: 'amount', hundredths: 1250, roundToCents: CENT }, 100],
    ['12.50 less', 87.5, { by: 'amount', hundredths: -1250, roundToCents: CENT }, 75],
    ['changed to 49', 120, { by: 'to', hundredths: 4900, roundToCents: CENT }, 49],
  ] as const)('%s', (_what, before, change, after) => {
    expect(changedPrice(dollars(before), change)).toBe(dollars(after))
  })

  test.each([
    ['is not free', 5, { by: 'amount', hundredths: -500, roundToCents: CENT }],
    ['is not negative', 5, { by: 'amount', hundredths: -10_000, roundToCents: CENT }],
    ['is not rounded down to nothing', 2, { by: 'percent', hundredths: 0, roundToCents: dollars(5) }],
    ['is not beyond the largest amount', 9_999_999_999, { by: 'percent', hundredths: 100, roundToCents: CENT }],
  ] as const)('%s', (_what, before, change) => {
    expect(changedPrice(dollars(before), change)).toBeUndefined()
  })

  test('is the nearest multiple of what it is rounded to', () => {
    const anyChange = fc.record({
      by: fc.constantFrom(...PRICE_CHANGES),
      hundredths: fc.integer({ min: -9999, max: 100_000 }),
      roundToCents: fc.constantFrom(0.01, 0.05, 1, 5, 10).map(dollars),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), anyChange, (before, change) => {
        const { by, hundredths, roundToCents } = change
        const price = changedPrice(dollars(before / 100), change)
        const exact =
          by === 'percent' ? (before * (10_000 + hundredths)) / 10_000 : hundredths + (by === 'to' ? 0 : before)
        // Undefined only where it would be nothing.
        const multiple = price ?? 0
        expect(multiple % roundToCents).toBe(0)
        expect(Math.abs(multiple - Math.max(0, exact))).toBeLessThanOrEqual(roundToCents / 2 + 1e-6)
      }),
    )
  })
})
