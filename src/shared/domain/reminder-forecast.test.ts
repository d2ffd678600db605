import { describe, expect, test } from 'vitest'
import { addDays, toDay } from './day.ts'
import { comingSpan, forecast, forecastChange } from './reminder-forecast.ts'
import type { PastMessage, Subject } from './reminder-plan.ts'
import { DEFAULT_PREFERENCES, type ReminderPreferences } from './reminder-preferences.ts'

const TODAY = toDay('2026-03-10')
const REACHABLE = { email: 'a@b.test', sendNotifications: true, hasBounced: false, closed: null }

function aSubject(changes: Partial<ReminderPreferences> = {}, history: PastMessage[] = []): Subject {
  return {
    contract: { status: 'active', renewalDate: addDays(TODAY, 14) },
    customer: REACHABLE,
    owner: REACHABLE,
    preferences: { ...DEFAULT_PREFERENCES, notificationMethods: { email: false, inApp: false }, ...changes },
    history,
  }
}

function dueIn(subject: Subject) {
  return forecast(subject, comingSpan(TODAY))
    .filter(({ verdict }) => verdict === 'due')
    .map(({ kind, offset, day }) => [kind, offset, day])
}

describe('the forecast', () => {
  test('has every message of the coming days on its own day, today among them', () => {
    expect(dueIn(aSubject())).toEqual([
      ['reminder', 14, '2026-03-10'],
      ['reminder', 7, '2026-03-17'],
      ['reminder', 1, '2026-03-23'],
      ['follow_up', 1, '2026-03-25'],
      ['follow_up', 3, '2026-03-27'],
      ['follow_up', 7, '2026-03-31'],
    ])
  })

  test('leaves out what the ledger has decided, and what a message put off takes the place of', () => {
    const line = { recipient: 'customer', contactId: 0, channel: 'email' } as const
    const putOff = { kind: 'reminder', offset: 14, day: addDays(TODAY, 8), counts: true, ...line } as const
    expect(dueIn(aSubject({}, [putOff]))).toEqual([
      ['reminder', 1, '2026-03-23'],
      ['follow_up', 1, '2026-03-25'],
      ['follow_up', 3, '2026-03-27'],
      ['follow_up', 7, '2026-03-31'],
    ])
  })

  test('is without messages where they are turned off', () => {
    expect(dueIn(aSubject({ enableNotifications: false }))).toEqual([])
  })
})

test('other preferences add messages and take some away', () => {
  const before = forecast(aSubject(), comingSpan(TODAY))
  const after = forecast(aSubject({ reminderDays: [14, 3], followUpDays: [1, 3, 7] }), comingSpan(TODAY))
  const { added, removed } = forecastChange(before, after)
  expect(added.map(({ offset }) => offset)).toEqual([3])
  expect(removed.map(({ offset }) => offset)).toEqual([7, 1])
  expect(forecastChange(before, before)).toEqual({ added: [], removed: [] })
})
