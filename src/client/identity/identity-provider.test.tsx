import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderRouted } from '#support/render-screen.tsx'
import { aServer, noServer, refused } from '#support/wire.ts'
import { IdentityProvider } from './identity-provider.tsx'
import { makeSession } from './session.ts'

test('where nobody answers at all, the page says what to look at, and Retry asks again', async () => {
  noServer()
  const { user } = renderRouted(<IdentityProvider session={makeSession()}>the app</IdentityProvider>)
  const text = 'Network error. Please check your connection, then try again'
  expect(await screen.findByRole('alert')).toHaveTextContent(text)

  aServer({ 'identity.config': () => refused({ refusal: 'FAULT', message: 'Something went wrong' }) })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Something went wrong')).toBeVisible()
})
