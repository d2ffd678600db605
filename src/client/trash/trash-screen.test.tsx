import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { START } from '#client/list/list-position.ts'
import { aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import { TrashScreen } from './trash-screen.tsx'

type Deleted = Awaited<ReturnType<NonNullable<NonNullable<FakeAnswers['trash']>['list']>>>['rows'][number]

type Restored = Awaited<ReturnType<NonNullable<NonNullable<FakeAnswers['trash']>['restore']>>>

const DAY_MS = 86_400_000

function deleted(changes: Partial<Deleted> = {}): Deleted {
  const deletedAt = new Date(Date.now() - DAY_MS)
  return {
    kind: 'contract',
    id: 7,
    name: 'Harbor Bakery',
    title: 'Cleaning',
    amount: 1200.5,
    deletedAt,
    deletedBy: { kind: 'person', name: 'Ada' },
    goneAt: new Date(deletedAt.getTime() + 30 * DAY_MS),
    ...changes,
  }
}

const CUSTOMER = { kind: 'customer', title: null, amount: null } as const

function open(rows: Deleted[], answers: NonNullable<FakeAnswers['trash']> = {}) {
  const left = { current: rows }
  const server = trpcServer({
    trash: {
      list: () => aPage(left.current),
      restore: ({ customers = [], contracts = [] }) => {
        left.current = []
        return {
          customers: customers.map(Number),
          contracts: contracts.map(Number),
          droppedNumbers: [],
          notRestored: [],
        }
      },
      removeContract: () => void (left.current = []),
      removeCustomer: () => void (left.current = []),
      ...answers,
    },
  })
  return { server, ...renderScreen(<TrashScreen search={{ ...START, size: 10 }} onSearch={() => {}} />) }
}

test('the trash says what was deleted, when, by whom, and how many days are left', async () => {
  open([deleted()])
  const row = await screen.findByRole('row', { name: /Harbor Bakery/ })
  for (const text of ['Contract', 'Cleaning', '$1,200.50', 'by Ada', '29 days']) expect(row).toHaveTextContent(text)
})

test('an empty trash says so, and has nothing to restore', async () => {
  open([])
  expect(await screen.findByText('The trash is empty')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Restore Selected' })).toBeNull()
})

test('one is restored by its button', async () => {
  const { server, user } = open([deleted()])
  await user.click(await screen.findByRole('button', { name: 'Restore the contract with Harbor Bakery' }))
  expect(await screen.findByText('1 contract restored')).toBeVisible()
  expect(server.callsOf('trash.restore')).toEqual([{ customers: [], contracts: [7] }])
  expect(await screen.findByText('The trash is empty')).toBeVisible()
})

test('a row that is restored is busy until it is gone', async () => {
  const { answer, tell } = whenTold<Restored>()
  const left = [deleted(), deleted({ id: 8, name: 'Mill Works' })]
  const { user } = open(left, { list: () => aPage(left), restore: answer })
  const buttonOf = (name: string) => screen.findByRole('button', { name: `Restore the contract with ${name}` })
  const first = await buttonOf('Harbor Bakery')
  await user.click(first)
  await waitFor(() => expect(first).toHaveAttribute('aria-busy', 'true'))
  expect(await buttonOf('Mill Works')).toHaveAttribute('aria-busy', 'false')
  left.shift()
  tell({ customers: [], contracts: [7], droppedNumbers: [], notRestored: [] })
  await waitFor(() => expect(first).not.toBeInTheDocument())
})

test('several are restored together, and a number that was dropped is said', async () => {
  const droppedNumbers = [{ customerId: 7, name: 'Harbor Bakery', customerNumber: 'C-1' }]
  const { server, user } = open([deleted(), deleted(CUSTOMER)], {
    restore: () => ({ customers: [7], contracts: [7], droppedNumbers, notRestored: [] }),
  })
  await user.click(await screen.findByRole('checkbox', { name: 'Select Harbor Bakery' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select the contract with Harbor Bakery' }))
  await user.click(screen.getByRole('button', { name: 'Restore 2' }))
  const told =
    '1 contract and 1 customer restored. Harbor Bakery no longer has the number C-1, which another customer has'
  expect(await screen.findByText(told)).toBeVisible()
  expect(server.callsOf('trash.restore')).toEqual([{ customers: [7], contracts: [7] }])
})

test.each([
  [deleted(), 'the contract with Harbor Bakery', 'Delete this contract?', 'trash.removeContract'],
  [deleted(CUSTOMER), 'Harbor Bakery', 'Are you sure you want to delete this customer?', 'trash.removeCustomer'],
] as const)('deleting for good asks first: %#', async (row, name, question, call) => {
  const { server, user } = open([row])
  await user.click(await screen.findByRole('button', { name: `Delete Permanently: ${name}` }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent(question)
  expect(dialog).toHaveTextContent('This cannot be undone')
  expect(server.callsOf(call)).toEqual([])
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(server.callsOf(call)).toEqual([{ id: 7 }]))
  expect(await screen.findByText('The trash is empty')).toBeVisible()
})

test('a trash that cannot be fetched leaves a text and a Retry', async () => {
  const failing = { current: true }
  const { user } = open([], {
    list: () => (failing.current ? Promise.reject(new AppError('FAULT')) : aPage([deleted()])),
  })
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch the trash')
  failing.current = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('row', { name: /Harbor Bakery/ })).toBeVisible()
})
