import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { aContract, aCustomer, aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { movableTime } from '#support/time.ts'
import { trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import { ContractDialog } from './contract-dialog.tsx'

type Announce = NonNullable<NonNullable<FakeAnswers['reminders']>['announceMail']>

const NEAR = '2027-02-01'
const FAR = '2028-02-01'
const MUTE = 'Do not send these emails'
const CHANGED_MEANWHILE = 'Not saved yet, because you changed something while we were checking. Please save again.'

const SETTINGS = { confirmRenewals: false, endOverdueAfterDays: null, endReasons: ['Price'] }

/** Six emails about the near renewal date, and none about any other. */
const byDate: Announce = ({ renewalDate }) =>
  renewalDate === NEAR
    ? { count: 6, first: toDay('2027-01-18'), isAddition: false }
    : { count: 0, first: null, isAddition: false }

/** A contract with Harbor Bakery, opened to be edited. */
function openDialog(announceMail: Announce = byDate, given: Parameters<typeof aContract>[0] = {}) {
  const server = trpcServer({
    contracts: { update: () => aContract(), terms: () => [], renewalSettings: () => SETTINGS },
    customers: { list: () => aPage([aCustomer({ id: 8, name: 'Mill & Sons' })]) },
    identity: { account: () => ({ email: 'ada@example.com', timeZone: 'UTC' }) },
    reminders: { announceMail },
  })
  const onClose = vi.fn<() => void>()
  return {
    server,
    onClose,
    ...renderScreen(<ContractDialog opened page="contracts" contract={aContract(given)} onClose={onClose} />),
  }
}

const renew = (value: string) => fireEvent.change(screen.getByLabelText(/^Renewal Date/), { target: { value } })
const save = () => screen.getByRole('button', { name: 'Save Changes' })
const mute = () => screen.findByRole('checkbox', { name: MUTE })

test('a contract as it is saved announces nothing', async () => {
  const { server } = openDialog()
  expect(await screen.findByDisplayValue('2027-01-15')).toBeVisible()
  expect(screen.queryByText(/will go out/)).not.toBeInTheDocument()
  expect(server.callsOf('reminders.announceMail')).toEqual([])
})

test('another renewal date says what the customer will be sent, and when first', async () => {
  const { server } = openDialog()
  renew(NEAR)
  expect(await screen.findByText('6 emails to Harbor Bakery will go out, the first on Jan 18, 2027.')).toBeVisible()
  expect(await mute()).not.toBeChecked()
  expect(server.callsOf('reminders.announceMail')).toEqual([
    { id: 31, customerId: 7, renewalDate: NEAR, status: 'active' },
  ])
})

test('one email is one', async () => {
  openDialog(() => ({ count: 1, first: toDay('2027-01-31'), isAddition: false }))
  renew(NEAR)
  expect(await screen.findByText('1 email to Harbor Bakery will go out on Jan 31, 2027.')).toBeVisible()
})

test('where nothing goes out that is said, and there is nothing to turn off', async () => {
  openDialog()
  renew(FAR)
  expect(await screen.findByText('No emails will go to Harbor Bakery in the next 90 days.')).toBeVisible()
  expect(screen.queryByRole('checkbox', { name: MUTE })).not.toBeInTheDocument()
})

test('turned off, it is saved so; turned on again, it is not', async () => {
  const { server, user, onClose } = openDialog()
  renew(NEAR)
  await user.click(await mute())
  expect(await mute()).toBeChecked()
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  await user.click(await mute())
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2))
  const [off, on] = server.callsOf('contracts.update')
  expect(off).toMatchObject({ renewalDate: NEAR, reminders: 'off' })
  expect(on).not.toHaveProperty('reminders')
})

test('turned off for one renewal date, it is not for another that is entered then', async () => {
  const { server, user, onClose } = openDialog()
  renew(NEAR)
  await user.click(await mute())
  renew(FAR)
  expect(await screen.findByText(/^No emails will go to Harbor Bakery/)).toBeVisible()
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('contracts.update')).toEqual([expect.not.objectContaining({ reminders: 'off' })])
})

