import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { dayIn } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { START } from '#client/list/list-position.ts'
import { aCustomer, aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { movableTime } from '#support/time.ts'
import { NoAnswer, trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import { CustomersScreen } from './customers-screen.tsx'
import type { CustomersSearch } from './customers-search.ts'

type Answers = NonNullable<FakeAnswers['customers']>

const FIGURES = { total: 41, newThisMonth: 3, withContracts: 29, averageContracts: 2.4, month: '2026-11' }
const PLAIN: CustomersSearch = { ...START, sort: 'name', direction: 'asc', size: 10 }

/** The screen with an address of its own, which says each change. */
function openCustomers(
  answers: Answers,
  address: Partial<CustomersSearch> = {},
  trash: NonNullable<FakeAnswers['trash']> = {},
) {
  const customers = { list: () => aPage([aCustomer()]), figures: () => FIGURES, ...answers }
  const server = trpcServer({
    customers,
    trash,
    reminders: { bounce: () => null },
    identity: { account: () => ({ email: 'ada@example.com', timeZone: 'UTC' }) },
  })
  const [onSearch, onOpen] = [vi.fn(), vi.fn()]
  const start = { ...PLAIN, ...address }
  return { server, onSearch, onOpen, ...renderScreen(<Address start={start} onSearch={onSearch} onOpen={onOpen} />) }
}

interface AddressProps {
  start: CustomersSearch
  onSearch: (search: CustomersSearch) => void
  onOpen: (id: number) => void
}

function Address({ start, onSearch, onOpen }: AddressProps) {
  const [search, setSearch] = useState(start)
  const change = (changes: Partial<CustomersSearch>) => {
    setSearch({ ...search, ...changes })
    onSearch({ ...search, ...changes })
  }
  return <CustomersScreen search={search} onSearch={change} onOpen={onOpen} />
}

const NO_FILTER = { search: undefined, addedIn: undefined, withContracts: undefined, tag: undefined }

test('the cards lead to exactly what they count, in the order that was chosen', async () => {
  const { user, onSearch } = openCustomers({}, { search: 'x', tag: 'VIP', sort: 'phone', page: 2, after: 'y' })
  const card = (name: string) => within(screen.getByRole('group', { name }))
  for (const [name, counted] of [
    ['Total Customers', {}],
    ['New This Month', { addedIn: '2026-11' }],
    ['With Contracts', { withContracts: true }],
  ] as const) {
    await user.click(await card(name).findByRole('button', { name }))
    expect(onSearch).toHaveBeenLastCalledWith({ ...PLAIN, sort: 'phone', ...NO_FILTER, ...counted })
  }
  expect(card('Avg Contracts').queryByRole('button', { name: 'Avg Contracts' })).not.toBeInTheDocument()
})

test('chips set and clear filters, and say which month', async () => {
  const { server, user } = openCustomers({}, { addedIn: '2026-09' })
  const chips = within(screen.getByRole('group', { name: 'Quick filters' }))
  const chip = (name: string) => chips.getByRole('button', { name })
  expect(chip('Added in September 2026')).toHaveAttribute('aria-pressed', 'true')
  expect(chip('All')).toHaveAttribute('aria-pressed', 'false')
  await user.click(chip('Added in September 2026'))
  expect(chip('All')).toHaveAttribute('aria-pressed', 'true')
  await screen.findByText('41')
  await user.click(chip('New This Month'))
  await user.click(chip('With Contracts'))
  await waitFor(() =>
    expect(server.callsOf('customers.list').at(-1)).toMatchObject({ addedIn: '2026-11', withContracts: true }),
  )
  expect(chip('New This Month')).toHaveAttribute('aria-pressed', 'true')
  await user.click(chip('All'))
  for (const name of ['New This Month', 'With Contracts']) expect(chip(name)).toHaveAttribute('aria-pressed', 'false')
})

test('the chip of this month filters also before the figures are there', async () => {
  const { server, user } = openCustomers({ figures: () => new Promise(() => {}) })
  const chip = screen.getByRole('button', { name: 'New This Month' })
  await user.click(chip)
  const addedIn = dayIn(new Date(), 'UTC').slice(0, 7)
  await waitFor(() => expect(server.callsOf('customers.list').at(-1)).toMatchObject({ addedIn }))
  expect(chip).toHaveAttribute('aria-pressed', 'true')
})

test('a filter that nobody passes can be cleared', async () => {
  const { user, onSearch } = openCustomers({ list: () => aPage([]) }, { withContracts: true })
  expect(await screen.findByText('Try adjusting your search criteria')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear Filters' }))
  expect(onSearch).toHaveBeenLastCalledWith({ ...PLAIN, ...NO_FILTER })
})

test('an address can open the form for a new customer', async () => {
  openCustomers({}, { open: 'new' })
  expect(await screen.findByRole('dialog', { name: 'Add Customer' })).toBeVisible()
})

const row = (name: RegExp) => screen.findByRole('row', { name })

test('four cards show the real figures, each with its definition', async () => {
  openCustomers({})
  await screen.findByText('41')
  for (const [label, value] of [
    ['Total Customers', '41'],
    ['New This Month', '3'],
    ['With Contracts', '29'],
    ['Avg Contracts', '2.4'],
  ] as const) {
    expect(screen.getByRole('group', { name: label })).toHaveTextContent(value)
    expect(screen.getByRole('button', { name: `What ${label} means` })).toBeInTheDocument()
  }
})

test('the table shows each customer with an initial avatar', async () => {
  openCustomers({})
  const cells = within(await row(/Harbor Bakery/)).getAllByRole('cell')
  expect(cells.map((cell) => cell.textContent)).toEqual([
    'HHarbor Bakery12 Pier Road',
    '555-0101',
    'orders@harbor.test',
    'Enabled',
    'C-007',
    'Nov 3, 2026',
    '',
  ])
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'Customer',
    'Contact Info',
    'Email',
    'Notifications',
    'Customer Number',
    'Date Added',
    'Actions',
  ])
})

test('what is not known of a customer is said', async () => {
  const bare = { phone: null, email: null, address: null, customerNumber: null, sendNotifications: false }
  openCustomers({ list: () => aPage([aCustomer(bare)]) })
  const found = await row(/Harbor Bakery/)
  for (const text of ['No address', 'No phone', 'No email', 'Disabled', 'N/A']) {
    expect(within(found).getByText(text)).toBeVisible()
  }
})

test('without any customer the page says how to begin', async () => {
  openCustomers({ list: () => aPage([]) })
  expect(await screen.findByRole('heading', { name: 'No customers found' })).toBeVisible()
  expect(screen.getByText('Start by adding your first customer')).toBeVisible()
})

test('a search that finds nobody says so', async () => {
  openCustomers({ list: () => aPage([]) }, { search: 'zzz' })
  expect(await screen.findByRole('heading', { name: 'No customers found' })).toBeVisible()
  expect(screen.getByText('Try adjusting your search criteria')).toBeVisible()
})

test('searching asks the server and goes back to page 1', async () => {
  const { server, onSearch, user } = openCustomers({}, { page: 3, after: 'x' })
  await user.type(screen.getByRole('searchbox', { name: 'Search customers' }), 'harbor{Enter}')
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ search: 'harbor', page: 1, after: undefined }))
  await waitFor(() =>
    expect(server.callsOf('customers.list').at(-1)).toEqual({
      search: 'harbor',
      sort: 'name',
      direction: 'asc',
      skip: 0,
      limit: 10,
    }),
  )
})

