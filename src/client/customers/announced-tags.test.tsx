import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { aCustomer } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { movableTime } from '#support/time.ts'
import { trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import { CustomerDialog } from './customer-dialog.tsx'

type Announce = NonNullable<NonNullable<FakeAnswers['reminders']>['announceCustomerTags']>

/** Two notices for the tag North, and none without it. */
const byTag: Announce = ({ tags }) => ({ notices: tags.includes('North') ? 2 : 0, isAll: true })

/** Harbor Bakery with the tag VIP, opened to be edited. */
function openDialog(announceCustomerTags: Announce = byTag, isNew = false) {
  const server = trpcServer({
    customers: { update: () => aCustomer(), create: () => aCustomer() },
    reminders: { announceCustomerTags },
  })
  const onClose = vi.fn<() => void>()
  const customer = isNew ? undefined : aCustomer({ id: 7, tags: ['VIP'] })
  const dialog = <CustomerDialog opened page="customers" customer={customer} onClose={onClose} />
  return { server, onClose, ...renderScreen(dialog) }
}

const tags = () => screen.getByRole('combobox', { name: 'Tags' })
const save = () => screen.getByRole('button', { name: 'Save Changes' })
const TWO = '2 notices to this customer will go out by email today.'

test('a tag that is typed says how many notices go out today, and without it nothing is said', async () => {
  const { server, user } = openDialog()
  await user.type(tags(), 'North,')
  expect(await screen.findByText(TWO)).toBeVisible()
  await user.type(tags(), '{Backspace}')
  await waitFor(() => expect(screen.queryByText(TWO)).not.toBeInTheDocument())
  expect(server.callsOf('reminders.announceCustomerTags')).toEqual([{ id: 7, tags: ['VIP', 'North'] }])
})

test('a tag that brings none says nothing', async () => {
  const { server, user, onClose } = openDialog()
  await user.type(tags(), 'South,')
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(screen.queryByText(/notice/)).not.toBeInTheDocument()
  expect(server.callsOf('customers.update')).toMatchObject([{ id: 7, tags: ['VIP', 'South'] }])
})

test('where the tags stay, and for a new customer, nothing is asked', async () => {
  const { server, user, onClose, unmount } = openDialog()
  await user.type(screen.getByRole('textbox', { name: 'Phone' }), '1')
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('reminders.announceCustomerTags')).toEqual([])
  unmount()
  const added = openDialog(byTag, true)
  await added.user.type(screen.getByRole('textbox', { name: 'Name' }), 'Mill')
  await added.user.type(tags(), 'North,')
  await added.user.click(screen.getByRole('button', { name: 'Add Customer' }))
  await waitFor(() => expect(added.onClose).toHaveBeenCalledOnce())
  expect(added.server.callsOf('reminders.announceCustomerTags')).toEqual([])
})

test('saved before the notices are counted, it waits for them, and shows them before it is saved', async () => {
  const { answer, tell } = whenTold<Awaited<ReturnType<Announce>>>()
  const { server, user, onClose } = openDialog(answer)
  await user.type(tags(), 'North,')
  await user.click(save())
  expect(server.callsOf('customers.update')).toEqual([])
  tell({ notices: 2, isAll: true })
  expect(await screen.findByText('Not saved yet. Check which emails will be sent, then save again.')).toBeVisible()
  expect(screen.getByText(TWO)).toBeVisible()
  expect(server.callsOf('customers.update')).toEqual([])
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('saved before it is known that there are none, it is saved as soon as it is', async () => {
  const { answer, tell } = whenTold<Awaited<ReturnType<Announce>>>()
  const { server, user, onClose } = openDialog(answer)
  await user.type(tags(), 'North,')
  await user.click(save())
  expect(server.callsOf('customers.update')).toEqual([])
  tell({ notices: 0, isAll: true })
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.callsOf('customers.update')).toHaveLength(1)
})

test('what cannot be counted is said, and the customer can be saved all the same', async () => {
  const { user, onClose } = openDialog(() => Promise.reject(new AppError('FAULT')))
  await user.type(tags(), 'North,')
  expect(await screen.findByText('Failed to check which emails will be sent')).toBeVisible()
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('where no count comes, that is said after a while, and it can be saved all the same', async () => {
  const time = movableTime()
  const { server, user, onClose } = openDialog(() => Promise.withResolvers<never>().promise)
  await user.type(tags(), 'North,')
  await user.click(save())
  await time.pass(5000)
  expect(await screen.findByText('We could not check which emails this customer will get.')).toBeVisible()
  expect(server.callsOf('customers.update')).toEqual([])
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})
