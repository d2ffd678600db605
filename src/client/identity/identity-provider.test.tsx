import { act, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { noServer, trpcServer } from '#support/trpc-server.ts'
import { IdentityProvider } from './identity-provider.tsx'
import { makeSession } from './session.ts'

const CONFIG = { publishableKey: 'pk_test_none', proxyUrl: 'https://provider.test' }
const KNOWN = { id: 'user_ada', name: 'Ada Lovelace', email: 'ada@example.com', tokenForMs: 60_000, timeZone: 'UTC' }
const UNAVAILABLE = 'The sign-in service is not responding. Please try again'

afterEach(() => vi.useRealTimers())

/** How often the identity provider's script is asked for, and fails. */
function aHostThatFails() {
  return vi.spyOn(document.head, 'append').mockImplementation((script) => {
    if (script instanceof Element) script.dispatchEvent(new Event('error'))
  })
}

async function after(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms))
}

test('a page that the server has rendered stays as it is where the identity provider does not start, and tries again', async () => {
  vi.useFakeTimers()
  trpcServer({ identity: { config: () => CONFIG } })
  const asked = aHostThatFails()
  renderRouted(<IdentityProvider>the app</IdentityProvider>, makeSession(KNOWN))
  await after(9000)
  expect(asked).not.toHaveBeenCalled()
  await after(5000)
  expect(asked).toHaveBeenCalledTimes(5)
  expect(screen.getByText('the app')).toBeVisible()
  await after(10_000)
  expect(asked).toHaveBeenCalledTimes(10)
  act(() => void dispatchEvent(new Event('online')))
  expect(asked).toHaveBeenCalledTimes(11)
  expect(screen.getByText('the app')).toBeVisible()
  await after(3000)
})

test('a page that waits for the identity provider says that it did not start', async () => {
  vi.useFakeTimers()
  trpcServer({ identity: { config: () => CONFIG } })
  aHostThatFails()
  renderRouted(<IdentityProvider>the app</IdentityProvider>)
  await after(3000)
  expect(screen.getByRole('alert')).toHaveTextContent(UNAVAILABLE)
})

test('where nobody answers at all, the page says what to look at, and Retry asks again', async () => {
  noServer()
  const { user } = renderRouted(<IdentityProvider>the app</IdentityProvider>)
  const text = 'Network error. Please check your connection, then try again'
  expect(await screen.findByRole('alert')).toHaveTextContent(text)

  trpcServer({ identity: { config: () => Promise.reject(new AppError('FAULT')) } })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Something went wrong')).toBeVisible()
})
