import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderScreen } from '#support/screen.tsx'
import { aServer, refused } from '#support/wire.ts'
import { PlanCard } from './plan-card.tsx'

const TRIALING = {
  status: 'trialing',
  access: 'full',
  screens: 'app',
  trialEnd: new Date('2026-12-05T12:00:00Z'),
  trialDaysLeft: 14,
  currentPeriodEnd: new Date('2026-12-05T12:00:00Z'),
  cancelAt: null,
}

test('a trial shows the days that are left and when the first charge comes', async () => {
  aServer({ 'billing.subscription': () => TRIALING })
  renderScreen(<PlanCard />)
  expect(await screen.findByText('14 days left')).toBeVisible()
  expect(screen.getByText('Trialing')).toBeVisible()
  expect(screen.getByText('Next charge').nextElementSibling).toHaveTextContent('Dec 5, 2026')
})

test('a subscription that will end shows when, and no charge', async () => {
  aServer({
    'billing.subscription': () => ({ ...TRIALING, status: 'active', cancelAt: new Date('2026-12-20T12:00:00Z') }),
  })
  renderScreen(<PlanCard />)
  expect(await screen.findByText('Ends on')).toBeVisible()
  expect(screen.queryByText('Next charge')).toBeNull()
})

test('the subscription is managed on the page of the payment provider', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  aServer({ 'billing.subscription': () => TRIALING, 'billing.openPortal': () => ({ url: 'https://pay.test/portal' }) })
  const { user } = renderScreen(<PlanCard />)
  await user.click(await screen.findByRole('button', { name: 'Manage subscription' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.test/portal'))
})

test('where that page cannot be opened, the card says so', async () => {
  aServer({
    'billing.subscription': () => TRIALING,
    'billing.openPortal': () => refused({ refusal: 'PORTAL_FAILED', message: 'Failed to create portal session' }),
  })
  const { user } = renderScreen(<PlanCard />)
  await user.click(await screen.findByRole('button', { name: 'Manage subscription' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to create portal session')
})
