import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import {
  accessOf,
  graceEnd,
  isLive,
  readOnlyRefusal,
  screensOf,
  trialDaysLeft,
  type SubscriptionState,
} from './access.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const DAY = 86_400_000
const KNOWN = ['trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled', 'incomplete', 'incomplete_expired']

const anyInstant = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
const anySubscription: fc.Arbitrary<SubscriptionState | null> = fc.option(
  fc.record({
    status: fc.oneof(fc.constantFrom(...KNOWN), fc.string()),
    trialEnd: fc.option(anyInstant),
    pastDueSince: fc.option(anyInstant),
    endedAt: fc.option(anyInstant),
    everPaidOrTrialed: fc.boolean(),
  }),
)

function subscription(status: string, rest: Partial<SubscriptionState> = {}): SubscriptionState {
  return { status, trialEnd: null, pastDueSince: null, endedAt: null, everPaidOrTrialed: true, ...rest }
}

function ago(milliseconds: number): Date {
  return new Date(NOW.getTime() - milliseconds)
}

function opens(state: SubscriptionState | null) {
  return [accessOf(state, NOW), screensOf(state, NOW)]
}

describe('a subscription on trial or active', () => {
  test.each(['trialing', 'active'])('that is %s opens everything', (status) => {
    expect(opens(subscription(status))).toEqual(['full', 'app'])
  })

  test("keeps everything open after the trial's end, until its status says otherwise", () => {
    expect(opens(subscription('trialing', { trialEnd: ago(DAY) }))).toEqual(['full', 'app'])
  })
})

describe('a subscription past due', () => {
  test.each([0, 1, 3 * DAY, 7 * DAY - 1])('opens everything %i ms after the first failed invoice', (past) => {
    expect(opens(subscription('past_due', { pastDueSince: ago(past) }))).toEqual(['full', 'app'])
  })

  test.each([7 * DAY, 7 * DAY + 1, 400 * DAY])('opens reading and export %i ms after it', (past) => {
    expect(opens(subscription('past_due', { pastDueSince: ago(past) }))).toEqual(['read-only', 'app-read-only'])
  })

  test('opens everything where another clock puts the failure a little ahead', () => {
    expect(opens(subscription('past_due', { pastDueSince: ago(-1000) }))).toEqual(['full', 'app'])
  })

  test('is told when its days of grace end, and no other is', () => {
    const state = subscription('past_due', { pastDueSince: NOW })
    expect(graceEnd(state)).toEqual(ago(-7 * DAY))
    expect(graceEnd({ ...state, status: 'unpaid' })).toBeNull()
    expect(graceEnd({ ...state, pastDueSince: null })).toBeNull()
  })

  test('has no days of grace where nobody knows since when', () => {
    expect(opens(subscription('past_due'))).toEqual(['read-only', 'app-read-only'])
  })
})

test.each(['unpaid', 'paused'])('a subscription that is %s opens reading and export', (status) => {
  expect(opens(subscription(status))).toEqual(['read-only', 'app-read-only'])
})

describe('a canceled subscription', () => {
  test.each([0, 1, 30 * DAY - 1])(
    'can be read and exported %i ms after its end, while its screens lead to checkout',
    (past) => {
      expect(opens(subscription('canceled', { endedAt: ago(past) }))).toEqual(['read-only', 'checkout'])
    },
  )

  test.each([30 * DAY, 30 * DAY + 1, 400 * DAY])('leads to checkout only %i ms after its end', (past) => {
    expect(opens(subscription('canceled', { endedAt: ago(past) }))).toEqual(['checkout', 'checkout'])
  })

  test('leads to checkout at once where it was neither paid for nor on trial', () => {
    const state = subscription('canceled', { endedAt: ago(DAY), everPaidOrTrialed: false })
    expect(opens(state)).toEqual(['checkout', 'checkout'])
  })

  test('leads to checkout where its end is not known', () => {
    expect(opens(subscription('canceled'))).toEqual(['checkout', 'checkout'])
  })
})

describe('checkout is all that is open', () => {
  test.each(['incomplete', 'incomplete_expired', 'none', 'on_the_moon', '', 'Active', 'cancelled', 'constructor'])(
    'with the status "%s"',
    (status) => {
      expect(opens(subscription(status, { endedAt: ago(DAY), pastDueSince: ago(DAY) }))).toEqual([
        'checkout',
        'checkout',
      ])
    },
  )

  test('without a subscription', () => {
    expect(opens(null)).toEqual(['checkout', 'checkout'])
  })
})

test.prop([anySubscription, anyInstant])('the app can be written to exactly where everything is open', (state, now) => {
  expect(screensOf(state, now) === 'app').toBe(accessOf(state, now) === 'full')
})

test.prop([anySubscription, anyInstant])('no screen is open to anybody who may not even read', (state, now) => {
  if (accessOf(state, now) === 'checkout') expect(screensOf(state, now)).toBe('checkout')
})

test.prop([anySubscription, anyInstant, fc.nat(400 * DAY)])('time alone never opens more', (state, now, later) => {
  const order = ['checkout', 'read-only', 'full']
  const then = accessOf(state, new Date(now.getTime() + later))
  expect(order.indexOf(then)).toBeLessThanOrEqual(order.indexOf(accessOf(state, now)))
})

describe('the days left of a trial', () => {
  test.each([
    [14 * DAY, 14],
    [13 * DAY + 1, 14],
    [13 * DAY, 13],
    [1, 1],
    [0, 0],
    [-1, 0],
    [-400 * DAY, 0],
  ])('%i ms before its end are %i', (left, days) => {
    expect(trialDaysLeft(ago(-left), NOW)).toBe(days)
  })

  test('are 0 without a trial', () => {
    expect(trialDaysLeft(null, NOW)).toBe(0)
  })
})

describe('a second checkout', () => {
  test.each(['trialing', 'active', 'past_due', 'unpaid', 'paused', 'incomplete'])(
    'is not allowed beside a subscription that is %s',
    (status) => {
      expect(isLive(status)).toBe(true)
    },
  )

  test.each(['canceled', 'incomplete_expired', 'none', 'on_the_moon', ''])('is allowed where it is "%s"', (status) => {
    expect(isLive(status)).toBe(false)
  })
})

test.each([
  ['canceled', 'SUBSCRIPTION_ENDED'],
  ['paused', 'SUBSCRIPTION_PAUSED'],
  ['past_due', 'PAYMENT_OVERDUE'],
  ['unpaid', 'PAYMENT_OVERDUE'],
])('a subscription that is %s refuses to be written to as %s', (status, refusal) => {
  expect(readOnlyRefusal(status)).toBe(refusal)
})
