import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { START } from '#client/list/list-position.ts'
import { aContract, aCustomer, aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { ContractDialog } from './form/contract-dialog.tsx'
import { ContractsScreen } from './contracts-screen.tsx'

const FIGURES = { total: 1, active: 1, expiring: 0, revenue: 800 }

function openServer() {
  return trpcServer({
    contracts: {
      list: () => aPage([aContract()]),
      figures: () => FIGURES,
      create: () => aContract(),
      update: () => aContract(),
    },
    customers: { list: () => aPage([aCustomer()]) },
    identity: { account: () => ({ email: 'ada@example.com', timeZone: 'UTC' }) },
    reminders: { announceMail: () => ({ count: 0, first: null, isAddition: false }) },
  })
}

function openContracts(page = 1) {
  openServer()
  const onSearch = vi.fn()
  const search = { ...START, sort: 'openFirst', direction: 'asc', size: 10, page } as const
  const shown = <ContractsScreen search={search} onSearch={onSearch} onOpen={() => {}} />
  return { onSearch, ...renderScreen(shown) }
}

const field = (name: string) => screen.getByLabelText(new RegExp(`^${name}`))

test('Add Contract opens an empty form, active and monthly', async () => {
  const { user } = openContracts()
  await user.click(await screen.findByRole('button', { name: 'Add Contract' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Contract' }))
  for (const name of ['Amount', 'Start Date', 'Renewal Date']) expect(field(name)).toHaveValue('')
  expect(dialog.getByRole('combobox', { name: 'Customer' })).toHaveValue('')
  expect(dialog.getByRole('combobox', { name: 'Renewal Cycle' })).toHaveDisplayValue('Monthly')
  expect(dialog.getByRole('combobox', { name: 'Status' })).toHaveDisplayValue('Active')
})

test("a row's Edit opens the form with the contract, its dates as YYYY-MM-DD", async () => {
  const { user } = openContracts()
  await user.click(await screen.findByRole('button', { name: 'Edit the contract with Harbor Bakery' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Contract' }))
  expect(dialog.getByRole('combobox', { name: 'Customer' })).toHaveValue('Harbor Bakery')
  expect(field('Start Date')).toHaveValue('2026-01-15')
  expect(field('Renewal Date')).toHaveValue('2027-01-15')
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

test('filters begin at page 1', async () => {
  const { onSearch, user } = openContracts(3)
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Expired')
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ status: 'expired', page: 1, after: undefined }))
  await user.type(screen.getByRole('searchbox'), 'mill{Enter}')
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ search: 'mill', page: 1 }))
})

test('on the dashboard the dialog closes at once after a success, which a toast says', async () => {
  const server = openServer()
  const onClose = vi.fn()
  const { user } = renderScreen(<ContractDialog opened page="dashboard" contract={undefined} onClose={onClose} />)
  await user.type(screen.getByRole('combobox', { name: 'Customer' }), 'harb')
  await user.click(await screen.findByRole('option', { name: /Harbor Bakery/ }))
  await user.type(field('Amount'), '99.90')
  fireEvent.change(field('Start Date'), { target: { value: '2026-11-01' } })
  await user.click(screen.getByRole('button', { name: 'Add Contract' }))
  expect(await screen.findByText('Contract added successfully!')).toBeVisible()
  expect(server.callsOf('contracts.create')).toEqual([
    expect.objectContaining({ customerId: 7, amount: 99.9, status: 'pending', renewalCycle: 'monthly' }),
  ])
  expect(onClose).toHaveBeenCalledOnce()
})
