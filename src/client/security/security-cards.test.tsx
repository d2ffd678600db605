import { screen, waitFor, within } from '@testing-library/react'
import type { UserResource } from '@clerk/clerk-react/types'
import { expect, test, vi } from 'vitest'
import { ReverificationContext } from '#client/api/use-reverified.ts'
import { renderScreen, sessionOf } from '#support/render-screen.tsx'
import { AddressCard } from './address-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const CODES = ['abcde12345', 'fghij67890']

/** What the identity provider answers, in its own words. */
function refused(code: string, { message, param }: { message: string; param?: string }) {
  const error = { code, message, longMessage: message, meta: param ? { paramName: param } : {} }
  return Object.assign(new Error(message), { clerkError: true, errors: [error] })
}

function aPerson(changes: object = {}): UserResource {
  return {
    ...JSON.parse('{}'),
    totpEnabled: false,
    createTOTP: vi.fn(async () => ({ secret: SECRET, uri: `otpauth://totp/TRAXX?secret=${SECRET}`, verified: false })),
    verifyTOTP: vi.fn(async () => ({ verified: true, backupCodes: CODES })),
    disableTOTP: vi.fn(async () => ({ deleted: true })),
    createBackupCode: vi.fn(async () => ({ codes: CODES })),
    ...changes,
  }
}

/** The person proves who they are whenever they are asked, or never. */
function renderTwoFactor(person: UserResource, { proves = true } = {}) {
  const ask = vi.fn(async () => proves)
  const shown = renderScreen(
    <ReverificationContext value={{ ask, isAsking: false }}>
      <TwoFactorCard />
    </ReverificationContext>,
    sessionOf(person),
  )
  return { ask, ...shown }
}