test('sorting is chosen by field and direction', async () => {
  const { onSearch, user } = openCustomers({})
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Date Added')
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ sort: 'createdAt', direction: 'asc', page: 1 }))
  await user.click(screen.getByRole('button', { name: /^Asc/ }))
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ sort: 'createdAt', direction: 'desc' }))
  const sorts = within(screen.getByRole('combobox', { name: 'Sort by' })).getAllByRole('option')
  expect(sorts.map((option) => option.textContent)).toEqual(['Name', 'Phone', 'Customer Number', 'Date Added'])
})

test('a header sorts by its column, and the other way round at the second click', async () => {
  const { onSearch, user } = openCustomers({})
  await user.click(await screen.findByRole('button', { name: 'Contact Info' }))
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ sort: 'phone', direction: 'asc' }))
  await user.click(screen.getByRole('button', { name: 'Contact Info' }))
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ sort: 'phone', direction: 'desc' }))
})

test('rows of an earlier search are marked as such until the new ones have come', async () => {
  const fresh = whenTold<ReturnType<typeof aPage<ReturnType<typeof aCustomer>>>>()
  const { user } = openCustomers({
    list: ({ search }) => (search ? fresh.answer() : aPage([aCustomer()])),
  })
  const table = await screen.findByRole('table', { name: 'Customers' })
  expect(table).toHaveAttribute('aria-busy', 'false')
  await user.type(screen.getByRole('searchbox'), 'mill{Enter}')
  expect(table).toHaveAttribute('aria-busy', 'true')

  fresh.tell(aPage([aCustomer({ id: 8, name: 'Mill & Sons' })]))
  await row(/Mill & Sons/)
  expect(screen.queryByText('Harbor Bakery')).not.toBeInTheDocument()
  expect(screen.getByRole('table', { name: 'Customers' })).toHaveAttribute('aria-busy', 'false')
})

