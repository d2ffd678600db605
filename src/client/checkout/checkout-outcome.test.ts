import { expect, test } from 'vitest'
import { checkoutOutcome } from './checkout-outcome.ts'

const trialing = { status: 'trialing', screens: 'app' }
const back = { isSignedIn: true, sessionId: 'cs_1', subscription: trialing }

test('what has started is told by the subscription, and not by the address', () => {
  expect(checkoutOutcome(back)).toBe('trial')
  expect(checkoutOutcome({ ...back, subscription: { status: 'active', screens: 'app' } })).toBe('subscription')
  expect(checkoutOutcome({ ...back, subscription: { status: 'canceled', screens: 'checkout' } })).toBe('unconfirmed')
  expect(checkoutOutcome({ ...back, subscription: undefined })).toBe('unconfirmed')
})

test('a missing session is an error, and somebody signed out is told nothing', () => {
  expect(checkoutOutcome({ ...back, sessionId: undefined })).toBe('no-session')
  expect(checkoutOutcome({ ...back, sessionId: '' })).toBe('no-session')
  expect(checkoutOutcome({ ...back, isSignedIn: false })).toBe('signed-out')
})
