import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderRouted } from '#support/render-screen.tsx'
import { movableTime } from '#support/time.ts'
import { CheckoutSuccess } from './checkout-success.tsx'

const DASHBOARD = '/dashboard?stripe_success=true'
const trial = { sessionId: 'cs_test_7', isTrial: true, continuesTo: DASHBOARD }

test('the trial has started, the session is named, and after 3 seconds the dashboard comes', async () => {
  const time = movableTime()
  const { address } = renderRouted(<CheckoutSuccess {...trial} />)
  expect(await screen.findByRole('heading', { name: 'Your free trial has started!' })).toBeVisible()
  expect(screen.getByText('Session ID: cs_test_7')).toBeVisible()
  expect(screen.getByText(/After the trial it is \$29\/month/)).toBeVisible()
  expect(screen.getByText('Taking you to your dashboard...')).toBeVisible()
  await time.pass(2900)
  expect(address()).toBe('/here')
  await time.pass(200)
  await waitFor(() => expect(address()).toBe(DASHBOARD))
})

test('nobody has to wait', async () => {
  const { user, address } = renderRouted(<CheckoutSuccess {...trial} sessionId={undefined} />)
  await user.click(await screen.findByRole('button', { name: 'Go to Dashboard' }))
  await waitFor(() => expect(address()).toBe(DASHBOARD))
  expect(screen.queryByText(/Session ID/)).toBeNull()
})

test('somebody who had come for another screen goes on to that one', async () => {
  const continuesTo = '/contracts?status=active&stripe_success=true'
  const { user, address } = renderRouted(<CheckoutSuccess {...trial} isTrial={false} continuesTo={continuesTo} />)
  expect(await screen.findByText('Taking you to the page you wanted...')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(address()).toBe(continuesTo))
})

test('somebody who had the trial before is told of the subscription', async () => {
  renderRouted(<CheckoutSuccess {...trial} isTrial={false} />)
  expect(await screen.findByRole('heading', { name: 'Your subscription has started!' })).toBeVisible()
  expect(screen.getByText('TRAXX Pro is $29/month. Cancel anytime.')).toBeVisible()
})
