import { ClerkAPIResponseError } from '@clerk/clerk-react/errors'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderScreen, sessionOf } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { VerifyAddress } from './verify-address.tsx'

/** What the identity provider answers, in its own words. */
function refused(code: string, message: string) {
  return new ClerkAPIResponseError(message, { status: 422, data: [{ code, message, meta: { param_name: 'code' } }] })
}

const VERIFIED = { email: 'ada@example.com', timeZone: null }

function open(changes: object = {}, refresh: () => typeof VERIFIED | Promise<typeof VERIFIED> = () => VERIFIED) {
  const server = trpcServer({ identity: { refresh } })
  const onVerified = vi.fn()
  const primaryEmailAddress = {
    emailAddress: 'ada@example.com',
    prepareVerification: vi.fn(async () => ({})),
    attemptVerification: vi.fn(async () => ({})),
    ...changes,
  }
  const session = { requestClerk: () => {}, ...sessionOf({ primaryEmailAddress }) }
  return {
    server,
    onVerified,
    primaryEmailAddress,
    ...renderScreen(<VerifyAddress onVerified={onVerified} />, session),
  }
}

const code = () => screen.getByLabelText('Verification code')

test('a code is sent, and another one where the first did not come', async () => {
  const { user, primaryEmailAddress } = open()
  expect(screen.getByRole('status')).toHaveTextContent('Send a code to ada@example.com, then enter it here.')
  await user.click(screen.getByRole('button', { name: 'Send Code' }))
  expect(await screen.findByText('We sent a code to ada@example.com. It is valid for 10 minutes.')).toBeVisible()
  expect(code()).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Send a New Code' }))
  expect(primaryEmailAddress.prepareVerification).toHaveBeenCalledTimes(2)
})

test('the right code is told to the server at once', async () => {
  const { user, server, onVerified } = open()
  await user.type(code(), '123456{Enter}')
  await waitFor(() => expect(onVerified).toHaveBeenCalledOnce())
  expect(server.callsOf('identity.refresh')).toHaveLength(1)
})

test('a wrong code is said at its field, and the server is not asked', async () => {
  const attemptVerification = () => Promise.reject(refused('form_code_incorrect', 'Incorrect code'))
  const { user, server, onVerified } = open({ attemptVerification })
  await user.type(code(), '12{Enter}')
  expect(await screen.findByText('Enter the 6-digit code')).toBeVisible()
  await user.type(code(), '3456{Enter}')
  expect(await screen.findByText('Incorrect code')).toBeVisible()
  expect(code()).toHaveFocus()
  expect(server.callsOf('identity.refresh')).toEqual([])
  expect(onVerified).not.toHaveBeenCalled()
})

test('without a connection Clerk is not asked, and the form says why', async () => {
  const { user, primaryEmailAddress } = open()
  const isOnLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await user.click(screen.getByRole('button', { name: 'Send Code' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Network error')
  expect(primaryEmailAddress.prepareVerification).not.toHaveBeenCalled()
  isOnLine.mockRestore()
})

test('a code that cannot be sent is said so, and can be sent again', async () => {
  const prepareVerification = vi.fn(() => Promise.reject(new Error('Too many requests')))
  const { user } = open({ prepareVerification })
  await user.click(screen.getByRole('button', { name: 'Send Code' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Too many requests')
  expect(screen.getByRole('button', { name: 'Send Code' })).toBeEnabled()
})

test.each(['Send Code', 'Verify'])('where it was verified elsewhere meanwhile, "%s" finds that out', async (name) => {
  const already = () => Promise.reject(refused('verification_already_verified', 'Already verified'))
  const { user, onVerified } = open({ prepareVerification: already, attemptVerification: already })
  await user.type(code(), '123456')
  await user.click(screen.getByRole('button', { name }))
  await waitFor(() => expect(onVerified).toHaveBeenCalledOnce())
})

test.each([
  ['does not know of it yet', () => ({ ...VERIFIED, email: '' }), 'Your address is not verified yet'],
  ['cannot ask', () => Promise.reject(new AppError('IDENTITY_UNAVAILABLE')), /./],
])('where the server %s, the form says so', async (_what, refresh, text) => {
  const { user, onVerified } = open({}, refresh)
  await user.type(code(), '123456{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  expect(onVerified).not.toHaveBeenCalled()
})

test('who has no address is told whom to write to', () => {
  trpcServer({})
  renderScreen(<VerifyAddress />, { requestClerk: () => {}, ...sessionOf({ primaryEmailAddress: null }) })
  expect(screen.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', '/contact')
})
