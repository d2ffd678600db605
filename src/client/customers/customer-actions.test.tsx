import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { START } from '#client/list/list-position.ts'
import { aCustomer, aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { CustomersScreen } from './customers-screen.tsx'

const FIGURES = { total: 1, newThisMonth: 0, withContracts: 0, averageContracts: 0, month: '2026-11' }

function openCustomers(answers: FakeAnswers['customers'] = {}) {
  const server = trpcServer({
    customers: { list: () => aPage([aCustomer()]), figures: () => FIGURES, ...answers },
  })
  const search = { ...START, sort: 'name', direction: 'asc', size: 10 } as const
  return { server, ...renderScreen(<CustomersScreen search={search} onSearch={() => {}} onOpen={() => {}} />) }
}

test('Add Customer opens an empty form, with notifications enabled', async () => {
  const { user } = openCustomers()
  await user.click(await screen.findByRole('button', { name: 'Add Customer' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Customer' }))
  for (const box of dialog.getAllByRole('textbox')) expect(box).toHaveValue('')
  expect(dialog.getAllByRole('textbox')).toHaveLength(7)
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
