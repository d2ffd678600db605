import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { makeSession } from '#client/identity/session.ts'
import { RestFailure } from '#client/api/rest-failure.ts'
import { openApp } from '#support/open-app.tsx'
import { whenTold } from '#support/trpc-server.ts'

const ACCOUNT = { email: 'ada@example.com', timeZone: 'UTC' }
const ANSWERS = {
  identity: { account: () => ACCOUNT, apiKeys: () => [], sessions: () => [] },
  reminders: {
    runs: () => ({ lastRunAt: null, isStalled: false, waiting: null, stop: null }),
    ownBounce: () => null,
  },
}

/** From another screen, before the identity provider has said who is there. */
async function openSettings() {
  const { clerkPerson, clerkFailed, onClerkRequested } = makeSession()
  const start = vi.fn()
  onClerkRequested(start)
  const { user } = openApp('/customers', { answers: ANSWERS, session: { clerkPerson } })
  await user.click(await screen.findByRole('button', { name: 'Profile menu' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Settings' }))
  return { user, clerkFailed, start, loading: await screen.findByRole('status', { name: 'Loading...' }) }
}

test('the settings are loading until the identity provider has said who is there', async () => {
  const { loading } = await openSettings()
  expect(screen.getByRole('main')).toContainElement(loading)
})

test('where the identity provider does not start, the settings say so, and Retry starts it again', async () => {
  // React tells of an error that a boundary has caught, as this one is meant to be.
  vi.mocked(console.error).mockImplementation(() => {})
  const { user, clerkFailed, start } = await openSettings()
  clerkFailed()
  expect(await screen.findByRole('alert')).toHaveTextContent('The sign-in service is not responding. Please try again')
  expect(start).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(start).toHaveBeenCalledTimes(2))
  vi.mocked(console.error).mockClear()
})

test('signing out is begun once, seen to be under way, and said to have failed', async () => {
  const { answer: leave, tell: end } = whenTold<void>()
  const session = { leave: vi.fn(leave) }
  const { user } = openApp('/customers', { answers: ANSWERS, session })
  await user.click(await screen.findByRole('button', { name: 'Profile menu' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Sign Out' }))
  expect(await screen.findByRole('button', { name: 'Signing out...' })).toBeDisabled()
  expect(session.leave).toHaveBeenCalledExactlyOnceWith('/')
  end(Promise.reject(RestFailure.noResponse()))
  expect(await screen.findByRole('alert')).toHaveTextContent('Network error')
  expect(await screen.findByRole('button', { name: 'Profile menu' })).toBeEnabled()
})
