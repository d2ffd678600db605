import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderRouted } from '#support/render-screen.tsx'
import { movableTime } from '#support/time.ts'
import { CheckoutSuccess } from './checkout-success.tsx'

const DASHBOARD = '/dashboard?stripe_success=true'

test('the trial has started, and after 3 seconds the dashboard comes', async () => {
  const time = movableTime()
  const { address } = renderRouted(<CheckoutSuccess outcome="trial" continuesTo={DASHBOARD} />)
  expect(await screen.findByRole('heading', { name: 'Your free trial has started!' })).toBeVisible()
  expect(screen.getByText(/After the trial it is \$29\/month/)).toBeVisible()
  expect(screen.getByText('Taking you to your dashboard...')).toBeVisible()
  expect(time.waits()).toContain(3000)
  // What came before has taken some of the time.
  await time.pass(1500)
  expect(address()).toBe('/here')
  await time.pass(1500)
  await waitFor(() => expect(address()).toBe(DASHBOARD))
})

test('nobody has to wait', async () => {
  const { user, address } = renderRouted(<CheckoutSuccess outcome="trial" continuesTo={DASHBOARD} />)
  await user.click(await screen.findByRole('button', { name: 'Go to Dashboard' }))
  await waitFor(() => expect(address()).toBe(DASHBOARD))
})

test('somebody who had come for another screen goes on to that one', async () => {
  const continuesTo = '/contracts?status=active&stripe_success=true'
  const { user, address } = renderRouted(<CheckoutSuccess outcome="subscription" continuesTo={continuesTo} />)
  expect(await screen.findByText('Taking you to the page you wanted...')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(address()).toBe(continuesTo))
})

test('somebody who had the trial before is told of the subscription', async () => {
  renderRouted(<CheckoutSuccess outcome="subscription" continuesTo={DASHBOARD} />)
  expect(await screen.findByRole('heading', { name: 'Your subscription has started!' })).toBeVisible()
  expect(screen.getByText('TRAXX Pro is $29/month. Cancel anytime.')).toBeVisible()
})

test('what Stripe has not confirmed is not said to have started', async () => {
  renderRouted(<CheckoutSuccess outcome="unconfirmed" continuesTo={DASHBOARD} />)
  expect(await screen.findByText('We are waiting for Stripe to confirm your payment.')).toBeVisible()
  expect(screen.queryByText(/started|trial/i)).toBeNull()
})

test('whose email address has had a trial is told so, and nothing goes on by itself', async () => {
  const time = movableTime()
  const { address } = renderRouted(<CheckoutSuccess outcome="trial-refused" continuesTo={DASHBOARD} />)
  expect(
    await screen.findByText('This email address has already had a free trial. You were not charged.'),
  ).toBeVisible()
  expect(screen.getByRole('link', { name: 'See the Plan' })).toHaveAttribute('href', '/checkout')
  await time.pass(4000)
  expect(address()).toBe('/here')
})

test('without a session there is an error, and nothing goes on by itself', async () => {
  const time = movableTime()
  const { address } = renderRouted(<CheckoutSuccess outcome="no-session" continuesTo={DASHBOARD} />)
  expect(await screen.findByRole('alert')).toHaveTextContent('We could not find your checkout')
  await time.pass(4000)
  expect(address()).toBe('/here')
})

test('somebody signed out is told nothing of a trial', async () => {
  const time = movableTime()
  const { address } = renderRouted(<CheckoutSuccess outcome="signed-out" continuesTo={DASHBOARD} />)
  expect(await screen.findByRole('heading', { name: 'Sign in to continue' })).toBeVisible()
  expect(screen.queryByText(/trial|started/i)).toBeNull()
  await time.pass(4000)
  expect(address()).toBe('/here')
})
