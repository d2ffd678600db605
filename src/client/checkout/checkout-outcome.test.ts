import { expect, test } from 'vitest'
import { checkoutOutcome } from './checkout-outcome.ts'

const NEVER = { trialEnd: null, endedAt: null }
const trialing = { ...NEVER, status: 'trialing', screens: 'app' }
const back = { isSignedIn: true, sessionId: 'cs_1', subscription: trialing }

test('what has started is told by the subscription, and not by the address', () => {
  expect(checkoutOutcome(back)).toBe('trial')
  const active = { ...NEVER, status: 'active', screens: 'app' }
  const canceled = { ...NEVER, status: 'canceled', screens: 'checkout' }
  expect(checkoutOutcome({ ...back, subscription: active })).toBe('subscription')
  expect(checkoutOutcome({ ...back, subscription: canceled })).toBe('unconfirmed')
  expect(checkoutOutcome({ ...back, subscription: undefined })).toBe('unconfirmed')
})

test('a missing session is an error, and somebody signed out is told nothing', () => {
  expect(checkoutOutcome({ ...back, sessionId: undefined })).toBe('no-session')
  expect(checkoutOutcome({ ...back, sessionId: '' })).toBe('no-session')
  expect(checkoutOutcome({ ...back, isSignedIn: false })).toBe('signed-out')
})

test('a trial that ended before its time was a second one, which is not waited for', () => {
  const ended = (endedAt: string) => ({
    ...back,
    subscription: {
      status: 'canceled',
      screens: 'checkout',
      trialEnd: new Date('2026-03-24'),
      endedAt: new Date(endedAt),
    },
  })
  expect(checkoutOutcome(ended('2026-03-10'))).toBe('trial-refused')
  expect(checkoutOutcome(ended('2026-06-10'))).toBe('unconfirmed')
})
