import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderRouted } from '#support/render-screen.tsx'
import { ProfileMenu } from './profile-menu.tsx'

test('the profile menu shows the email, leads to the settings and signs out', async () => {
  const person = { name: 'Ada Lovelace', email: 'ada@example.com' }
  const onSignOut = vi.fn()
  const { user } = renderRouted(<ProfileMenu person={person} signingOut={false} onSignOut={onSignOut} />)
  await user.click(await screen.findByRole('button', { name: /Profile menu/ }))
  expect(await screen.findByText('ada@example.com')).toBeVisible()
  expect(await screen.findByRole('menuitem', { name: 'Settings' })).toHaveAttribute('href', '/profile')
  await user.click(await screen.findByRole('menuitem', { name: 'Sign Out' }))
  expect(onSignOut).toHaveBeenCalledOnce()
  expect(screen.queryByRole('menu')).not.toBeInTheDocument()
})
