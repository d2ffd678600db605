import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import type { RefusalKey } from '#shared/errors.ts'
import { RestFailure } from './rest-failure.ts'
import { failureText } from './failure-text.ts'

const texts = { failed: 'Failed to save fruit', network: 'Network error occurred', signedOut: 'Please log in' }

/** As the server sends it. */
function refused(message: string, refusal: RefusalKey | undefined) {
  return TRPCClientError.from({ error: { message, code: -32_000, data: { refusal } } })
}

test("the server's words are shown where it has any", () => {
  expect(failureText(refused('Customer not found', 'CUSTOMER_NOT_FOUND'), texts)).toBe('Customer not found')
})

test('a server that failed and says no more gets the words of the page', () => {
  expect(failureText(refused('Something went wrong', 'FAULT'), texts)).toBe('Failed to save fruit')
  expect(failureText(refused('Too many requests', undefined), texts)).toBe('Failed to save fruit')
})

test('where no answer came the page says so, or "Network error"', () => {
  const lost = TRPCClientError.from(new Error('fetch failed'))
  expect(failureText(lost, texts)).toBe('Network error occurred')
  expect(failureText(lost, { failed: 'Failed to save fruit' })).toBe('Network error')
})

test('somebody who is signed out is told in the words of the page, or of the server', () => {
  const signedOut = refused('You are not logged in', 'NOT_SIGNED_IN')
  expect(failureText(signedOut, texts)).toBe('Please log in')
  expect(failureText(signedOut, { failed: 'Failed' })).toBe('You are not logged in')
})

test('somebody who gets no token is told with a period where the page has one, as the specification does', () => {
  const noToken = RestFailure.withoutToken()
  expect(failureText(noToken, texts)).toBe('Unable to get authentication token')
  const period = 'Unable to get authentication token.'
  expect(failureText(noToken, { ...texts, noToken: period })).toBe(period)
})
