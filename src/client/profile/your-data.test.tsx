import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { YourData } from './your-data.tsx'

function openLeaving(canExport: boolean, deletesAt: Date | null = null) {
  trpcServer({ identity: { account: () => ({ email: 'ada@example.com', timeZone: 'UTC' }) } })
  const leave = vi.fn(async () => undefined)
  return {
    leave,
    ...renderRouted(
      <YourData email="ada@example.com" canExport={canExport} isSubscribed={false} deletesAt={deletesAt} />,
      { leave },
    ),
  }
}

test('without a subscription one can still sign out, export and delete the account', async () => {
  const { user, leave } = openLeaving(true)
  expect(await screen.findByText('ada@example.com')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Export Everything' })).toBeVisible()
  expect(
    screen.getByText('Removes everything in your account. Export your data first if you might need it.'),
  ).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Sign Out' }))
  expect(leave).toHaveBeenCalledExactlyOnceWith('/')
  await user.click(screen.getByRole('button', { name: 'Delete Account' }))
  expect(await screen.findByLabelText('Type ada@example.com to confirm')).toBeVisible()
})

test('where there never was a subscription no export is offered, nor advised', async () => {
  openLeaving(false)
  expect(await screen.findByText('There is nothing to export yet.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Export Everything' })).not.toBeInTheDocument()
  expect(screen.queryByText(/Export your data first/)).not.toBeInTheDocument()
})

test('once a subscription has ended it is said until when everything can be exported', async () => {
  openLeaving(true, new Date('2027-03-05T12:00:00Z'))
  expect(await screen.findByText(/Everything in your account will be deleted after/)).toHaveTextContent('Mar 5, 2027')
})

test('the way back to the checkout does not start it', async () => {
  openLeaving(false)
  expect(await screen.findByRole('link', { name: 'Back to checkout' })).toHaveAttribute(
    'href',
    '/checkout?trial=true&canceled=true',
  )
})
