import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { addDays, toDay } from './day.ts'
import { occasionsOf, renewalDatesWithOccasions } from './reminder-occasions.ts'
import { DEFAULT_PREFERENCES, FOLLOW_UP_DAYS, preferencesOf, REMINDER_DAYS } from './reminder-preferences.ts'

const RENEWAL = toDay('2026-12-31')
const NOTHING = { enableNotifications: null, reminderDays: null, followUpDays: null, email: null, inApp: null }

describe('the occasions of a renewal date', () => {
  test('are 30, 14, 7 and 1 days before it and 1, 3 and 7 days after it, unless chosen otherwise', () => {
    expect(occasionsOf(RENEWAL, DEFAULT_PREFERENCES).map(({ kind, day }) => `${kind} ${day}`)).toEqual([
      'reminder 2026-12-01',
      'reminder 2026-12-17',
      'reminder 2026-12-24',
      'reminder 2026-12-30',
      'follow_up 2027-01-01',
      'follow_up 2027-01-03',
      'follow_up 2027-01-07',
    ])
  })

  test('are those that were chosen', () => {
    const chosen = { ...DEFAULT_PREFERENCES, reminderDays: [3], followUpDays: [] }
    expect(occasionsOf(RENEWAL, chosen)).toEqual([{ kind: 'reminder', offset: 3, day: '2026-12-28' }])
  })
})

test.each([
  ['1900-01-05', ['reminder 1900-01-04', 'follow_up 1900-01-06', 'follow_up 1900-01-08', 'follow_up 1900-01-12']],
  [
    '2999-12-30',
    [
      'reminder 2999-11-30',
      'reminder 2999-12-16',
      'reminder 2999-12-23',
      'reminder 2999-12-29',
      'follow_up 2999-12-31',
    ],
  ],
])('at the end of the calendar, %s has those that have a day', (renewalDate, expected) => {
  const occasions = occasionsOf(toDay(renewalDate), DEFAULT_PREFERENCES)
  expect(occasions.map(({ kind, day }) => `${kind} ${day}`)).toEqual(expected)
})

test.prop([fc.integer({ min: -40, max: 40 }), fc.integer({ min: 0, max: 20 })])(
  'the renewal dates that are looked up are those with an occasion in the days',
  (distance, length) => {
    const today = toDay('2026-06-15')
    const days = { from: addDays(today, -length), through: today }
    const renewalDate = addDays(today, distance)
    const all = { ...DEFAULT_PREFERENCES, reminderDays: [...REMINDER_DAYS], followUpDays: [...FOLLOW_UP_DAYS] }
    const hasOccasion = occasionsOf(renewalDate, all).some(({ day }) => day >= days.from && day <= today)
    expect(renewalDatesWithOccasions(days).includes(renewalDate)).toBe(hasOccasion)
  },
)

describe('the preferences of a contract', () => {
  test("are its account's where it has none of its own", () => {
    expect(preferencesOf(DEFAULT_PREFERENCES, null)).toEqual(DEFAULT_PREFERENCES)
    expect(preferencesOf(DEFAULT_PREFERENCES, NOTHING)).toEqual(DEFAULT_PREFERENCES)
  })

  test('are its own, field by field', () => {
    const own = { ...NOTHING, enableNotifications: false, reminderDays: [], email: false }
    expect(preferencesOf(DEFAULT_PREFERENCES, own)).toEqual({
      enableNotifications: false,
      reminderDays: [],
      followUpDays: [1, 3, 7],
      notificationMethods: { email: false, inApp: true },
    })
  })
})