test('the pager shows page numbers within two, and leads by the rows at the edges', async () => {
  const { onSearch, user } = openCustomers({ list: () => aPage([aCustomer()], 81) }, { page: 5, after: 'x' })
  expect(await screen.findByText('Showing 41 to 41 of 81')).toBeVisible()
  expect(screen.getAllByRole('button', { name: /^Page/ }).map((button) => button.textContent)).toEqual([
    '3',
    '4',
    '5',
    '6',
    '7',
  ])
  await user.click(screen.getByRole('button', { name: 'Page 7' }))
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ page: 7, after: 'last', skip: 10 }))
})

test('there is no pager for one page', async () => {
  openCustomers({ list: () => aPage([aCustomer()], 10) })
  await row(/Harbor Bakery/)
  expect(screen.queryByRole('navigation', { name: 'Pages' })).not.toBeInTheDocument()
})

test('a larger page that holds all keeps the pager, and can be made smaller again', async () => {
  const { onSearch, user } = openCustomers({ list: () => aPage([aCustomer()], 11) }, { size: 25 })
  await row(/Harbor Bakery/)
  expect(screen.getByRole('navigation', { name: 'Pages' })).toBeVisible()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '10 rows')
  expect(onSearch).toHaveBeenLastCalledWith(expect.objectContaining({ size: 10, page: 1 }))
})

test('a page that has no rows any more leads back to the first', async () => {
  const { onSearch } = openCustomers(
    { list: ({ after }) => (after ? aPage([], 10) : aPage([aCustomer()], 10)) },
    { page: 2, after: 'x' },
  )
  await row(/Harbor Bakery/)
  expect(onSearch).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ page: 1 }))
})

test('the notifications checkbox saves, and shows the new value meanwhile', async () => {
  const saved = whenTold<ReturnType<typeof aCustomer>>()
  const customer = { current: aCustomer() }
  const { server, user } = openCustomers({ list: () => aPage([customer.current]), update: saved.answer })
  await user.click(await screen.findByRole('checkbox', { name: /Harbor Bakery/ }))
  expect(screen.getByRole('checkbox', { name: /Harbor Bakery/ })).not.toBeChecked()
  await expect.poll(() => server.callsOf('customers.update')).toEqual([{ id: 7, version: 1, sendNotifications: false }])

  customer.current = aCustomer({ sendNotifications: false })
  saved.tell(customer.current)
  await waitFor(() => expect(server.callsOf('customers.list')).toHaveLength(2))
  expect(screen.getByRole('checkbox', { name: /Harbor Bakery/ })).not.toBeChecked()
})

