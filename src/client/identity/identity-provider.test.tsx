import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { noServer, trpcServer } from '#support/trpc-server.ts'
import { IdentityProvider } from './identity-provider.tsx'
import { makeSession } from './session.ts'

test('where nobody answers at all, the page says what to look at, and Retry asks again', async () => {
  noServer()
  const { user } = renderRouted(<IdentityProvider session={makeSession()}>the app</IdentityProvider>)
  const text = 'Network error. Please check your connection, then try again'
  expect(await screen.findByRole('alert')).toHaveTextContent(text)

  trpcServer({ identity: { config: () => Promise.reject(new AppError('FAULT')) } })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Something went wrong')).toBeVisible()
})
