import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { DeleteAccountCard } from './delete-account-card.tsx'

async function openDialog(answers: FakeAnswers['identity'] = {}, isSubscribed = true) {
  const leave = vi.fn(async () => undefined)
  const account = () => ({ email: 'ada@example.com', timeZone: 'UTC' })
  const server = trpcServer({ identity: { account, deleteAccount: () => undefined, ...answers } })
  const { user } = renderScreen(<DeleteAccountCard canExport isSubscribed={isSubscribed} />, { leave })
  await user.click(await screen.findByRole('button', { name: 'Delete Account' }))
  const dialog = await screen.findByRole('dialog')
  return { ...server, user, leave, dialog, confirm: within(dialog).getByRole('button', { name: 'Delete Account' }) }
}

test('the dialog says what is removed, and what is kept and why', async () => {
  const { dialog } = await openDialog()
  expect(dialog).toHaveTextContent('your subscription is canceled, you are signed out everywhere')
  expect(dialog).toHaveTextContent('Stripe keeps records of your payments, as the law requires')
  expect(dialog).toHaveTextContent(
    'a one-way code made from your email address, so that it cannot start a second trial',
  )
  expect(dialog).toHaveTextContent(
    'one-way codes of their addresses and yours, so that a new account does not email them',
  )
})

test('somebody without a subscription reads nothing of one that is canceled', async () => {
  const { dialog } = await openDialog({}, false)
  expect(screen.getByText(/^Removes everything in your account/)).toBeInTheDocument()
  expect(dialog).toHaveTextContent('Immediately and permanently: you are signed out everywhere')
  expect(dialog).not.toHaveTextContent('your subscription is canceled')
})

test('only who types the email of the account gets on', async () => {
  const { user, confirm, callsOf, leave } = await openDialog()
  const field = screen.getByLabelText('Type ada@example.com to confirm')
  await user.type(field, 'ada@example.org{Enter}')
  expect(confirm).toBeDisabled()
  expect(callsOf('identity.deleteAccount')).toEqual([])
  await user.clear(field)
  await user.type(field, 'Ada@example.com')
  await user.click(confirm)
  await waitFor(() => expect(leave).toHaveBeenCalledExactlyOnceWith('/account-deleted'))
  expect(callsOf('identity.deleteAccount')).toEqual([{ email: 'Ada@example.com' }])
})

test('where no address is known to be theirs, a word is typed', async () => {
  const { user, confirm, callsOf } = await openDialog({ account: () => ({ email: '', timeZone: 'UTC' }) })
  expect(confirm).toBeDisabled()
  await user.type(screen.getByLabelText('Type delete to confirm'), 'Delete{Enter}')
  await waitFor(() => expect(callsOf('identity.deleteAccount')).toEqual([{ email: 'Delete' }]))
})

test('why it failed is said, and nothing is left', async () => {
  const { user, confirm, leave } = await openDialog({
    deleteAccount: () => {
      throw new AppError('FAULT')
    },
  })
  await user.type(screen.getByLabelText('Type ada@example.com to confirm'), 'ada@example.com')
  await user.click(confirm)
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to delete the account')
  expect(leave).not.toHaveBeenCalled()
})
