import { expect, test } from 'vitest'
import { gateOf, withoutParameter } from './gate.ts'

test('a signed-out visitor goes to sign-in, also on the way back from payment', () => {
  expect(gateOf({ screens: null, hasPaid: false })).toBe('sign-in')
  expect(gateOf({ screens: null, hasPaid: true })).toBe('sign-in')
})

test('without a subscription that opens the app one goes to checkout', () => {
  expect(gateOf({ screens: 'checkout', hasPaid: false })).toBe('checkout')
})

test('on the way back from payment the subscription is waited for', () => {
  expect(gateOf({ screens: 'checkout', hasPaid: true })).toBe('activation')
})

test('a subscription that opens the app, even only for reading, opens the screen', () => {
  expect(gateOf({ screens: 'app', hasPaid: false })).toBe('app')
  expect(gateOf({ screens: 'app-read-only', hasPaid: false })).toBe('app')
  expect(gateOf({ screens: 'app', hasPaid: true })).toBe('app')
})

test('cleaning an address leaves everything else in it as it was', () => {
  expect(withoutParameter('/dashboard?stripe_success=true', 'stripe_success')).toBe('/dashboard')
  expect(withoutParameter('/contracts?search=a%20b&stripe_success=true&sort=amount#x', 'stripe_success')).toBe(
    '/contracts?search=a%20b&sort=amount#x',
  )
  expect(withoutParameter('/contracts?search=stripe_success', 'stripe_success')).toBe(
    '/contracts?search=stripe_success',
  )
})
