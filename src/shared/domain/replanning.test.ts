import { describe, expect, test } from 'vitest'
import { CONTRACT_STATUSES } from './contract-status.ts'
import type { Term } from './contract-term.ts'
import { addDays, dayIn, toDay } from './day.ts'
import { renewalDatesWithOccasions } from './reminder-occasions.ts'
import { emailsStartOver, mayBeDue, quietUntil, remindersStartOver } from './replanning.ts'

const TODAY = toDay('2026-03-10')
const TERM: Term = { status: 'active', renewalDate: toDay('2026-03-24') }

describe('reminders start over', () => {
  test('with another renewal date, whatever the status', () => {
    for (const status of CONTRACT_STATUSES) {
      const later = { status, renewalDate: toDay('2026-04-24') }
      expect(remindersStartOver({ ...TERM, status }, later)).toBe(true)
    }
  })

  test('where the contract opens again, and with no other change of status', () => {
    const changes = CONTRACT_STATUSES.flatMap((from) => CONTRACT_STATUSES.map((to) => ({ from, to })))
    const starting = changes.filter(({ from, to }) =>
      remindersStartOver({ ...TERM, status: from }, { ...TERM, status: to }),
    )
    expect(starting.map(({ from, to }) => `${from} to ${to}`)).toEqual([
      'expired to pending',
      'expired to active',
      'cancelled to pending',
      'cancelled to active',
    ])
  })
})

test.each([
  ['2026-11-01', '2026-11-02', 'a day of 25 hours'],
  ['2026-03-07', '2026-03-08', 'before a day of 23 hours'],
  ['2026-06-01', '2026-06-02', 'any other day'],
])('after an import on %s reminders count from %s on (%s)', (today, tomorrow) => {
  const since = quietUntil(toDay(today), 'America/New_York')
  for (const zone of ['America/New_York', 'Pacific/Honolulu', 'Europe/Berlin', 'Asia/Dubai'])
    expect([zone, dayIn(since, zone)]).toEqual([zone, tomorrow])
})

describe('all emails about the renewal date start over', () => {
  const saved = { ...TERM, customerId: 7, endsOn: null }

  test.each([
    ['as it is', {}, false],
    ['for another date', { renewalDate: addDays(TODAY, 400) }, true],
    ['to another customer', { customerId: 8 }, true],
    ['to no customer yet', { customerId: null }, true],
  ])('of a contract that is saved %s: %j %s', (_how, changes, expected) => {
    expect(emailsStartOver(saved, { ...TERM, customerId: 7, ...changes })).toBe(expected)
  })

  test('of one that was set to end and no longer does, and not of one that goes on ending', () => {
    const ending = { ...saved, endsOn: TODAY }
    expect(emailsStartOver(ending, { ...TERM, customerId: 7, endsOn: null })).toBe(true)
    expect(emailsStartOver(ending, { ...TERM, customerId: 7 })).toBe(false)
    expect(emailsStartOver(saved, { ...TERM, customerId: 7, endsOn: null })).toBe(false)
  })
})

describe('a contract may be due', () => {
  test('on every day that has an occasion, and on the next', () => {
    const dates = renewalDatesWithOccasions({ from: TODAY, through: addDays(TODAY, 1) })
    expect(dates.filter((renewalDate) => !mayBeDue({ status: 'active', renewalDate }, TODAY))).toEqual([])
  })

  test('from 31 days after its renewal date back to 31 days before it', () => {
    const isDueIn = (days: number) => mayBeDue({ status: 'pending', renewalDate: addDays(TODAY, days) }, TODAY)
    expect([-32, -31, 31, 32].map(isDueIn)).toEqual([false, true, true, false])
  })

  test('only while it is open', () => {
    expect(CONTRACT_STATUSES.filter((status) => mayBeDue({ ...TERM, status }, TODAY))).toEqual(['pending', 'active'])
  })
})
