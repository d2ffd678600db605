import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openApp } from '#support/open-app.tsx'
import { aContract, aCustomer, aPage } from '#support/records.ts'
import { whenTold } from '#support/trpc-server.ts'

const FIGURES = { total: 40, newThisMonth: 0, withContracts: 0, averageContracts: 0 }

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
