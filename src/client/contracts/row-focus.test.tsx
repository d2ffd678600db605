import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { START } from '#client/list/list-position.ts'
import { aContract, aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { ContractsScreen } from './contracts-screen.tsx'

const FIGURES = { total: 3, active: 3, expiring: 0, revenue: 800 }

/** The active contracts of these customers, of which the first goes as it is changed or deleted. */
function openContracts(customers: string[], saved = Promise.resolve()) {
  const rows = customers.map((customerName, index) => aContract({ id: index + 1, customerName, status: 'active' }))
  trpcServer({
    contracts: {
      list: () => aPage([...rows]),
      figures: () => FIGURES,
      update: () => saved.then(() => aContract({ ...rows.shift(), status: 'cancelled' })),
      remove: () => void rows.shift(),
    },
  })
  const search = { ...START, sort: 'openFirst', direction: 'asc', size: 10, status: 'active' } as const
  return renderScreen(<ContractsScreen search={search} onSearch={() => {}} onOpen={() => {}} />)
}

const status = (customer: string) => screen.findByRole('combobox', { name: `Status of the contract with ${customer}` })
const told = () => screen.findByText('The row is no longer in this list')

test('where a chosen status takes its row out of the filter, the focus goes to the next row’s status', async () => {
  const { user } = openContracts(['Acme', 'Beta'])
  await user.selectOptions(await status('Acme'), 'Cancelled')
  expect(await told()).toBeInTheDocument()
  expect(await status('Beta')).toHaveFocus()
})

test('after the last row the focus goes to the search', async () => {
  const { user } = openContracts(['Acme'])
  await user.selectOptions(await status('Acme'), 'Cancelled')
  await told()
  expect(screen.getByRole('searchbox')).toHaveFocus()
})

test('a deleted row is gone before the server has answered, a double click deletes no other, a refusal restores it', async () => {
  const refusal = Promise.withResolvers<never>()
  const rows = ['Acme', 'Beta'].map((customerName, index) => aContract({ id: index + 1, customerName }))
  const server = trpcServer({
    contracts: { list: () => aPage(rows), figures: () => FIGURES, remove: () => refusal.promise },
  })
  const search = { ...START, sort: 'openFirst', direction: 'asc', size: 10 } as const
  const { user } = renderScreen(<ContractsScreen search={search} onSearch={() => {}} onOpen={() => {}} />)
  const deletion = (name: string) => screen.findByRole('button', { name: `Delete the contract with ${name}` })
  await user.click(await deletion('Acme'))
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
  // At the same place.
  fireEvent.click(await deletion('Beta'), { detail: 2 })
  expect(server.callsOf('contracts.remove')).toEqual([{ id: 1 }])
  refusal.reject(new AppError('FAULT'))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to delete contract')
  expect(await deletion('Acme')).toBeVisible()
})

test('after a row is deleted the focus is on the next row’s Delete', async () => {
  const { user } = openContracts(['Acme', 'Beta'])
  await user.click(await screen.findByRole('button', { name: 'Delete the contract with Acme' }))
  await told()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Delete the contract with Beta' })).toHaveFocus())
})

test('where somebody has moved on, a row that goes takes no focus along', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { user } = openContracts(['Acme', 'Beta'], promise)
  await user.selectOptions(await status('Acme'), 'Cancelled')
  await user.click(screen.getByRole('heading', { name: 'Contracts' }))
  resolve()
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
  expect(document.body).toHaveFocus()
})
