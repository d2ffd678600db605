import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { aSubscription } from '#support/subscription.ts'
import { noServer, trpcServer } from '#support/trpc-server.ts'
import { BillingBanner } from './billing-banner.tsx'

const IN_GRACE = aSubscription({ status: 'past_due', graceEndsAt: new Date('2026-12-12T12:00:00Z') })
const OVERDUE = aSubscription({ status: 'past_due', access: 'read-only', screens: 'app-read-only' })

test('after a payment failed the app says until when the card can be updated', async () => {
  trpcServer({ billing: { subscription: () => IN_GRACE } })
  renderRouted(<BillingBanner />)
  const text = 'Your last payment failed. Update your card by Dec 12, 2026, or TRAXX becomes read-only'
  expect(await screen.findByText(text)).toBeVisible()
})

test.each([
  ['past_due', 'Your last payment failed, so TRAXX is read-only until the card is updated'],
  ['unpaid', 'Your last payment failed, so TRAXX is read-only until the card is updated'],
  ['paused', 'Your trial ended without a card, so TRAXX is read-only until one is added'],
])('while a subscription that is %s can only be read, the app says why', async (status, text) => {
  trpcServer({ billing: { subscription: () => ({ ...OVERDUE, status }) } })
  renderRouted(<BillingBanner />)
  expect(await screen.findByText(text)).toBeVisible()
})

test("the banner leads to the payment provider's own page", async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  trpcServer({ billing: { subscription: () => IN_GRACE, openPortal: () => ({ url: 'https://pay.test/portal' }) } })
  const { user } = renderRouted(<BillingBanner />)
  await user.click(await screen.findByRole('button', { name: 'Update card' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.test/portal'))
})

test('where that page cannot be opened, the banner says so', async () => {
  trpcServer({
    billing: { subscription: () => OVERDUE, openPortal: () => Promise.reject(new AppError('PORTAL_FAILED')) },
  })
  const { user } = renderRouted(<BillingBanner />)
  await user.click(await screen.findByRole('button', { name: 'Update card' }))
  expect(await screen.findByText('Failed to create portal session')).toBeVisible()
})

test('no answer at all says the same', async () => {
  trpcServer({ billing: { subscription: () => OVERDUE } })
  const { user } = renderRouted(<BillingBanner />)
  const button = await screen.findByRole('button', { name: 'Update card' })
  noServer()
  await user.click(button)
  expect(await screen.findByText('Failed to create portal session')).toBeVisible()
})

test('a page that comes back from there can go again', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  trpcServer({ billing: { subscription: () => IN_GRACE, openPortal: () => ({ url: 'https://pay.test/portal' }) } })
  const { user } = renderRouted(<BillingBanner />)
  await user.click(await screen.findByRole('button', { name: 'Update card' }))
  await waitFor(() => expect(assign).toHaveBeenCalled())
  expect(screen.getByRole('button', { name: 'Update card' })).toBeDisabled()
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Update card' })).toBeEnabled())
})

test.each([aSubscription(), aSubscription({ status: 'active' })])(
  'a subscription in order needs no banner: $status',
  async (subscription) => {
    const server = trpcServer({ billing: { subscription: () => subscription } })
    renderRouted(<BillingBanner />)
    await waitFor(() => expect(server.calls).toHaveLength(1))
    expect(screen.queryByRole('button')).toBeNull()
  },
)
