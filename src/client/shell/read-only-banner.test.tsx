import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '#support/screen.tsx'
import { aServer } from '#support/wire.ts'
import { ReadOnlyBanner } from './read-only-banner.tsx'

test('while a payment is overdue the app says that nothing can be changed, and where to settle it', async () => {
  aServer({ 'billing.subscription': () => ({ screens: 'app-read-only' }) })
  renderScreen(<ReadOnlyBanner />)
  expect(await screen.findByText(/read-only until the card is updated/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Update card' })).toBeVisible()
})

test('a subscription in order needs no banner', async () => {
  const server = aServer({ 'billing.subscription': () => ({ screens: 'app' }) })
  renderScreen(<ReadOnlyBanner />)
  await waitFor(() => expect(server.calls).toHaveLength(1))
  expect(screen.queryByRole('status')).toBeNull()
})