test('what cannot be counted is said, and the contract can be saved all the same', async () => {
  const { user, onClose } = openDialog(() => Promise.reject(new AppError('FAULT')))
  renew(NEAR)
  expect(await screen.findByText('Failed to check which emails will be sent')).toBeVisible()
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('another customer says what they will be sent, not what the one before', async () => {
  const { server, user } = openDialog(() => ({ count: 2, first: toDay('2027-01-18'), isAddition: false }))
  const picker = screen.getByRole('combobox', { name: 'Customer' })
  await user.clear(picker)
  await user.type(picker, 'mill')
  await user.click(await screen.findByRole('option', { name: /Mill & Sons/ }))
  expect(await screen.findByText('2 emails to Mill & Sons will go out, the first on Jan 18, 2027.')).toBeVisible()
  expect(server.callsOf('reminders.announceMail')).toEqual([
    { id: 31, customerId: 8, renewalDate: '2027-01-15', status: 'active' },
  ])
})

test('saved before the emails are counted, it waits for them, and shows them before it is saved', async () => {
  const { answer, tell } = whenTold<Awaited<ReturnType<Announce>>>()
  const { server, user, onClose } = openDialog(answer)
  renew(NEAR)
  await user.click(save())
  expect(server.callsOf('contracts.update')).toEqual([])
  tell({ count: 6, first: toDay('2027-01-18'), isAddition: false })
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Not saved yet. Check which emails will be sent, then save again.',
  )
  expect(await mute()).toBeVisible()
  expect(server.callsOf('contracts.update')).toEqual([])
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('saved before it is known that none goes out, it is saved as soon as it is', async () => {
  const { answer, tell } = whenTold<Awaited<ReturnType<Announce>>>()
  const { server, user, onClose } = openDialog(answer)
  renew(FAR)
  await user.click(save())
  tell({ count: 0, first: null, isAddition: false })
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('contracts.update')).toHaveLength(1)
})

test('what is typed while it waits is neither left out nor lost', async () => {
  const { answer, tell } = whenTold<Awaited<ReturnType<Announce>>>()
  const { server, user, onClose } = openDialog(answer)
  const changeAmount = (value: string) =>
    fireEvent.change(screen.getByRole('textbox', { name: 'Amount' }), { target: { value } })
  changeAmount('900')
  renew(FAR)
  await user.click(save())
  changeAmount('950')
  tell({ count: 0, first: null, isAddition: false })
  expect(await screen.findByText(CHANGED_MEANWHILE)).toBeVisible()
  expect(server.callsOf('contracts.update')).toEqual([])
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('contracts.update')).toMatchObject([{ amount: 950, renewalDate: FAR }])
})

test('where the change is taken back while it waits, nothing is said of emails', async () => {
  const { answer, tell } = whenTold<Awaited<ReturnType<Announce>>>()
  const { server, user } = openDialog(answer)
  const before = screen.getByLabelText<HTMLInputElement>(/^Renewal Date/).value
  renew(NEAR)
  await user.click(save())
  renew(before)
  tell({ count: 6, first: toDay('2027-01-18'), isAddition: false })
  expect(await screen.findByText(CHANGED_MEANWHILE)).toBeVisible()
  expect(screen.queryByText(/Check which emails/)).not.toBeInTheDocument()
  expect(server.callsOf('contracts.update')).toEqual([])
})

test('where nothing that mail depends on has changed, saving waits for nothing', async () => {
  const { server, user, onClose } = openDialog(() => Promise.withResolvers<never>().promise)
  fireEvent.change(screen.getByRole('textbox', { name: 'Amount' }), { target: { value: '900' } })
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('reminders.announceMail')).toEqual([])
})