test('an app is set up by a QR code or its key, and the backup codes are shown', async () => {
  const person = aPerson()
  const { user } = renderTwoFactor(person)
  await user.click(screen.getByRole('button', { name: 'Set Up' }))
  expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  expect(screen.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')).toBeVisible()
  await user.type(screen.getByLabelText('Authentication code'), '12{Enter}')
  expect(await screen.findByText('Enter the 6-digit code')).toBeVisible()
  await user.type(screen.getByLabelText('Authentication code'), '3 456{Enter}')
  const codes = within(await screen.findByRole('list', { name: 'Backup codes' }))
  expect(codes.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(CODES)
  expect(person.verifyTOTP).toHaveBeenCalledWith({ code: '123456' })
  expect(person.createBackupCode).not.toHaveBeenCalled()
})

test('where the first code brings no backup codes, they are asked for', async () => {
  const person = aPerson({ verifyTOTP: async () => ({ verified: true }) })
  const { user } = renderTwoFactor(person)
  await user.click(screen.getByRole('button', { name: 'Set Up' }))
  await user.type(await screen.findByLabelText('Authentication code'), '123456{Enter}')
  expect(await screen.findByText('abcde12345')).toBeVisible()
})

test('a wrong code is said at its field', async () => {
  const verifyTOTP = () => Promise.reject(refused('form_code_incorrect', { message: 'Incorrect code', param: 'code' }))
  const { user } = renderTwoFactor(aPerson({ verifyTOTP }))
  await user.click(screen.getByRole('button', { name: 'Set Up' }))
  await user.type(await screen.findByLabelText('Authentication code'), '123456{Enter}')
  expect(await screen.findByText('Incorrect code')).toBeVisible()
  expect(screen.getByLabelText('Authentication code')).toHaveFocus()
})

test('who does not prove who they are sets up nothing, and can try again', async () => {
  const needed = refused('session_reverification_required', { message: 'Reverification required' })
  const createTOTP = vi.fn(() => Promise.reject(needed))
  const { user, ask } = renderTwoFactor(aPerson({ createTOTP }), { proves: false })
  await user.click(screen.getByRole('button', { name: 'Set Up' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Reverification required')
  expect(ask).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(ask).toHaveBeenCalledTimes(2))
})

test('turned on, new backup codes are made after a question', async () => {
  const person = aPerson({ totpEnabled: true })
  const { user } = renderTwoFactor(person)
  await user.click(screen.getByRole('button', { name: 'New Backup Codes' }))
  expect(await screen.findByText('Your old backup codes will stop working.')).toBeVisible()
  expect(person.createBackupCode).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Create New Codes' }))
  expect(await screen.findByText('fghij67890')).toBeVisible()
})

test('it is turned off after a question, once the person has proven who they are', async () => {
  const needed = refused('session_reverification_required', { message: 'Reverification required' })
  const disableTOTP = vi.fn(async () => ({ deleted: true })).mockRejectedValueOnce(needed)
  const { user, ask } = renderTwoFactor(aPerson({ totpEnabled: true, disableTOTP }))
  await user.click(screen.getByRole('button', { name: 'Turn Off' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Turn Off' }))
  await waitFor(() => expect(disableTOTP).toHaveBeenCalledTimes(2))
  expect(ask).toHaveBeenCalledOnce()
})

function renderPassword(updatePassword = vi.fn(), passwordEnabled = true) {
  const onChanged = vi.fn()
  const person = { passwordEnabled, updatePassword }
  return { onChanged, updatePassword, ...renderScreen(<PasswordCard onChanged={onChanged} />, sessionOf(person)) }
}

test('the password is changed with the current one, and other browsers are signed out unless that is switched off', async () => {
  const { user, updatePassword, onChanged } = renderPassword()
  await user.type(screen.getByLabelText('Current password'), 'the old one')
  await user.type(screen.getByLabelText('New password'), 'the new one{Enter}')
  await waitFor(() => expect(onChanged).toHaveBeenCalled())
  const change = { currentPassword: 'the old one', newPassword: 'the new one' }
  expect(updatePassword).toHaveBeenLastCalledWith({ ...change, signOutOfOtherSessions: true })
  expect(screen.getByLabelText('Current password')).toHaveValue('')
})

test('a wrong current password is said at its field, and what was typed stays', async () => {
  const wrong = refused('form_password_validation_failed', {
    message: 'Incorrect password.',
    param: 'current_password',
  })
  const { user, onChanged } = renderPassword(vi.fn().mockRejectedValue(wrong))
  await user.type(screen.getByLabelText('Current password'), 'not the old one')
  await user.type(screen.getByLabelText('New password'), 'the new one{Enter}')
  expect(await screen.findByText('Incorrect password.')).toBeVisible()
  expect(screen.getByLabelText('New password')).toHaveValue('the new one')
  expect(onChanged).not.toHaveBeenCalled()
})

test('nothing is sent without both passwords', async () => {
  const { user, updatePassword } = renderPassword()
  await user.click(screen.getByRole('button', { name: 'Change Password' }))
  expect(await screen.findByText('Enter your current password')).toBeVisible()
  expect(screen.getByText('Enter a new password')).toBeVisible()
  expect(updatePassword).not.toHaveBeenCalled()
})

test('who has no password yet sets a first one', async () => {
  const { user, updatePassword } = renderPassword(vi.fn(), false)
  expect(screen.queryByLabelText('Current password')).toBeNull()
  await user.type(screen.getByLabelText('New password'), 'the first one')
  await user.click(screen.getByRole('checkbox', { name: 'Sign out everywhere else' }))
  await user.click(screen.getByRole('button', { name: 'Set Password' }))
  await waitFor(() =>
    expect(updatePassword).toHaveBeenCalledWith({ newPassword: 'the first one', signOutOfOtherSessions: false }),
  )
})

test.each([
  ['verified', 'Verified', false],
  ['unverified', 'Not verified', true],
])('an address that is %s says so, and is verified where it is not', (status, badge, isAsked) => {
  const primaryEmailAddress = { emailAddress: 'ada@example.com', verification: { status } }
  renderScreen(<AddressCard />, { requestClerk: () => {}, ...sessionOf({ primaryEmailAddress }) })
  const card = within(screen.getByRole('region', { name: 'Email address' }))
  expect(card.getByText(badge)).toBeVisible()
  expect(card.getByText(/ada@example.com/)).toBeVisible()
  expect(card.queryAllByRole('button', { name: 'Send Code' })).toHaveLength(isAsked ? 1 : 0)
})
