import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { ticksAbove } from './ticks.ts'

test.each([
  [1, [0, 1, 2]],
  [4, [0, 1, 2, 3, 4, 5]],
  [10, [0, 5, 10, 15]],
  [91, [0, 25, 50, 75, 100]],
])('%s contracts are measured in whole ones', (largest, ticks) => {
  expect(ticksAbove(largest, 'contracts')).toEqual(ticks)
})

test.each([
  [0.01, [0, 0.01, 0.02]],
  [999, [0, 250, 500, 750, 1000]],
  [37_650, [0, 10_000, 20_000, 30_000, 40_000]],
])('%s dollars are measured in round figures', (largest, ticks) => {
  expect(ticksAbove(largest, 'money')).toEqual(ticks)
})

const anyUnit = fc.constantFrom('money' as const, 'contracts' as const)

test.prop([fc.integer({ min: 1, max: 999_999_999_999 }), anyUnit])(
  'a few ticks begin at 0 and end above the largest value',
  (largest, unit) => {
    const ticks = ticksAbove(largest, unit)
    expect(ticks[0]).toBe(0)
    expect(ticks.at(-1)).toBeGreaterThan(largest)
    expect(ticks.at(-2)).toBeLessThanOrEqual(largest)
    expect(ticks.length).toBeLessThanOrEqual(6)
    expect(new Set(ticks).size).toBe(ticks.length)
  },
)
