import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderScreen } from '#support/render-screen.tsx'
import { DataCard } from './data-card.tsx'

test('everything is saved as one zip file, and the card says what is in it', async () => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const { promise, resolve } = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => promise)
  const { user } = renderScreen(<DataCard />)
  expect(screen.getByText(/customers, contracts, notifications, reminders, and imports/)).toBeVisible()
  expect(screen.getByText(/PDFs of your contracts/)).toBeVisible()
  const button = screen.getByRole('button', { name: 'Export Everything' })
  await user.click(button)
  expect(button).toBeDisabled()
  resolve(new Response('zip', { headers: { 'content-disposition': 'attachment; filename="traxx-2026-11-21.zip"' } }))
  expect(await screen.findByRole('status')).toHaveTextContent('Downloaded traxx-2026-11-21.zip')
})

test('an export that fails says so, and can be tried again', async () => {
  vi.stubGlobal('fetch', async () => new Response('{"error":"Something went wrong"}', { status: 500 }))
  const { user } = renderScreen(<DataCard />)
  await user.click(screen.getByRole('button', { name: 'Export Everything' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to export your data')
  expect(screen.getByRole('button', { name: 'Export Everything' })).toBeEnabled()
})
