import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { Leaving } from './leaving.tsx'

function openLeaving(canExport: boolean) {
  trpcServer({ identity: { account: () => ({ email: 'ada@example.com', timeZone: 'UTC' }) } })
  const acts = { onSignOut: vi.fn(), onDeleted: vi.fn() }
  return {
    ...acts,
    ...renderRouted(<Leaving email="ada@example.com" canExport={canExport} {...acts} />),
  }
}

test('without a subscription one can still sign out, export and delete the account', async () => {
  const { user, onSignOut } = openLeaving(true)
  expect(await screen.findByText('ada@example.com')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Export everything' })).toBeVisible()
  expect(screen.getByText(/Export your data first/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Sign Out' }))
  expect(onSignOut).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: 'Delete account' }))
  expect(await screen.findByLabelText('Type ada@example.com to confirm')).toBeVisible()
})

test('where nothing can be read any more no export is offered, nor advised', async () => {
  openLeaving(false)
  expect(await screen.findByText('There is nothing to export without a subscription.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Export everything' })).not.toBeInTheDocument()
  expect(screen.queryByText(/Export your data first/)).not.toBeInTheDocument()
})

test('the way back to the checkout does not start it', async () => {
  openLeaving(false)
  expect(await screen.findByRole('link', { name: 'Back to checkout' })).toHaveAttribute(
    'href',
    '/checkout?trial=true&canceled=true',
  )
})
