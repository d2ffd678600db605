import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { START } from '#client/list/list-position.ts'
import { aContract, aPage } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { NoAnswer, trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { ContractsScreen } from './contracts-screen.tsx'
import type { ContractsSearch } from './contracts-search.ts'

type Answers = NonNullable<FakeAnswers['contracts']>

const FIGURES = { total: 120, active: 64, expiring: 9, revenue: 84_500.5 }
const PLAIN: ContractsSearch = { ...START, sort: 'openFirst', direction: 'asc', size: 10 }

/** The screen with an address of its own, which says each change. */
function openContracts(
  answers: Answers,
  address: Partial<ContractsSearch> = {},
  trash: NonNullable<FakeAnswers['trash']> = {},
) {
  const contracts = { list: () => aPage([aContract()]), figures: () => FIGURES, ...answers }
  const server = trpcServer({ contracts, trash })
  const [onSearch, onOpen] = [vi.fn(), vi.fn()]
  const start = { ...PLAIN, ...address }
  return { server, onSearch, onOpen, ...renderRouted(<Address start={start} onSearch={onSearch} onOpen={onOpen} />) }
}

interface AddressProps {
  start: ContractsSearch
  onSearch: (search: ContractsSearch) => void
  onOpen: (id: number) => void
}

function Address({ start, onSearch, onOpen }: AddressProps) {
  const [search, setSearch] = useState(start)
  const change = (changes: Partial<ContractsSearch>) => {
    setSearch({ ...search, ...changes })
    onSearch({ ...search, ...changes })
  }
  return <ContractsScreen search={search} onSearch={change} onOpen={onOpen} />
}

const row = (name: RegExp) => screen.findByRole('row', { name })

test('four cards show the figures, each with its definition', async () => {
  openContracts({})
  await screen.findByText('120')
  for (const [label, value] of [
    ['Total Contracts', '120'],
    ['Total Revenue', '$84,500.50'],
    ['Expiring Soon', '9'],
    ['Active Contracts', '64'],
  ] as const) {
    expect(screen.getByRole('group', { name: label })).toHaveTextContent(value)
    expect(screen.getByRole('button', { name: `What ${label} means` })).toBeInTheDocument()
  }
})

test('the table shows customer, amount, dates, cycle, status and PDF', async () => {
  openContracts({})
  const cells = within(await row(/Harbor Bakery/)).getAllByRole('cell')
  expect(cells.map((cell) => cell.textContent)).toEqual([
    'Harbor Bakery',
    '$1,200.50',
    'Jan 15, 2026',
    'YearlyDue Jan 15, 2027',
    expect.stringMatching(/^Active/),
    'Upload',
    '',
  ])
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'Customer',
    'Amount',
    'Start Date',
    'Renewal',
    'Status',
    'PDF',
    'Actions',
  ])
})

test('an open contract stands out when overdue or within 30 days, one that was dealt with does not', async () => {
  openContracts({
    list: () =>
      aPage([
        aContract({ id: 1, customerName: 'Late Ltd', daysLeft: -2 }),
        aContract({ id: 2, customerName: 'Soon Ltd', daysLeft: 30 }),
        aContract({ id: 3, customerName: 'Gone Ltd', daysLeft: -90, status: 'expired' }),
      ]),
  })
  expect(await row(/Late Ltd Overdue/)).toHaveAttribute('data-tone', 'red')
  expect(await row(/Soon Ltd Expiring soon/)).toHaveAttribute('data-tone', 'yellow')
  expect(await row(/Gone Ltd/)).not.toHaveAttribute('data-tone')
})

test('without a match the page says what to try', async () => {
  openContracts({ list: () => aPage([]) }, { search: 'zzz' })
  expect(await screen.findByRole('heading', { name: 'No contracts found' })).toBeVisible()
  expect(screen.getByText('Try adjusting your search or filters')).toBeVisible()
})

