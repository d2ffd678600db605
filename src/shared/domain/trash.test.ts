import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { daysToRestore, goneAt, latestGone, TRASH_DAYS } from './trash.ts'

const NOON = new Date('2026-03-10T12:00:00Z')
const anInstant = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

test.each([
  ['2026-03-10T12:00:00Z', 30],
  ['2026-03-10T12:00:01Z', 30],
  ['2026-03-11T12:00:00Z', 29],
  ['2026-04-09T11:59:59Z', 1],
  ['2026-04-09T12:00:00Z', 0],
  ['2026-05-01T00:00:00Z', 0],
])('at %s, %i days are left to restore what was deleted on March 10', (now, days) => {
  expect(daysToRestore(NOON, new Date(now))).toBe(days)
})

property.prop([anInstant, anInstant])(
  'what has no day left is deleted for good, and nothing else',
  (deletedAt, now) => {
    expect(deletedAt <= latestGone(now)).toBe(goneAt(deletedAt) <= now)
    expect(daysToRestore(deletedAt, now) === 0).toBe(deletedAt <= latestGone(now))
    if (deletedAt <= now) expect(daysToRestore(deletedAt, now)).toBeLessThanOrEqual(TRASH_DAYS)
  },
)
