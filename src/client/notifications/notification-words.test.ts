import { expect, test } from 'vitest'
import { whenText, withUnbrokenDates } from './notification-words.ts'

const now = new Date('2026-11-21T15:00:00Z')

test.each([
  ['2026-11-21T08:05:00Z', 'Today at 8:05 AM'],
  ['2026-11-20T22:00:00Z', 'Yesterday at 10:00 PM'],
  ['2026-11-19T23:59:00Z', '2 days ago'],
  ['2026-11-15T00:00:00Z', '6 days ago'],
  ['2026-11-14T23:00:00Z', 'Nov 14, 2026'],
])('what came at %s reads "%s"', (createdAt, text) => {
  const words = whenText(new Date(createdAt), { now, timeZone: 'UTC' })
  expect(words.replaceAll('\u202f', ' ')).toBe(text)
})

test('yesterday is the day before in the time zone', () => {
  const words = whenText(new Date('2026-11-21T05:00:00Z'), { now, timeZone: 'America/Los_Angeles' })
  expect(words.replaceAll('\u202f', ' ')).toBe('Yesterday at 9:00 PM')
})

test('a date in a message does not break', () => {
  const message = withUnbrokenDates('It renews on December 31, 2026. It was due on May 1, 2026, in March.')
  expect(message).toBe('It renews on December\u00A031,\u00A02026. It was due on May\u00A01,\u00A02026, in March.')
})
