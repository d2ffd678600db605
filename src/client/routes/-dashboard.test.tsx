import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp } from '#support/open-app.tsx'
import { movableTime } from '#support/time.ts'

const WELCOME = 'Welcome to TRAXX! Your free trial has started successfully.'

test('session_id shows the welcome banner for 5 seconds and is then removed from the address', async () => {
  const time = movableTime()
  const { address } = openApp('/dashboard?session_id=cs_test_1')
  expect(await screen.findByText(WELCOME)).toBeVisible()
  expect(address()).toContain('session_id')
  await time.pass(5000)
  await waitFor(() => expect(screen.queryByText(WELCOME)).not.toBeInTheDocument())
  expect(address()).toBe('/dashboard')
})

test('nobody whose trial does not run is welcomed, whatever the address says', async () => {
  openApp('/dashboard?session_id=cs_test_1', { subscription: { status: 'active' } })
  expect(await screen.findByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  expect(screen.queryByText(WELCOME)).toBeNull()
})

test('the header of the dashboard opens the forms of a contract, pending and monthly, and of a customer', async () => {
  const { user } = openApp('/dashboard')
  await user.click(await screen.findByRole('button', { name: 'Add Contract' }))
  const contract = within(await screen.findByRole('dialog', { name: 'Add Contract' }))
  expect(contract.getByRole('combobox', { name: 'Renewal Cycle' })).toHaveDisplayValue('Monthly')
  expect(contract.getByRole('combobox', { name: 'Status' })).toHaveDisplayValue('Pending')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await user.click(screen.getByRole('button', { name: 'Add Customer' }))
  expect(await screen.findByRole('dialog', { name: 'Add Customer' })).toBeVisible()
})
