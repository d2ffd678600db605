import { screen, waitFor } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { openApp } from '#support/open-app.tsx'
import { aSubscription } from '#support/subscription.ts'
import { movableTime } from '#support/time.ts'
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

describe('back from the payment page', () => {
  test('somebody who is signed out is told nothing of a trial, and the server is asked for nothing', async () => {
    const app = openApp('/checkout/success?session_id=cs_test_1', { signedOut: true })
    expect(await screen.findByRole('heading', { name: 'Sign in to continue' })).toBeVisible()
    expect(document.body).not.toHaveTextContent(/trial|cs_test_1/)
    expect(app.calls).toEqual([])
  })

  test('the trial is welcomed by the subscription, and no session is shown', async () => {
    const refresh = () => aSubscription()
    openApp('/checkout/success?session_id=cs_test_1', { answers: { billing: { refresh } } })
    expect(await screen.findByRole('heading', { name: 'Your free trial has started!' })).toBeVisible()
    expect(document.body).not.toHaveTextContent('cs_test_1')
  })

  test('where Stripe knows of no subscription nothing has started', async () => {
    const refresh = () => aSubscription({ status: 'canceled', access: 'checkout', screens: 'checkout' })
    openApp('/checkout/success?session_id=cs_test_1', { answers: { billing: { refresh } } })
    expect(await screen.findByText('We are waiting for Stripe to confirm your payment.')).toBeVisible()
    expect(document.body).not.toHaveTextContent(/started/)
  })

  test('a missing session is an error, and logged', async () => {
    const log = vi.fn()
    vi.stubGlobal('reportError', log)
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'reportError'))
    openApp('/checkout/success')
    expect(await screen.findByRole('alert')).toHaveTextContent('We could not find your checkout')
    expect(log).toHaveBeenCalledExactlyOnceWith(new Error('The page after checkout was opened without a session_id'))
  })

  test('from there to the dashboard, which says welcome', async () => {
    const time = movableTime()
    const billing = { refresh: () => aSubscription(), subscription: () => aSubscription() }
    const { address } = openApp('/checkout/success?session_id=cs_test_1', { answers: { billing } })
    expect(await screen.findByText('Taking you to your dashboard...')).toBeVisible()
    await time.pass(3000)
    await waitFor(() => expect(address()).toBe('/dashboard?session_id=cs_test_1'))
    expect(await screen.findByText('Welcome to TRAXX! Your free trial has started successfully.')).toBeVisible()
    await time.pass(5000)
    await waitFor(() => expect(address()).toBe('/dashboard'))
  })
})

test('the button on the sign-in page leads to the sign-up form, and not to the same button again', async () => {
  openApp('/sign-in', { signedOut: true })
  expect(await screen.findByRole('link', { name: 'Start your free trial' })).toHaveAttribute(
    'href',
    '/checkout?trial=true',
  )
})
