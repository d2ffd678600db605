import { useIsMutating } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { trpc } from '#client/api/trpc.ts'
import { aContract, aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { NoAnswer, trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { StatusChoice } from './status-choice.tsx'

function openChoice(update: Update) {
  const server = trpcServer({ contracts: { list: () => aPage([ACTIVE]), update } })
  return { server, ...renderScreen(<Rows />) }
}

type Update = NonNullable<NonNullable<FakeAnswers['contracts']>['update']>
const ACTIVE = aContract({ id: 31, customerName: 'Harbor Bakery', status: 'active' })

function Rows() {
  const { data, isError, refetch } = trpc.contracts.list.useQuery({})
  const isSaving = useIsMutating() > 0
  const [isLeft, setIsLeft] = useState(false)
  return (
    <>
      {isError && !isSaving && <p>Failed</p>}
      <button type="button" onClick={() => void refetch()}>
        Retry
      </button>
      <button type="button" onClick={() => setIsLeft(true)}>
        Leave
      </button>
      {!isLeft && data?.rows.map((contract) => <StatusChoice key={contract.id} contract={contract} />)}
    </>
  )
}

const NAME = { name: 'Status of the contract with Harbor Bakery' }
const choice = () => screen.getByRole('combobox', NAME)
const found = () => screen.findByRole('combobox', NAME)

test('a chosen status is shown before the server has answered, and is saved alone', async () => {
  const answer = Promise.withResolvers<ReturnType<typeof aContract>>()
  const { server, user } = openChoice(() => answer.promise)
  await user.selectOptions(await found(), 'Cancelled')
  expect(choice()).toHaveDisplayValue('Cancelled')
  await waitFor(() => expect(server.callsOf('contracts.update')).toEqual([{ id: 31, version: 1, status: 'cancelled' }]))
  answer.resolve(aContract({ status: 'cancelled' }))
})

test('a saved status stays where the list cannot be fetched anew, until it can', async () => {
  const lists = [[aContract({ id: 31, status: 'active' })], undefined, [aContract({ id: 31, status: 'expired' })]]
  const list = () => {
    const rows = lists.shift()
    if (!rows) throw new AppError('FAULT')
    return aPage(rows)
  }
  trpcServer({ contracts: { list, update: () => aContract({ id: 31, status: 'cancelled' }) } })
  const { user } = renderScreen(<Rows />)
  await user.selectOptions(await screen.findByRole('combobox'), 'Cancelled')
  await screen.findByText('Failed')
  expect(screen.getByRole('combobox')).toHaveDisplayValue('Cancelled')
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(screen.getByRole('combobox')).toHaveDisplayValue('Expired'))
})

test.each([
  [new AppError('FAULT'), 'Failed to save contract'],
  [new AppError('CONTRACT_NOT_FOUND'), 'Contract not found'],
  [new NoAnswer(), 'Network error'],
])('where it cannot be saved, the old status returns, with the text: %s', async (failure, text) => {
  const { user } = openChoice(() => Promise.reject(failure))
  await user.selectOptions(await found(), 'Expired')
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  expect(choice()).toHaveDisplayValue('Active')
})

/** A contract that somebody else changes while its row is on screen. */
function openChanged(theirs: Partial<ReturnType<typeof aContract>>, answered = Promise.resolve()) {
  let current = aContract({ ...ACTIVE, ...theirs, version: 2 })
  const update: Update = ({ version, status }) => {
    if (version !== current.version) throw new AppError('CONTRACT_CHANGED')
    const chosen = CONTRACT_STATUSES.find((one) => one === status) ?? current.status
    return (current = { ...current, status: chosen, version: current.version + 1 })
  }
  const rows = [ACTIVE]
  const list = () => aPage([rows.shift() ?? current])
  const server = trpcServer({
    contracts: { list, get: () => answered.then(() => current), update },
    reminders: { announceMail: twoEmails },
  })
  return { saved: () => server.callsOf('contracts.update'), ...renderScreen(<Rows />) }
}

test('what somebody else has changed meanwhile is kept, if it is not the status', async () => {
  const { user, saved } = openChanged({ title: 'Website' })
  await user.selectOptions(await found(), 'Cancelled')
  await waitFor(() =>
    expect(saved()).toEqual([
      { id: 31, version: 1, status: 'cancelled' },
      { id: 31, version: 2, status: 'cancelled' },
    ]),
  )
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(choice()).toHaveDisplayValue('Cancelled')
})

test('a status that somebody else has changed as well is shown with the chosen one, and one is kept', async () => {
  const { user, saved } = openChanged({ status: 'expired' })
  await user.selectOptions(await found(), 'Cancelled')
  const dialog = within(await screen.findByRole('dialog', { name: 'Status of the Contract with Harbor Bakery' }))
  expect(dialog.getByRole('radio', { name: 'Yours: Cancelled' })).toBeChecked()
  expect(saved()).toHaveLength(1)
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved().at(-1)).toEqual({ id: 31, version: 2, status: 'cancelled' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(choice()).toHaveDisplayValue('Cancelled')
})

test('that it was not saved for that reason is said also after the list is left', async () => {
  const answer = Promise.withResolvers<void>()
  const { user, saved } = openChanged({ status: 'expired' }, answer.promise)
  await user.selectOptions(await found(), 'Cancelled')
  await waitFor(() => expect(saved()).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Leave' }))
  answer.resolve()
  expect(await screen.findByText('Not saved: somebody else has changed it meanwhile')).toBeVisible()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('the status that was saved meanwhile can be kept, with nothing else saved', async () => {
  const { user, saved } = openChanged({ status: 'expired' })
  await user.selectOptions(await found(), 'Cancelled')
  await user.click(await screen.findByRole('radio', { name: 'Saved meanwhile: Expired' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(choice()).toHaveDisplayValue('Expired'))
  expect(saved()).toHaveLength(1)
})

test('choosing an open status over one that was closed meanwhile asks about emails first', async () => {
  const { user, saved } = openChanged({ status: 'expired' })
  await user.selectOptions(await found(), 'Pending')
  await screen.findByRole('radio', { name: 'Saved meanwhile: Expired' })
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const dialog = await question()
  expect(await dialog.findByText(/^2 emails to Harbor Bakery/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved().at(-1)).toEqual({ id: 31, version: 2, status: 'pending' }))
})

/** An expired contract, opened again. */
async function reopen(announceMail: NonNullable<NonNullable<FakeAnswers['reminders']>['announceMail']>) {
  const server = trpcServer({
    contracts: { update: () => aContract({ status: 'active' }) },
    reminders: { announceMail },
  })
  const shown = renderScreen(<StatusChoice contract={aContract({ id: 31, status: 'expired' })} />)
  await shown.user.selectOptions(choice(), 'Active')
  return { ...shown, saved: () => server.callsOf('contracts.update') }
}

const question = async () => within(await screen.findByRole('dialog', { name: 'Reopen Contract' }))
const twoEmails = () => ({ count: 2, first: toDay('2027-01-18'), isAddition: false })

test('before a contract is opened again, what its customer will be sent is shown', async () => {
  const { user, saved } = await reopen(twoEmails)
  const dialog = await question()
  expect(dialog.getByText('2 emails to Harbor Bakery will go out, the first on Jan 18, 2027.')).toBeVisible()
  expect(choice()).toHaveDisplayValue('Active')
  expect(saved()).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved()).toEqual([{ id: 31, version: 1, status: 'active' }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

/** Chooses another status for a contract that stays open. */
async function choose(status: 'Active' | 'Pending', given: Parameters<typeof aContract>[0], count = 2) {
  const announceMail = () => ({ count, first: count > 0 ? toDay('2027-01-18') : null, isAddition: false })
  const server = trpcServer({ contracts: { update: () => aContract() }, reminders: { announceMail } })
  const shown = renderScreen(<StatusChoice contract={aContract({ id: 31, ...given })} />)
  await shown.user.selectOptions(choice(), status)
  return { ...shown, server, saved: () => server.callsOf('contracts.update') }
}

const changing = async () => within(await screen.findByRole('dialog', { name: 'Change Status' }))

test('before an overdue contract becomes active and is renewed, its emails are shown and can be turned off', async () => {
  const given = { status: 'pending', renews: 'automatic', renewalDate: toDay('2026-01-15') } as const
  const { user, saved } = await choose('Active', given)
  const dialog = await changing()
  expect(dialog.getByText('2 emails to Harbor Bakery will go out, the first on Jan 18, 2027.')).toBeVisible()
  expect(saved()).toEqual([])
  await user.click(dialog.getByRole('checkbox', { name: 'Do not send these emails' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved()).toEqual([{ id: 31, version: 1, status: 'active', reminders: 'off' }]))
})

test('before a contract becomes pending and is not renewed, its follow-ups are shown; called off, nothing is saved', async () => {
  const { user, saved } = await choose('Pending', { status: 'active', renews: 'automatic' })
  const dialog = await changing()
  expect(dialog.getByText(/^2 emails to Harbor Bakery/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(choice()).toHaveDisplayValue('Active'))
  expect(saved()).toEqual([])
})

test.each([
  ['that brings none', { renews: 'automatic' } as const, 0],
  ['that waits for its owner', { renews: 'by_agreement' } as const, 2],
  ['that is about to end', { renews: 'automatic', endsOn: toDay('2027-01-01') } as const, 2],
])('a contract %s becomes pending at once', async (_which, given, count) => {
  const { saved } = await choose('Pending', { status: 'active', ...given }, count)
  await waitFor(() => expect(saved()).toEqual([{ id: 31, version: 1, status: 'pending' }]))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test.each([
  [0, [{ id: 31, version: 1, status: 'pending' }], undefined],
  [
    2,
    [],
    'The contract with Harbor Bakery was not changed, because we could not show you which emails that sends. Please try again.',
  ],
])(
  'a status of a row that is left while %i emails are being counted is saved, or said not to be',
  async (count, sent, text) => {
    const first = count > 0 ? toDay('2027-01-18') : null
    const counted = Promise.withResolvers<{ count: number; first: typeof first; isAddition: boolean }>()
    const server = trpcServer({
      contracts: { list: () => aPage([{ ...ACTIVE, renews: 'automatic' }]), update: () => ACTIVE },
      reminders: { announceMail: () => counted.promise },
    })
    const { user } = renderScreen(<Rows />)
    await user.selectOptions(await found(), 'Pending')
    await waitFor(() => expect(server.callsOf('reminders.announceMail')).toHaveLength(1))
    await user.click(screen.getByRole('button', { name: 'Leave' }))
    counted.resolve({ count, first, isAddition: true })
    await waitFor(() => expect(screen.queryByRole('alert')?.textContent).toBe(text))
    await waitFor(() => expect(server.callsOf('contracts.update')).toEqual(sent))
  },
)

test.each([0, 2])(
  'a status that another one replaces while its %i emails are being counted is dropped',
  async (count) => {
    const first = count > 0 ? toDay('2027-01-18') : null
    const counted = Promise.withResolvers<{ count: number; first: typeof first; isAddition: boolean }>()
    const server = trpcServer({
      contracts: { update: () => aContract({ ...ACTIVE, status: 'cancelled' }) },
      reminders: { announceMail: () => counted.promise },
    })
    const saved = () => server.callsOf('contracts.update').map((sent) => Reflect.get(Object(sent), 'status'))
    const { user } = renderScreen(<StatusChoice contract={aContract({ ...ACTIVE, renews: 'automatic' })} />)
    await user.selectOptions(choice(), 'Pending')
    await waitFor(() => expect(server.callsOf('reminders.announceMail')).toHaveLength(1))
    await user.selectOptions(choice(), 'Cancelled')
    counted.resolve({ count, first, isAddition: true })
    await waitFor(() => expect(saved()).toEqual(['cancelled']))
    // Saved one after the other: whatever had been waiting would come before it.
    await user.selectOptions(choice(), 'Expired')
    await waitFor(() => expect(saved().at(-1)).toBe('expired'))
    expect(saved()).toEqual(['cancelled', 'expired'])
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  },
)

test('it is opened again without them', async () => {
  const { user, saved } = await reopen(twoEmails)
  const dialog = await question()
  await user.click(dialog.getByRole('checkbox', { name: 'Do not send these emails' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved()).toEqual([{ id: 31, version: 1, status: 'active', reminders: 'off' }]))
})

test('or stays as it was', async () => {
  const { user, saved } = await reopen(twoEmails)
  await user.click((await question()).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(choice()).toHaveDisplayValue('Expired'))
  expect(saved()).toEqual([])
})

test('where nothing would be sent, nothing is asked', async () => {
  const { saved } = await reopen(() => ({ count: 0, first: null, isAddition: false }))
  await waitFor(() => expect(saved()).toEqual([{ id: 31, version: 1, status: 'active' }]))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('where what would be sent cannot be counted, that is said, and it can be opened again all the same', async () => {
  const { user, saved } = await reopen(() => Promise.reject(new AppError('FAULT')))
  const dialog = await question()
  expect(await dialog.findByText('Failed to check which emails will be sent')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved()).toHaveLength(1))
})
