import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const NOW = new Date('2026-03-10T12:00:00Z')

test.for([
  ['2026-03-10T12:00:30Z', 'Just now'],
  ['2026-03-10T11:59:01Z', 'Just now'],
  ['2026-03-10T11:59:00Z', '1m ago'],
  ['2026-03-10T11:00:01Z', '59m ago'],
  ['2026-03-10T11:00:00Z', '1h ago'],
  ['2026-03-09T12:00:01Z', '23h ago'],
  ['2026-03-09T12:00:00Z', '1d ago'],
  ['2026-02-08T12:00:00Z', '30d ago'],
])('seen at noon, %s was %s', ([moment = '', text]) => {
  expect(relativeTime(new Date(moment), NOW)).toBe(text)
})
