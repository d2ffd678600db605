import { expect, test } from 'vitest'
import { toDay } from './day.ts'
import { isWithinGuarantee } from './guarantee.ts'

test.each([
  ['2026-02-20', '2026-02-20', true],
  ['2026-02-20', '2026-03-06', true],
  ['2026-02-20', '2026-03-07', false],
])('paid on %s and written on %s is in time: %s', (paidOn, writtenOn, isInTime) => {
  expect(isWithinGuarantee(toDay(paidOn), toDay(writtenOn))).toBe(isInTime)
})