test('without any contract and any filter the page says how to begin', async () => {
  openContracts({ list: () => aPage([]) })
  expect(await screen.findByText('Start by adding your first contract')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Clear Filters' })).not.toBeInTheDocument()
})

test('where the filters let nothing through, one press clears them, and the focus stays at the list', async () => {
  const { user, onSearch } = openContracts({ list: () => aPage([]) }, { search: 'zzz', status: 'expired', noPdf: true })
  await user.click(await screen.findByRole('button', { name: 'Clear Filters' }))
  expect(onSearch).toHaveBeenLastCalledWith(
    expect.objectContaining({ search: undefined, status: undefined, noPdf: undefined, page: 1, sort: 'openFirst' }),
  )
  expect(screen.getByRole('searchbox', { name: 'Search contracts' })).toHaveFocus()
  expect(screen.queryByRole('button', { name: 'Clear Filters' })).not.toBeInTheDocument()
})

test('the quick filters show all, the active or the expiring contracts, from page 1', async () => {
  const { server, onSearch, user } = openContracts({}, { page: 2, after: 'x', status: 'pending', cycle: 'yearly' })
  const quick = within(await screen.findByRole('group', { name: 'Quick filters' }))
  await user.click(quick.getByRole('button', { name: 'Expiring Soon' }))
  expect(quick.getByRole('button', { name: 'Expiring Soon' })).toHaveAttribute('aria-pressed', 'true')
  expect(quick.getByRole('button', { name: 'Expiring Soon' })).toHaveAccessibleDescription('Renews this month')
  await waitFor(() =>
    expect(server.callsOf('contracts.list').at(-1)).toEqual({
      expiring: true,
      status: undefined,
      cycle: 'yearly',
      sort: 'openFirst',
      direction: 'asc',
      skip: 0,
      limit: 10,
    }),
  )
  await user.click(quick.getByRole('button', { name: 'Active' }))
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ status: 'active', expiring: undefined, page: 1 }))
  await user.click(quick.getByRole('button', { name: 'All' }))
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ status: undefined, expiring: undefined }))
})

test('more filters come at a press: each is set by one press and cleared by the next', async () => {
  const { onSearch, user } = openContracts({}, { status: 'pending' })
  await user.click(await screen.findByRole('button', { name: 'More Filters' }))
  const more = within(await screen.findByRole('group', { name: 'More Filters' }))
  for (const [name, set] of [
    ['Overdue', { overdue: true, status: undefined }],
    ['Renews Within 30 Days', { renewsWithin: 30, overdue: undefined }],
    ['Expired', { status: 'expired', renewsWithin: undefined }],
    ['No Email', { noEmail: true, status: 'expired' }],
    ['No PDF', { noPdf: true, noEmail: true }],
  ] as const) {
    await user.click(more.getByRole('button', { name }))
    expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining(set))
    expect(more.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true')
  }
  await user.click(more.getByRole('button', { name: 'No Email' }))
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ noEmail: undefined, noPdf: true }))
})

test('a filter that an address sets is shown and can be cleared', async () => {
  const { onSearch, user } = openContracts({}, { startedIn: '2026-11', renewsWithin: 14 })
  expect(await screen.findByRole('button', { name: 'Renews Within 14 Days' })).toHaveAttribute('aria-pressed', 'true')
  await user.click(screen.getByRole('button', { name: 'Started in November 2026' }))
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ startedIn: undefined, renewsWithin: 14 }))
})

test('the further filters stay where they are when one of them is cleared', async () => {
  const { user } = openContracts({}, { overdue: true })
  const overdue = await screen.findByRole('button', { name: 'Overdue' })
  await user.click(overdue)
  expect(overdue).toHaveFocus()
  expect(overdue).toHaveAttribute('aria-pressed', 'false')
  await user.click(screen.getByRole('button', { name: 'More Filters' }))
  expect(screen.queryByRole('group', { name: 'More Filters' })).not.toBeInTheDocument()
})

