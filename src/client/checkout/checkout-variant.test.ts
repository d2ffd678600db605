import { expect, test } from 'vitest'
import { checkoutVariant, startsByItself } from './checkout-variant.ts'

const visitor = { isSignedIn: false, isSettingUp: false, trial: false, hasPendingSignUp: false }

test('a signed-out visitor sees the plain variant, with a trial flag or a pending sign-up the form', () => {
  expect(checkoutVariant(visitor)).toBe('landing')
  expect(checkoutVariant({ ...visitor, trial: true })).toBe('sign-up')
  expect(checkoutVariant({ ...visitor, hasPendingSignUp: true })).toBe('sign-up')
})

test('a signed-in visitor is welcomed, unless checkout is being set up', () => {
  expect(checkoutVariant({ ...visitor, isSignedIn: true, trial: true })).toBe('welcome')
  expect(checkoutVariant({ ...visitor, isSignedIn: true, isSettingUp: true })).toBe('setting-up')
})

const arrival = { isSignedIn: true, hasJustSignedUp: true, trial: true, canceled: false, trialUsed: false }

test('checkout starts by itself for somebody who has just signed up, with the trial flag', () => {
  expect(startsByItself(arrival)).toBe(true)
  expect(startsByItself({ ...arrival, isSignedIn: false })).toBe(false)
  expect(startsByItself({ ...arrival, trial: false })).toBe(false)
})

test('checkout waits until it is known what subscription there is', () => {
  expect(startsByItself({ ...arrival, trialUsed: undefined })).toBe(false)
})

test('somebody who came back from the payment page is not sent there again by itself', () => {
  expect(startsByItself({ ...arrival, canceled: true })).toBe(false)
})

test('somebody whose subscription has ended decides for themselves', () => {
  expect(startsByItself({ ...arrival, trialUsed: true })).toBe(false)
})
