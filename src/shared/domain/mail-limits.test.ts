import { describe, expect, test } from 'vitest'
import type { SubscriptionState } from './access.ts'
import { limitOfAccount, limitsResetAt, mailboxOf, mailDay, triedAgainAt } from './mail-limits.ts'

const LIMITS = { toAddress: 5, ofTrial: 50, ofPaying: 1000 }
const NOW = new Date('2026-04-10T12:00:00Z')
const HOUR = 3_600_000

function aSubscription(changes: Partial<SubscriptionState>): SubscriptionState {
  return { status: 'active', trialEnd: null, pastDueSince: null, endedAt: null, everPaidOrTrialed: true, ...changes }
}

describe('how many emails to customers an account may send on a day', () => {
  const trialEnd = new Date('2026-03-01T00:00:00Z')

  test.each([
    ['in trial', aSubscription({ status: 'trialing', trialEnd }), 50],
    ['that pays', aSubscription({ trialEnd }), 1000],
    ['that pays without a trial', aSubscription({}), 1000],
    ['whose trial has just ended', aSubscription({ trialEnd: new Date(NOW.getTime() - HOUR) }), 50],
    ['whose trial ended a day ago', aSubscription({ trialEnd: new Date(NOW.getTime() - 24 * HOUR) }), 1000],
    ['whose trial ends later, though it is active', aSubscription({ trialEnd: new Date(NOW.getTime() + HOUR) }), 50],
    ['whose first payment failed', aSubscription({ status: 'past_due', trialEnd, pastDueSince: trialEnd }), 50],
    [
      'whose later payment failed',
      aSubscription({ status: 'past_due', trialEnd, pastDueSince: new Date('2026-04-01T00:00:00Z') }),
      1000,
    ],
    ['without a subscription', null, 50],
  ])('one %s', (_what, subscription, limit) => {
    expect(limitOfAccount(LIMITS, subscription, NOW)).toBe(limit)
  })
})

describe('addresses of one mailbox count as one', () => {
  test.each([
    ['Bob@Example.com', 'bob@example.com'],
    [' bob@example.com. ', 'bob@example.com'],
    ['bob+news@example.com', 'bob@example.com'],
    ['bob+a+b@EXAMPLE.com', 'bob@example.com'],
    ['bob.@example.com', 'bob@example.com'],
    ['b.o.b+x@googlemail.com', 'bob@gmail.com'],
    ['b.o.b@example.com', 'b.o.b@example.com'],
    ['+tag@example.com', '@example.com'],
    ['nobody', 'nobody'],
  ])('%s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox)
  })
})

describe('a message that met a limit', () => {
  test('is tried again at the account’s hour, once the next day of the limits has begun', () => {
    const berlin = { hour: 8, timeZone: 'Europe/Berlin' }
    expect(triedAgainAt(new Date('2026-03-10T07:00:00Z'), berlin)).toEqual(new Date('2026-03-11T07:00:00Z'))
    const auckland = { hour: 8, timeZone: 'Pacific/Auckland' }
    expect(triedAgainAt(new Date('2026-03-10T19:00:00Z'), auckland)).toEqual(new Date('2026-03-11T19:00:00Z'))
    const late = { hour: 20, timeZone: 'America/New_York' }
    expect(triedAgainAt(new Date('2026-03-10T23:59:00Z'), late)).toEqual(new Date('2026-03-11T00:00:00Z'))
  })

  test('counts by the day in UTC, whatever the account’s time zone', () => {
    const now = new Date('2026-03-10T23:30:00Z')
    expect(mailDay(now)).toBe('2026-03-10')
    expect(limitsResetAt(now)).toEqual(new Date('2026-03-11T00:00:00Z'))
  })
})