test('an amount that cannot be filtered by says why, and filters nothing', async () => {
  const { user, onSearch } = openContracts({})
  await user.click(await screen.findByRole('button', { name: 'More Filters' }))
  const from = () => screen.findByRole('textbox', { name: 'Amount from' })
  const to = () => screen.findByRole('textbox', { name: 'Amount to' })
  for (const [written, why] of [
    ['1.200', '"1.200" can mean $1,200.00 or $1.20. Enter the one you mean'],
    ['a lot', 'Must be an amount from 0 to 9,999,999,999.99'],
    ['1.2345', 'Must have at most two decimals'],
  ] as const) {
    await user.clear(await to())
    await user.type(await to(), `${written}{Enter}`)
    expect(screen.getByText(why)).toBeVisible()
    expect(await to()).toHaveAccessibleDescription(why)
    expect(await from()).toBeValid()
  }
  expect(onSearch).not.toHaveBeenCalled()
  await user.clear(await to())
  await user.type(await to(), '1.200,50{Enter}')
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ amountThrough: 1200.5 }))
  expect(screen.queryByText('Must have at most two decimals')).not.toBeInTheDocument()
})

test('a filter that takes another name when it is cleared keeps the focus', async () => {
  const { user } = openContracts({}, { renewsWithin: 14 })
  await user.click(await screen.findByRole('button', { name: 'Renews Within 14 Days' }))
  expect(screen.getByRole('button', { name: 'Renews Within 30 Days' })).toHaveFocus()
})

test('a month that is cleared leaves the focus on "More Filters"', async () => {
  const { user } = openContracts({}, { startedIn: '2026-11' })
  await user.click(await screen.findByRole('button', { name: 'Started in November 2026' }))
  expect(screen.getByRole('button', { name: 'More Filters' })).toHaveFocus()
  expect(screen.getByRole('group', { name: 'More Filters' })).toBeVisible()
})

test('a status that is chosen moves nothing', async () => {
  const { user, onSearch } = openContracts({})
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Status' }), 'Expired')
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ status: 'expired' }))
  expect(screen.getByRole('button', { name: 'More Filters' })).toHaveAttribute('aria-expanded', 'false')
})

test('the further filters open when an address sets one of them while the screen is shown', async () => {
  const contracts = { list: () => aPage([aContract()]), figures: () => FIGURES }
  trpcServer({ contracts })
  const { user } = renderRouted(<Elsewhere />)
  expect(await screen.findByRole('button', { name: 'More Filters' })).toHaveAttribute('aria-expanded', 'false')
  await user.click(screen.getByRole('button', { name: 'Elsewhere' }))
  expect(await screen.findByRole('button', { name: 'No PDF' })).toHaveAttribute('aria-pressed', 'true')
})

function Elsewhere() {
  const [search, setSearch] = useState(PLAIN)
  return (
    <>
      <button type="button" onClick={() => setSearch({ ...PLAIN, noPdf: true })}>
        Elsewhere
      </button>
      <ContractsScreen search={search} onSearch={() => {}} onOpen={() => {}} />
    </>
  )
}

test('a card shows exactly what it counts, and the one of a window names it', async () => {
  const { onSearch, user } = openContracts({}, { search: 'x', cycle: 'yearly', noPdf: true })
  expect(await screen.findByRole('group', { name: 'Expiring Soon' })).toHaveTextContent('Expiring Soon')
  expect(await screen.findByText('this month')).toBeVisible()
  const card = within(screen.getByRole('group', { name: 'Expiring Soon' }))
  await user.click(card.getByRole('button', { name: 'Expiring Soon' }))
  expect(onSearch).toHaveBeenLastCalledWith(
    expect.objectContaining({ expiring: true, search: undefined, cycle: undefined, noPdf: undefined }),
  )
})

test('status, cycle, sort field and direction are chosen', async () => {
  const { onSearch, user } = openContracts({})
  expect(await screen.findByRole('combobox', { name: 'Sort by' })).toHaveDisplayValue('Next to renew')
  const direction = screen.getByText('Asc')
  expect(direction).not.toBeVisible()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Cancelled')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Renewal cycle' }), 'Quarterly')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Renewal Date')
  expect(direction).toBeVisible()
  await user.click(screen.getByRole('button', { name: /^Asc/ }))
  expect(onSearch).toHaveBeenLastCalledWith(
    expect.objectContaining({ status: 'cancelled', cycle: 'quarterly', sort: 'renewalDate', direction: 'desc' }),
  )
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'All Statuses')
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ status: undefined }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Next to renew')
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ sort: 'openFirst', direction: 'asc' }))
})

