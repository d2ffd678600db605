import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { aSubscription } from '#support/subscription.ts'
import { trpcServer } from '#support/trpc-server.ts'
import { PlanCard } from './plan-card.tsx'

/** What the card says of a subscription, by the names of its facts. */
async function factsOf(subscription: ReturnType<typeof aSubscription>) {
  trpcServer({ billing: { subscription: () => subscription } })
  renderRouted(<PlanCard />)
  await screen.findByText('Price')
  const names = screen.getAllByRole('term')
  return Object.fromEntries(names.map((name) => [name.textContent, name.nextElementSibling?.textContent]))
}

test('a trial shows the days that are left, and how much is charged first and when', async () => {
  expect(await factsOf(aSubscription())).toEqual({
    Price: '$29.00/month',
    Trial: '14 days left',
    'Next charge': '$29.00 on Dec 5, 2026',
  })
  expect(screen.getByRole('heading', { name: 'TRAXX Pro' })).toBeVisible()
  expect(screen.getByText('Free trial')).toBeVisible()
})

test('a subscription shows its next charge, at the price that was agreed', async () => {
  const currentPeriodEnd = new Date('2027-01-05T12:00:00Z')
  const paying = aSubscription({ status: 'active', currentPeriodEnd, price: 24.5 })
  expect(await factsOf(paying)).toEqual({ Price: '$24.50/month', 'Next charge': '$24.50 on Jan 5, 2027' })
})

test('one that was canceled shows since when and when it ends, and no charge', async () => {
  const canceledAt = new Date('2026-12-10T12:00:00Z')
  const leaving = aSubscription({ status: 'active', canceledAt, cancelAt: new Date('2026-12-20T12:00:00Z') })
  expect(await factsOf(leaving)).toEqual({
    Price: '$29.00/month',
    'Canceled on': 'Dec 10, 2026',
    'Ends on': 'Dec 20, 2026',
  })
})

test('one whose payment failed shows since when, and until when the card can be updated', async () => {
  const [pastDueSince, graceEndsAt] = [new Date('2026-12-05T12:00:00Z'), new Date('2026-12-12T12:00:00Z')]
  expect(await factsOf(aSubscription({ status: 'past_due', pastDueSince, graceEndsAt }))).toEqual({
    Price: '$29.00/month',
    'Past due since': 'Dec 5, 2026',
    'Update the card by': 'Dec 12, 2026',
  })
  expect(screen.getByText('Past due')).toBeVisible()
})

test('one that is read-only by now names no day by which it would have been in time', async () => {
  const [pastDueSince, graceEndsAt] = [new Date('2026-12-05T12:00:00Z'), new Date('2026-12-12T12:00:00Z')]
  const late = aSubscription({ status: 'past_due', access: 'read-only', pastDueSince, graceEndsAt })
  expect(await factsOf(late)).toEqual({ Price: '$29.00/month', 'Past due since': 'Dec 5, 2026' })
})

test('one that has ended shows when', async () => {
  const ended = new Date('2026-12-20T12:00:00Z')
  const over = aSubscription({ status: 'canceled', cancelAt: ended, canceledAt: ended, endedAt: ended })
  expect(await factsOf(over)).toMatchObject({ 'Canceled on': 'Dec 20, 2026', 'Ended on': 'Dec 20, 2026' })
  expect(screen.getByText('Canceled')).toBeVisible()
  expect(screen.queryByText('Ends on')).toBeNull()
})

test('who never had a subscription has none to manage', async () => {
  await factsOf(aSubscription({ status: 'none', access: 'checkout', price: null, trialEnd: null }))
  expect(screen.queryByRole('button')).toBeNull()
})

test('the subscription is managed on the page of the payment provider', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  trpcServer({
    billing: { subscription: () => aSubscription(), openPortal: () => ({ url: 'https://pay.test/portal' }) },
  })
  const { user } = renderRouted(<PlanCard />)
  await user.click(await screen.findByRole('button', { name: 'Manage Subscription' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.test/portal'))
})

test('where that page cannot be opened, the card says so', async () => {
  trpcServer({
    billing: {
      subscription: () => aSubscription(),
      openPortal: () => Promise.reject(new AppError('PORTAL_FAILED')),
    },
  })
  const { user } = renderRouted(<PlanCard />)
  await user.click(await screen.findByRole('button', { name: 'Manage Subscription' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to create portal session')
})
