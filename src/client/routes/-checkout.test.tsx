import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { openApp } from '#support/open-app.tsx'
import { aSubscription } from '#support/subscription.ts'
import { NoAnswer } from '#support/trpc-server.ts'

test.each([
  ['/checkout?trial=true', 'nobody answers', new NoAnswer(), 'Error fetching subscription'],
  ['/checkout', 'the server fails', new AppError('FAULT'), 'Failed to fetch subscription status'],
])('where on %s %s, the screen says so, and Retry goes on', async (start, _what, failure, text) => {
  // React tells of an error that a boundary has caught, as this one is meant to be.
  vi.mocked(console.error).mockImplementation(() => {})
  const failures = [failure]
  const subscription = () => {
    const [next] = failures.splice(0)
    if (next) throw next
    return aSubscription()
  }
  const { user, address, callsOf } = openApp(start, { answers: { billing: { subscription } } })
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  expect(screen.getByRole('heading', { name: 'Checkout is not available' })).toBeVisible()
  expect(screen.getByText('We could not check your subscription.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(address()).toBe('/dashboard'))
  expect(callsOf('billing.startCheckout')).toEqual([])
  vi.mocked(console.error).mockClear()
})