test('the search is by customer name', async () => {
  const { server, user } = openContracts({})
  await user.type(await screen.findByRole('searchbox', { name: 'Search contracts' }), 'harbor{Enter}')
  await waitFor(() => expect(server.callsOf('contracts.list').at(-1)).toMatchObject({ search: 'harbor' }))
})

test('the pager appears above 10 contracts only', async () => {
  const total = { current: 10 }
  const { user } = openContracts({ list: () => aPage([aContract()], total.current) })
  await row(/Harbor Bakery/)
  expect(screen.queryByRole('navigation', { name: 'Pages' })).not.toBeInTheDocument()
  total.current = 11
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Active')
  expect(await screen.findByText('Showing 1 to 1 of 11')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('Showing 11 to 11 of 11')).toBeVisible()
})

test('a row leads to the page of its contract, by a link and by a click anywhere', async () => {
  const { onOpen, user } = openContracts({})
  const link = await screen.findByRole('link', { name: 'Harbor Bakery' })
  expect(link).toHaveAttribute('href', '/contracts/31')
  await user.click(link)
  await user.click(screen.getByText('$1,200.50'))
  const opened = [31, { openedFrom: expect.objectContaining({ ids: [31] }) }]
  expect(onOpen.mock.calls).toEqual([opened, opened])
})

test('deleting asks nothing, and is undone from the toast', async () => {
  const { server, user } = openContracts(
    { remove: () => undefined },
    {},
    { restore: () => ({ customers: [], contracts: [31], droppedNumbers: [], notRestored: [] }) },
  )
  await user.click(await screen.findByRole('button', { name: 'Delete the contract with Harbor Bakery' }))
  expect(await screen.findByText('Contract deleted successfully!')).toBeVisible()
  expect(server.callsOf('contracts.remove')).toEqual([{ id: 31 }])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('1 contract restored')).toBeVisible()
  expect(server.callsOf('trash.restore')).toEqual([{ customers: [], contracts: [31] }])
})

test.each([
  [new AppError('FAULT'), 'Failed to delete contract'],
  [new AppError('CONTRACT_NOT_FOUND'), 'Contract not found'],
  [new NoAnswer(), 'Network error'],
])('a deletion that fails says why: %s', async (failure, text) => {
  const { user } = openContracts({ remove: () => Promise.reject(failure) })
  await user.click(await screen.findByRole('button', { name: 'Delete the contract with Harbor Bakery' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
})

test('deleting the last row of a page leads to the page before, once', async () => {
  let rows = [aContract()]
  const pageBefore = aContract({ id: 32, customerName: 'Page before' })
  const remove = () => void (rows = [])
  const { onSearch, user } = openContracts(
    { list: ({ before }) => aPage(before ? [pageBefore] : rows, 20 + rows.length), remove },
    { page: 3, after: 'x' },
  )
  await user.click(await screen.findByRole('button', { name: 'Delete the contract with Harbor Bakery' }))
  await waitFor(() => expect(onSearch).toHaveBeenCalledWith(expect.objectContaining({ page: 2, before: 'first' })))
  expect(await screen.findByText('Contract deleted successfully!')).toBeVisible()
  await screen.findByText('Page before')
  expect(onSearch).toHaveBeenCalledTimes(1)
})

test('contracts that cannot be fetched leave a text and a Retry', async () => {
  const failing = { current: true }
  const { user } = openContracts({
    list: () => (failing.current ? Promise.reject(new AppError('FAULT')) : aPage([aContract()])),
  })
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch contracts')
  failing.current = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await row(/Harbor Bakery/)
})

test('without an answer the page says "Network error"', async () => {
  openContracts({ list: () => Promise.reject(new NoAnswer()) })
  expect(await screen.findByRole('alert')).toHaveTextContent('Network error')
})

test('a renewal date is shown as the calendar says, whatever the browser thinks of time zones', async () => {
  openContracts({ list: () => aPage([aContract({ renewalDate: toDay('2026-12-01') })]) })
  expect(await screen.findByText('Due Dec 1, 2026')).toBeVisible()
})
