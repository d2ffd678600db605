import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openApp } from '#support/open-app.tsx'
import { aContract, aCustomer, aPage } from '#support/records.ts'
import { whenTold } from '#support/trpc-server.ts'

const FIGURES = { total: 40, newThisMonth: 0, withContracts: 0, averageContracts: 0, month: '2026-11' }

test('a page that is chosen before a list is sorted anew is one of the new order', async () => {
  const ada = JSON.parse('{"id":"user_ada"}')
  const signedInPerson = vi.fn(async () => ada)
  const answers = {
    customers: { list: () => aPage([aCustomer()], 40), figures: () => FIGURES },
    reminders: { runs: () => ({ lastRunAt: null, isStalled: false, waiting: null, stop: null }) },
  }
  const { user, address, callsOf } = openApp('/customers', { answers, session: { signedInPerson } })
  const sort = await screen.findByRole('combobox', { name: 'Sort by' })
  await screen.findByRole('button', { name: 'Page 3' })
  const { answer, tell } = whenTold<typeof ada>()
  signedInPerson.mockImplementation(answer)
  await user.selectOptions(sort, 'Date Added')
  await user.click(screen.getByRole('button', { name: 'Page 3' }))
  tell(ada)
  await waitFor(() => expect(address()).toContain('page=3'))
  expect(address()).not.toContain('after')
  await waitFor(() => expect(callsOf('customers.list')).toHaveLength(2))
  expect(callsOf('customers.list').at(-1)).toEqual({ sort: 'createdAt', direction: 'asc', skip: 20, limit: 10 })
})

test.each(['customers', 'contracts'])('an address that names one of the %s leads to its page', async (list) => {
  const answers = { customers: { get: () => aCustomer() }, contracts: { get: () => aContract(), terms: () => [] } }
  const { address } = openApp(`/${list}?open=7`, { answers: { ...answers, reminders: { bounce: () => null } } })
  await waitFor(() => expect(address()).toBe(`/${list}/7`))
  expect(await screen.findByRole('heading', { level: 1, name: 'Harbor Bakery' })).toBeVisible()
})

test('j and k lead through the list from which a contract was opened, beyond its page, and Back to the list', async () => {
  const rows = [1, 2].map((id) => aContract({ id, customerName: `Customer ${id}` }))
  const answers = {
    contracts: {
      list: ({ after }: { after?: string | undefined }) =>
        after === undefined ? aPage(rows, 11) : aPage([aContract({ id: 3, customerName: 'Customer 3' })], 11),
      figures: () => ({ total: 11, active: 11, expiring: 0, revenue: 0 }),
      get: ({ id }: { id: number | string }) => aContract({ id: Number(id), customerName: `Customer ${id}` }),
      terms: () => [],
    },
  }
  const { user, address, callsOf } = openApp('/contracts?status=active', { answers })
  await user.click(await screen.findByRole('link', { name: /^Customer 1/ }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Customer 1' })).toBeVisible()
  expect(screen.getByText('1 of 11')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Previous' })).toHaveAttribute('aria-disabled', 'true')
  await user.keyboard('j')
  expect(await screen.findByRole('heading', { level: 1, name: 'Customer 2' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Customer 3' })).toBeVisible()
  expect(callsOf('contracts.list').at(-1)).toMatchObject({ status: 'active', after: 'last' })
  expect(screen.getByText('11 of 11')).toBeVisible()
  expect(screen.getByRole('link', { name: 'All contracts' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/contracts\?.*status=active/),
  )
  await user.keyboard('k')
  await waitFor(() => expect(address()).toBe('/contracts/2'))
})
