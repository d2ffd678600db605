import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { openApp } from '#support/open-app.tsx'
import { aSubscription } from '#support/subscription.ts'
import { movableTime } from '#support/time.ts'
import type { FakeAnswers } from '#support/trpc-server.ts'

const NONE = aSubscription({ status: 'none', access: 'checkout', screens: 'checkout' })

function openWith(address: string, billing: NonNullable<FakeAnswers['billing']>) {
  return openApp(address, {
    answers: { billing, reminders: { runs: () => ({ lastRunAt: null, isStalled: false, waiting: null, stop: null }) } },
  })
}

function dashboard() {
  return screen.findByRole('heading', { name: 'Dashboard' })
}

test('back from payment the subscription is waited for, and then the address is cleaned', async () => {
  const time = movableTime()
  const answers = [NONE, NONE, aSubscription()]
  const { address, callsOf } = openWith('/dashboard?stripe_success=true', {
    subscription: () => NONE,
    refresh: () => answers.shift() ?? aSubscription(),
  })
  expect(await screen.findByRole('heading', { name: 'Activating your subscription...' })).toBeVisible()
  expect(screen.getByText('This may take a few moments')).toBeVisible()
  await waitFor(() => expect(callsOf('billing.refresh')).toHaveLength(1))
  await time.pass(2000)
  await waitFor(() => expect(callsOf('billing.refresh')).toHaveLength(2))
  await time.pass(2000)
  expect(await dashboard()).toBeVisible()
  expect(address()).toBe('/dashboard')
  expect(callsOf('billing.refresh')).toHaveLength(3)
})

test('back from the portal the subscription is read from Stripe, and then the address is cleaned', async () => {
  const { address, callsOf } = openWith('/dashboard?portal_closed=true', {
    subscription: () => aSubscription({ status: 'past_due', graceEndsAt: new Date('2026-12-12T12:00:00Z') }),
    refresh: () => aSubscription({ status: 'active' }),
  })
  expect(await dashboard()).toBeVisible()
  expect(address()).toBe('/dashboard')
  expect(callsOf('billing.refresh')).toHaveLength(1)
  expect(screen.queryByText(/last payment failed/)).toBeNull()
})

test('where Stripe does not answer then, what is known has to do', async () => {
  const refresh = () => {
    throw new AppError('BILLING_UNAVAILABLE')
  }
  const subscription = () => aSubscription({ status: 'active' })
  const { address } = openWith('/dashboard?portal_closed=true', { subscription, refresh })
  expect(await dashboard()).toBeVisible()
  expect(address()).toBe('/dashboard')
})
