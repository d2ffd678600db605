import { test as property, fc } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import {
  endOfTrialWithoutCard,
  nextAttempt,
  nextHappening,
  RETRY_AFTER_DAYS,
  statusAfterFailure,
  type Life,
} from './subscription-life.ts'

const DAY = 86_400
const START = 1_800_000_000

function aLife(changes: Partial<Life> = {}): Life {
  const trialEnd = START + 14 * DAY
  return {
    status: 'trialing',
    startedAt: START,
    trialEnd,
    periodEnd: trialEnd,
    cancelAt: null,
    reminded: false,
    ...changes,
  }
}

test('the end of a trial is announced three days before', () => {
  expect(nextHappening(aLife())).toEqual({ what: 'trial will end', at: START + 11 * DAY })
})

test('the end of a trial shorter than three days is announced at once', () => {
  expect(nextHappening(aLife({ trialEnd: START + DAY }))).toEqual({ what: 'trial will end', at: START })
})

test('an announced trial ends with its period', () => {
  expect(nextHappening(aLife({ reminded: true }))).toEqual({ what: 'trial ends', at: START + 14 * DAY })
})

test('a trial that is to be canceled at its end is canceled, not billed', () => {
  const life = aLife({ reminded: true, cancelAt: START + 14 * DAY })
  expect(nextHappening(life)).toEqual({ what: 'canceled', at: START + 14 * DAY })
})

test.each(['active', 'past_due'] as const)('one that is %s renews at the end of its period', (status) => {
  const life = aLife({ status, trialEnd: null, periodEnd: START + 30 * DAY })
  expect(nextHappening(life)).toEqual({ what: 'renews', at: START + 30 * DAY })
})

test('a first payment is waited for 23 hours', () => {
  const life = aLife({ status: 'incomplete', trialEnd: null })
  expect(nextHappening(life)).toEqual({ what: 'first payment given up', at: START + 23 * 3600 })
})

test.each(['canceled', 'incomplete_expired'] as const)('nothing more happens to one that is %s', (status) => {
  expect(nextHappening(aLife({ status, cancelAt: START + DAY }))).toBeNull()
})

test('a paused one waits for ever, unless it was told to end', () => {
  expect(nextHappening(aLife({ status: 'paused' }))).toBeNull()
  expect(nextHappening(aLife({ status: 'paused', cancelAt: START + DAY }))?.what).toBe('canceled')
})

test('without a card the end of the trial does what was asked for', () => {
  const ways = ['create_invoice', 'pause', 'cancel'] as const
  expect(ways.map(endOfTrialWithoutCard)).toEqual(['bill', 'pause', 'cancel'])
})

test('a failed charge is tried again after 3, then 5, then 7 days, and then no more', () => {
  const days = [1, 2, 3, 4].map((attempts) => nextAttempt(attempts, START)).map((at) => at && (at - START) / DAY)
  expect(days).toEqual([...RETRY_AFTER_DAYS, null])
})

test('a subscription is past due while tries are left, and canceled after the last', () => {
  expect(statusAfterFailure('active', START)).toBe('past_due')
  expect(statusAfterFailure('past_due', null)).toBe('canceled')
  expect(statusAfterFailure('incomplete', null)).toBe('incomplete')
})

const moment = fc.integer({ min: START, max: START + 90 * DAY })

property.prop([moment, moment, fc.boolean()])(
  'nothing is ever due after the cancellation',
  (cancelAt, end, reminded) => {
    const life = aLife({ trialEnd: end, periodEnd: end, cancelAt, reminded })
    expect(nextHappening(life)?.at).toBeLessThanOrEqual(cancelAt)
  },
)
