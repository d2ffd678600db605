import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderRouted, sessionOf } from '#support/render-screen.tsx'
import { ProfileMenu } from './profile-menu.tsx'

test('the profile menu shows the email, leads to the settings, the tags and the trash, and signs out', async () => {
  const person = { fullName: 'Ada Lovelace', primaryEmailAddress: { emailAddress: 'ada@example.com' } }
  const leave = vi.fn(async () => undefined)
  const { user } = renderRouted(<ProfileMenu />, { ...sessionOf(person), leave })
  await user.click(await screen.findByRole('button', { name: /Profile menu/ }))
  expect(await screen.findByText('ada@example.com')).toBeVisible()
  expect(await screen.findByRole('menuitem', { name: 'Settings' })).toHaveAttribute('href', '/profile')
  expect(await screen.findByRole('menuitem', { name: 'Tags' })).toHaveAttribute('href', '/tags')
  expect(await screen.findByRole('menuitem', { name: 'Trash' })).toHaveAttribute('href', '/trash')
  await user.click(await screen.findByRole('menuitem', { name: 'Sign Out' }))
  expect(leave).toHaveBeenCalledExactlyOnceWith('/')
  expect(screen.queryByRole('menu')).not.toBeInTheDocument()
})
