import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { aContract } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { ContractPage } from './contract-page.tsx'

function open(given: Parameters<typeof aContract>[0] = {}, answers: FakeAnswers['contracts'] = {}) {
  const onDeleted = vi.fn()
  const server = trpcServer({
    contracts: { get: () => aContract(given), terms: () => [], remove: () => undefined, ...answers },
  })
  const page = (
    <ContractPage id={31} reminders={<p>Its reminders</p>} history={<p>Its history</p>} onDeleted={onDeleted} />
  )
  return { server, onDeleted, ...renderRouted(page) }
}

test('shows what a contract is, and what comes next', async () => {
  open()
  expect(await screen.findByRole('heading', { level: 1, name: 'Harbor Bakery' })).toBeVisible()
  for (const [term, detail] of [
    ['Customer', 'Harbor Bakery'],
    ['Amount', '$1,200.50, yearly'],
    ['Start Date', 'Jan 15, 2026'],
  ] as const) {
    expect(screen.getByText(term).nextElementSibling).toHaveTextContent(detail)
  }
  const next = screen.getByRole('region', { name: 'What comes next' })
  expect(next).toHaveTextContent('ActiveRenews on Jan 15, 2027, 55 days left')
  expect(screen.getByRole('group', { name: 'PDF' })).toBeVisible()
  expect(screen.getByText('Its reminders')).toBeVisible()
  expect(screen.getByText('Its history')).toBeVisible()
})

test('a contract that was dealt with is past its date, not overdue', async () => {
  open({ status: 'cancelled', daysLeft: -5 })
  const next = await screen.findByRole('region', { name: 'What comes next' })
  expect(next).toHaveTextContent('Cancelled')
  expect(next).not.toHaveTextContent(/overdue/i)
})

test('its form is over the page, and closes back to it', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  const form = await screen.findByRole('dialog', { name: 'Edit Contract' })
  expect(within(form).getByRole('combobox', { name: 'Customer' })).toHaveValue('Harbor Bakery')
  await user.keyboard('{Escape}')
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  await expect.poll(() => document.activeElement?.textContent).toBe('Edit')
})

test('deleting asks nothing, and leads away', async () => {
  const { server, user, onDeleted } = open()
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  await expect.poll(() => onDeleted.mock.calls.length).toBe(1)
  expect(server.callsOf('contracts.remove')).toEqual([{ id: 31 }])
})

test('one that there is not is said not to be found, with a way on', async () => {
  open({}, { get: () => Promise.reject(new AppError('CONTRACT_NOT_FOUND')) })
  expect(await screen.findByRole('heading', { name: 'Contract not found' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to Contracts' })).toHaveAttribute('href', '/contracts')
})