test('where no count comes, that is said after a while, and it can be saved all the same', async () => {
  const time = movableTime()
  const { server, user, onClose } = openDialog(() => Promise.withResolvers<never>().promise)
  renew(NEAR)
  await user.click(save())
  await time.pass(5000)
  expect(await screen.findByText('We could not check which emails Harbor Bakery will get.')).toBeVisible()
  expect(server.callsOf('contracts.update')).toEqual([])
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

const renews = (value: string) => fireEvent.change(screen.getByLabelText(/^Renews/), { target: { value } })

test('a contract that is to renew automatically says which notices it brings, which cannot be turned off with reminders', async () => {
  const { server } = openDialog(({ renews: kind }) =>
    kind === 'automatic'
      ? { count: 1, first: toDay('2026-11-26'), isAddition: true }
      : { count: 0, first: null, isAddition: true },
  )
  renews('automatic')
  expect(await screen.findByText('1 email to Harbor Bakery will go out on Nov 26, 2026.')).toBeVisible()
  expect(screen.queryByRole('checkbox', { name: MUTE })).not.toBeInTheDocument()
  renews('by_agreement')
  await expect.poll(() => screen.queryByText(/will go out/)).toBeNull()
  expect(server.callsOf('reminders.announceMail')).toEqual([
    { id: 31, customerId: 7, renewalDate: '2027-01-15', status: 'active', renews: 'automatic' },
  ])
})

test.each([
  ['that is to renew automatically', { renews: 'by_agreement' } as const, () => renews('automatic')],
  [
    'that becomes active',
    { renews: 'automatic', status: 'pending' } as const,
    () => fireEvent.change(screen.getByLabelText(/^Status/), { target: { value: 'active' } }),
  ],
])('an overdue contract %s is renewed at once: its emails can be turned off', async (_which, given, change) => {
  const announce: Announce = () => ({ count: 3, first: toDay('2026-12-01'), isAddition: false })
  const { server } = openDialog(announce, { ...given, renewalDate: toDay('2026-01-15') })
  change()
  expect(await screen.findByText('3 emails to Harbor Bakery will go out, the first on Dec 1, 2026.')).toBeVisible()
  expect(await mute()).not.toBeChecked()
  expect(server.callsOf('reminders.announceMail')).toMatchObject([{ id: 31, renewalDate: '2026-01-15' }])
})

test('nor are they turned off by a change that brings no others, saved before that is known', async () => {
  const counted = Promise.withResolvers<Awaited<ReturnType<Announce>>>()
  const announce: Announce = ({ renews: kind }) =>
    kind === 'automatic' ? { count: 3, first: toDay('2026-12-01'), isAddition: false } : counted.promise
  const given = { renews: 'by_agreement', renewalDate: toDay('2026-01-15') } as const
  const { server, user, onClose } = openDialog(announce, given)
  renews('automatic')
  await user.click(await mute())
  renews('never')
  await user.click(save())
  counted.resolve({ count: 0, first: null, isAddition: true })
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('contracts.update')).toEqual([{ id: 31, version: expect.anything(), renews: 'never' }])
})

test('emails stay on where the change that they come with is taken back after they were turned off', async () => {
  const announce: Announce = () => ({ count: 3, first: toDay('2026-12-01'), isAddition: false })
  const given = { renews: 'by_agreement', renewalDate: toDay('2026-01-15') } as const
  const { server, user, onClose } = openDialog(announce, given)
  renews('automatic')
  await user.click(await mute())
  renews('by_agreement')
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: MUTE })).not.toBeInTheDocument())
  fireEvent.change(screen.getByLabelText(/^Title/), { target: { value: 'Hosting' } })
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('contracts.update')).toEqual([{ id: 31, version: expect.anything(), title: 'Hosting' }])
})

test.each([
  ['by agreement', { renews: 'by_agreement' }, () => renews('by_agreement')],
  [
    'while it is pending',
    { status: 'pending' },
    () => fireEvent.change(screen.getByLabelText(/^Status/), { target: { value: 'pending' } }),
  ],
])('a contract that waits for its owner %s says which follow-ups that brings', async (_why, sent, change) => {
  const announce: Announce = () => ({ count: 3, first: toDay('2027-01-16'), isAddition: true })
  const { server } = openDialog(announce, { renews: 'automatic' })
  change()
  expect(await screen.findByText('3 emails to Harbor Bakery will go out, the first on Jan 16, 2027.')).toBeVisible()
  expect(screen.queryByRole('checkbox', { name: MUTE })).not.toBeInTheDocument()
  expect(server.callsOf('reminders.announceMail')).toMatchObject([{ id: 31, ...sent }])
})

test('another status in which the contract stays open says nothing of the emails that go out anyway', async () => {
  const { server, user, onClose } = openDialog(undefined, { status: 'pending' })
  fireEvent.change(screen.getByLabelText(/^Status/), { target: { value: 'active' } })
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(screen.queryByText(/emails? (to|will go)/)).not.toBeInTheDocument()
  expect(server.callsOf('reminders.announceMail')).toEqual([])
})

test('a contract that is closed says that no emails go out', async () => {
  openDialog()
  fireEvent.change(screen.getByLabelText(/^Status/), { target: { value: 'cancelled' } })
  expect(await screen.findByText('No emails will go to Harbor Bakery in the next 90 days.')).toBeVisible()
})

test('where such a change brings none, nothing is said of the emails that go out anyway', async () => {
  const { server, user, onClose } = openDialog(() => ({ count: 0, first: null, isAddition: true }), {
    renews: 'automatic',
    noticePeriod: '30 days',
  })
  fireEvent.change(screen.getByLabelText(/^Notice/), { target: { value: '2m' } })
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(screen.queryByText(/emails? (to|will go)/)).not.toBeInTheDocument()
  const asked = { id: 31, customerId: 7, renewalDate: '2027-01-15', status: 'active', noticePeriod: '2 months' }
  expect(server.callsOf('reminders.announceMail')).toContainEqual(asked)
})