test('the notifications checkbox keeps what somebody else has changed meanwhile', async () => {
  const current = aCustomer({ name: 'Harbor Bakery', phone: '555-0199', version: 2 })
  const { server, user } = openCustomers({
    get: () => current,
    update: ({ version }) => {
      if (version !== 2) throw new AppError('CUSTOMER_CHANGED')
      return aCustomer({ ...current, sendNotifications: false, version: 3 })
    },
  })
  await user.click(await screen.findByRole('checkbox', { name: /Harbor Bakery/ }))
  await expect
    .poll(() => server.callsOf('customers.update'))
    .toEqual([
      { id: 7, version: 1, sendNotifications: false },
      { id: 7, version: 2, sendNotifications: false },
    ])
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('where the checkbox cannot be saved the old value returns, with the text', async () => {
  const { user } = openCustomers({
    update: () => {
      throw new AppError('PAYMENT_OVERDUE')
    },
  })
  await user.click(await screen.findByRole('checkbox', { name: /Harbor Bakery/ }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Your last payment failed')
  expect(screen.getByRole('checkbox', { name: /Harbor Bakery/ })).toBeChecked()
})

test('a row leads to the page of its customer, by a link and by a click anywhere', async () => {
  const { onOpen, user } = openCustomers({})
  const link = await screen.findByRole('link', { name: /Harbor Bakery/ })
  expect(link).toHaveAttribute('href', '/customers/7')
  await user.click(link)
  await user.click(screen.getByText('555-0101'))
  const opened = [7, { openedFrom: expect.objectContaining({ ids: [7] }) }]
  expect(onOpen.mock.calls).toEqual([opened, opened])
})

test('deleting asks nothing, says that it is done for 10 seconds, and is undone', async () => {
  const rows = { current: [aCustomer()] }
  const { server, user } = openCustomers(
    {
      list: () => aPage(rows.current),
      remove: () => {
        rows.current = []
      },
    },
    {},
    {
      restore: () => {
        rows.current = [aCustomer()]
        return { customers: [7], contracts: [], droppedNumbers: [], notRestored: [] }
      },
    },
  )
  const deletion = await screen.findByRole('button', { name: 'Delete Harbor Bakery' })
  const time = movableTime()
  await user.click(deletion)
  expect(await screen.findByText('Customer deleted successfully!')).toBeVisible()
  expect(server.callsOf('customers.remove')).toEqual([{ id: 7 }])
  expect(time.waits()).toContain(10_000)
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('1 customer restored')).toBeVisible()
  expect(server.callsOf('trash.restore')).toEqual([{ customers: [7], contracts: [] }])
})

test.each([
  ['CUSTOMER_HAS_CONTRACTS', 'Cannot delete customer - they may have existing contracts'],
  ['CUSTOMER_NOT_FOUND', 'Customer not found'],
  ['FAULT', 'Server error occurred while deleting customer'],
] as const)('a deletion refused as %s says so', async (refusal, text) => {
  const { user } = openCustomers({
    remove: () => {
      throw new AppError(refusal)
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Delete Harbor Bakery' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
})

test('a deletion that nobody answers says so for 5 seconds', async () => {
  const { user } = openCustomers({
    remove: () => {
      throw new NoAnswer()
    },
  })
  const deletion = await screen.findByRole('button', { name: 'Delete Harbor Bakery' })
  const time = movableTime()
  await user.click(deletion)
  const text = 'Network error occurred - please check if the server is running'
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  expect(time.waits()).toContain(5000)
  await time.pass(5000)
  await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument())
})

test('customers that cannot be fetched leave a text and a Retry', async () => {
  const failing = { current: true }
  const { user } = openCustomers({
    list: () => {
      if (failing.current) throw new AppError('FAULT')
      return aPage([aCustomer()])
    },
  })
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch customers')
  failing.current = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await row(/Harbor Bakery/)
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('without an answer the page says "Network error occurred"', async () => {
  openCustomers({
    list: () => {
      throw new NoAnswer()
    },
  })
  expect(await screen.findByRole('alert')).toHaveTextContent('Network error occurred')
})

test('a skeleton stands in for the table while it is on its way', async () => {
  const later = whenTold<ReturnType<typeof aPage<ReturnType<typeof aCustomer>>>>()
  openCustomers({ list: later.answer })
  expect(screen.getByText('Loading...')).toBeInTheDocument()
  later.tell(aPage([aCustomer()]))
  await row(/Harbor Bakery/)
  expect(screen.queryByText('Loading...')).not.toBeInTheDocument()
})

test('a customer whose reader unsubscribed cannot be turned on here, and the screen says who can', async () => {
  const mailClosed = { reason: 'unsubscribed', since: new Date('2026-11-03T12:00:00Z') } as const
  openCustomers({ list: () => aPage([aCustomer({ sendNotifications: false, mailClosed })]) })
  const box = await screen.findByRole('checkbox', { name: /^Notifications for Harbor Bakery: .*Only they can/ })
  expect(box).toBeDisabled()
  expect(box).not.toBeChecked()
  expect(screen.getByText('Unsubscribed')).toBeVisible()
})

test('who was added is shown first and marked as new, wherever the list has them', async () => {
  const added = aCustomer({ id: 99, name: 'Zebra Ltd' })
  const { user } = openCustomers({ create: () => added, get: () => added })
  await user.click(await screen.findByRole('button', { name: 'Add Customer' }))
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Zebra Ltd')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add Customer' }))
  await screen.findByRole('row', { name: /Zebra Ltd/ })
  const [, first, second] = screen.getAllByRole('row')
  expect(first).toHaveTextContent(/Zebra Ltd.*New/)
  expect(second).toHaveTextContent('Harbor Bakery')
  expect(second).not.toHaveTextContent('New')
})

test('who was added is shown also where the search finds nobody', async () => {
  const added = aCustomer({ id: 99, name: 'Zebra Ltd' })
  const { user } = openCustomers({ list: () => aPage([]), create: () => added, get: () => added }, { search: 'nobody' })
  await screen.findByText('No customers found')
  await user.click(screen.getAllByRole('button', { name: 'Add Customer' })[0] ?? document.body)
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Zebra Ltd')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add Customer' }))
  expect(await row(/Zebra Ltd.*New/)).toBeVisible()
  expect(screen.queryByText('No customers found')).not.toBeInTheDocument()
})
