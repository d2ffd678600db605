import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aContract, aCustomer, aPage } from '#support/records.ts'
import { openApp } from '#support/open-app.tsx'

const SENTENCE = 'Your trial ended without a card, so TRAXX is read-only until you add one'
/** Beside the banner, which says the same. */
const toast = () => screen.findByText(SENTENCE, { selector: '[role="alert"] *' })

function openReadOnly(address: string) {
  return openApp(address, {
    subscription: { status: 'paused', access: 'read-only', screens: 'app-read-only' },
    answers: {
      contracts: {
        list: () => aPage([aContract()]),
        figures: () => ({ total: 1, active: 1, expiring: 0, revenue: 0 }),
      },
      customers: {
        list: () => aPage([aCustomer()]),
        figures: () => ({ total: 1, newThisMonth: 0, withContracts: 1, averageContracts: 1 }),
      },
      imports: { list: () => aPage([]) },
    },
  })
}

test.each([
  ['/contracts', 'Add Contract'],
  ['/contracts', /^Edit the contract with/],
  ['/contracts', /^Delete the contract with/],
  ['/contracts', /^Upload PDF for the contract with/],
  ['/customers', 'Add Customer'],
  ['/customers', /^Edit /],
  ['/dashboard', 'Add Contract'],
  ['/dashboard', 'Add Customer'],
])('in a read-only account %s says at %s that nothing can be changed, and opens no form', async (address, name) => {
  const { user } = openReadOnly(address)
  await user.click(await screen.findByRole('button', { name }))
  expect(await toast()).toBeVisible()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('an address that asks for the form says so as well, and forgets it', async () => {
  const { address } = openReadOnly('/contracts?open=new')
  expect(await toast()).toBeVisible()
  await waitFor(() => expect(address()).toBe('/contracts'))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('what cannot be imported is not asked for, and earlier imports can still be read', async () => {
  const { user } = openReadOnly('/customers')
  await user.click(await screen.findByRole('button', { name: 'Bulk Upload' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Bulk Upload Customers' }))
  expect(await dialog.findByText(SENTENCE)).toBeVisible()
  expect(dialog.queryByLabelText('File to upload')).not.toBeInTheDocument()
  await user.click(dialog.getByRole('tab', { name: 'Earlier imports' }))
  expect(dialog.queryByText(SENTENCE)).not.toBeInTheDocument()
})
