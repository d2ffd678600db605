import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { START } from '#client/list/list-position.ts'
import { aCustomer, aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { CustomersScreen } from './customers-screen.tsx'
import { DeleteCustomer } from './delete-customer.tsx'

const FIGURES = { total: 1, newThisMonth: 0, withContracts: 0, averageContracts: 0 }

function openCustomers(answers: FakeAnswers['customers'] = {}, reminders: FakeAnswers['reminders'] = {}) {
  const server = trpcServer({
    customers: { list: () => aPage([aCustomer()]), figures: () => FIGURES, ...answers },
    reminders: { bounce: () => null, ...reminders },
  })
  const search = { ...START, sort: 'name', direction: 'asc', size: 10 } as const
  return { server, ...renderScreen(<CustomersScreen search={search} onSearch={() => {}} />) }
}

test('Add Customer opens an empty form, with notifications enabled', async () => {
  const { user } = openCustomers()
  await user.click(await screen.findByRole('button', { name: 'Add Customer' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Customer' }))
  for (const box of dialog.getAllByRole('textbox')) expect(box).toHaveValue('')
  expect(dialog.getAllByRole('textbox')).toHaveLength(5)
  expect(dialog.getByRole('switch')).toBeChecked()
})

test("a row's Edit opens the form with the customer", async () => {
  const { user } = openCustomers()
  await user.click(await screen.findByRole('button', { name: 'Edit Harbor Bakery' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Customer' }))
  for (const [name, value] of [
    ['Name', 'Harbor Bakery'],
    ['Phone', '555-0101'],
    ['Customer Number', 'C-007'],
    ['Email', 'orders@harbor.test'],
    ['Address', '12 Pier Road'],
  ] as const) {
    expect(dialog.getByRole('textbox', { name })).toHaveValue(value)
  }
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

test('after a save the row has the fields that were sent, and those that were not as they were', async () => {
  const saved = { current: aCustomer() }
  const { user } = openCustomers({
    list: () => aPage([saved.current]),
    update: ({ id: _id, ...sent }) => (saved.current = aCustomer({ ...saved.current, name: sent.name ?? '' })),
  })
  await user.click(await screen.findByRole('button', { name: 'Edit Harbor Bakery' }))
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.type(name, 'Harbor Mill{Enter}')
  expect(await screen.findByText('Customer updated successfully!')).toBeVisible()
  const row = await screen.findByRole('row', { name: /Harbor Mill/, hidden: true })
  expect(row).toHaveTextContent('12 Pier Road')
  expect(row).toHaveTextContent('555-0101')
  expect(screen.queryByText('Harbor Bakery')).not.toBeInTheDocument()
})

test('Close closes the details', async () => {
  const { user } = openCustomers()
  await user.click(await screen.findByText('555-0101'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Customer Details' }))
  await user.click(dialog.getByText('Close', { selector: 'button *' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

describe('mail that bounced', () => {
  const BOUNCE = {
    address: 'orders@harbor.test',
    bouncedAt: new Date('2026-11-20T12:00:00Z'),
    answer: '550 no such user',
  }
  const openDetails = async (reminders: FakeAnswers['reminders'], customer = aCustomer()) => {
    const opened = openCustomers({ list: () => aPage([customer]) }, reminders)
    await opened.user.click(await screen.findByText('555-0101'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Customer Details' }))
    return { ...opened, dialog }
  }

  test('is told in the details, until the owner says that the address works again', async () => {
    const bounce: { current: typeof BOUNCE | null } = { current: BOUNCE }
    const { user, server, dialog } = await openDetails({
      bounce: () => bounce.current,
      clearBounce: () => void (bounce.current = null),
    })
    expect(await dialog.findByText('Email to orders@harbor.test bounced')).toBeVisible()
    expect(
      dialog.getByText(
        /: 550 no such user. Reminders to this address are off until you change it or mark it as working.$/,
      ),
    ).toBeVisible()
    dialog.getByRole('button', { name: 'Mark as Working' }).focus()
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Reminders will go to orders@harbor.test again')).toBeVisible()
    expect(server.callsOf('reminders.clearBounce')).toEqual([{ id: 7 }])
    await waitFor(() => expect(dialog.queryByText('Email to orders@harbor.test bounced')).not.toBeInTheDocument())
    expect(dialog.getByRole('button', { name: 'Edit Customer' })).toHaveFocus()
  })

  test('stays told where that could not be saved', async () => {
    const { user, dialog } = await openDetails({
      bounce: () => BOUNCE,
      clearBounce: () => {
        throw new AppError('FAULT')
      },
    })
    await user.click(await dialog.findByRole('button', { name: 'Mark as Working' }))
    expect(await screen.findByText('Failed to mark the address as working')).toBeVisible()
    expect(dialog.getByText('Email to orders@harbor.test bounced')).toBeVisible()
  })

  test('is not asked for where there is no address', async () => {
    const { server, dialog } = await openDetails({}, aCustomer({ email: null }))
    expect(dialog.getByText('No email')).toBeVisible()
    expect(server.callsOf('reminders.bounce')).toEqual([])
  })
})

test('without a customer there is nothing to be asked about', () => {
  renderScreen(<DeleteCustomer opened customer={undefined} onDeleted={() => {}} onClose={() => {}} />)
  expect(screen.queryByRole('button', { name: 'Delete' })).not.toBeInTheDocument()
})
