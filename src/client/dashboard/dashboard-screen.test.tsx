import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { aDashboard, aDecidedContract, aDueContract, anImport } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { movableTime } from '#support/time.ts'
import { NoAnswer, trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { DashboardScreen } from './dashboard-screen.tsx'

type Answer = NonNullable<NonNullable<FakeAnswers['dashboard']>['get']>

function openDashboard(get: Answer, { welcome = false } = {}) {
  const onLoadSample = vi.fn(() => anImport())
  trpcServer({ dashboard: { get }, imports: { loadSample: onLoadSample } })
  const acts = {
    onWelcomed: vi.fn(),
    onAddContract: vi.fn(),
    onAddCustomer: vi.fn(),
    onImport: vi.fn(),
    onNameCompany: vi.fn(),
  }
  return { ...acts, onLoadSample, ...renderRouted(<DashboardScreen welcome={welcome} {...acts} />) }
}

const card = (name: string) => screen.findByRole('group', { name })

test('eight cards show the figures', async () => {
  openDashboard(() => aDashboard({ expiringSoon: 3, expiringRevenue: 1250.5, overdue: 2 }))
  await screen.findByText('$20,000.00')
  for (const [name, value] of [
    ['Total Contracts', '12'],
    ['Total Revenue', '$20,000.00'],
    ['Expiring Soon', '3 within 30 days$1,250.50 at stake'],
    ['Total Customers', '5'],
    ['Active Contracts', '8'],
    ['Monthly Revenue', '$1,666.67'],
    ['Overdue', '2'],
    ['Avg Contract Value', '$2,500.00'],
  ] as const) {
    expect(await card(name)).toHaveTextContent(value)
  }
})

test('each of the eight cards says its definition on focus', async () => {
  const { user } = openDashboard(() => aDashboard())
  await card('Overdue')
  expect(screen.getAllByRole('button', { name: /^What .* means$/ })).toHaveLength(8)
  await user.hover(screen.getByRole('button', { name: 'What Monthly Revenue means' }))
  expect(await screen.findByRole('tooltip')).toHaveTextContent('quarterly ones divided by 3, yearly by 12')
})

test('three cards show growth, success and efficiency', async () => {
  openDashboard(() => aDashboard())
  await screen.findByText('$20,000.00')
  expect(await card('Growth Rate')).toHaveTextContent('25%')
  expect(await card('Success Rate')).toHaveTextContent('66.7%')
  expect(await card('Efficiency')).toHaveTextContent('2.4')
})

test('the header adds a contract or a customer', async () => {
  const { user, onAddContract, onAddCustomer } = openDashboard(() => aDashboard())
  await user.click(await screen.findByRole('button', { name: 'Add Contract' }))
  await user.click(screen.getByRole('button', { name: 'Add Customer' }))
  expect(onAddContract.mock.calls).toEqual([[false]])
  expect(onAddCustomer).toHaveBeenCalledOnce()
})

test('contracts requiring attention are counted and listed, the overdue ones first', async () => {
  openDashboard(() =>
    aDashboard({
      overdue: 1,
      expiringSoon: 3,
      overdueContracts: [aDueContract({ id: 1, customerName: 'Late Ltd', daysLeft: -3 })],
      expiringContracts: [
        aDueContract({ id: 2, customerName: 'Urgent Ltd', daysLeft: 7, status: 'pending' }),
        aDueContract({ id: 3, customerName: 'Soon Ltd', daysLeft: 30, endsOn: toDay('2026-04-14') }),
      ],
    }),
  )
  const section = within(await screen.findByRole('region', { name: 'Contracts Requiring Attention' }))
  const [late, soon] = await section.findAllByRole('table')
  const headings = within(late ?? document.body).getAllByRole('columnheader')
  expect(headings.map((cell) => cell.textContent)).toEqual([
    'Client',
    'Amount',
    'Renewal Date',
    'Status',
    'Time Left',
    'Action',
  ])
  const rows = [late, soon].flatMap((table) =>
    within(table ?? document.body)
      .getAllByRole('row')
      .slice(1),
  )
  expect(rows.map((row) => within(row).getAllByRole('cell').at(-2)?.textContent)).toEqual([
    'Overdue by 3 days',
    '7 days left',
    '',
  ])
  expect(rows.map((row) => row.getAttribute('data-tone'))).toEqual(['red', 'yellow', 'yellow'])
  expect(section.getByLabelText('4 contracts')).toHaveTextContent('4')
  expect([late, soon].map((table) => table?.getAttribute('aria-label'))).toEqual(['Overdue', 'Expiring within 30 days'])
  expect(section.getByRole('link', { name: 'Urgent Ltd' })).toHaveAttribute('href', '/contracts/2')
  expect(section.getByText('Active · Overdue')).toBeVisible()
  // What has been decided to end is not renewed, and can be kept.
  expect(section.getByText('Ends Apr 14, 2026')).toBeVisible()
  expect(section.getByRole('button', { name: 'Keep Open: Soon Ltd' })).toBeVisible()
  expect(section.queryByRole('button', { name: /^(Renew|Not Renewing): Soon Ltd/ })).toBeNull()
  expect(section.getByRole('button', { name: 'Renew: Urgent Ltd' })).toBeVisible()
})

test('neither the rest of a double click on Keep Open nor the next press of a key renews the contract', async () => {
  const ending = aDueContract({ id: 3, customerName: 'Soon Ltd', endsOn: toDay('2026-04-14') })
  let current = ending
  const server = trpcServer({
    dashboard: { get: () => aDashboard({ expiringSoon: 1, expiringContracts: [current] }) },
    contracts: {
      reopen: () => {
        current = { ...ending, endsOn: null }
        return aDecidedContract({ ...current, decision: 41 })
      },
      renewalSettings: () => ({ endOverdueAfterDays: null, endReasons: ['Price'], confirmRenewals: false }),
    },
    reminders: { announceMail: () => ({ count: 0, first: null, isAddition: false }) },
  })
  const nothing = () => {}
  const acts = { onWelcomed: nothing, onAddContract: nothing, onAddCustomer: nothing, onImport: nothing }
  const { user } = renderRouted(<DashboardScreen welcome={false} {...acts} onNameCompany={nothing} />)
  await user.click(await screen.findByRole('button', { name: 'Keep Open: Soon Ltd' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Renew: Soon Ltd' }), { detail: 2 })
  expect(screen.getByRole('button', { name: 'Not Renewing: Soon Ltd' })).toHaveFocus()
  expect(await screen.findByText(/is open again/)).toBeVisible()
  expect(server.callsOf('contracts.renew')).toEqual([])
})

test('of many overdue ones the first 20 are shown, then all that came, and the way to the rest, beside those that expire', async () => {
  const { user } = openDashboard(() =>
    aDashboard({
      overdue: 126,
      expiringSoon: 2,
      overdueContracts: Array.from({ length: 50 }, (_, index) => aDueContract({ id: 100 + index, daysLeft: -9 })),
      expiringContracts: [aDueContract({ id: 1, daysLeft: 2 }), aDueContract({ id: 2, daysLeft: 3 })],
    }),
  )
  const overdue = within(await screen.findByRole('region', { name: 'Overdue' }))
  expect(overdue.getByRole('heading', { name: 'Overdue (126)' })).toBeVisible()
  expect(overdue.getAllByText('Overdue by 9 days')).toHaveLength(20)
  const all = overdue.getByRole('link', { name: 'Show all 126 in Contracts' })
  expect(all).toHaveAttribute('href', '/contracts?overdue=true')
  await user.click(overdue.getByRole('button', { name: 'Show 30 More' }))
  expect(overdue.getAllByText('Overdue by 9 days')).toHaveLength(50)
  await user.click(overdue.getByRole('button', { name: 'Show Fewer' }))
  expect(overdue.getAllByText('Overdue by 9 days')).toHaveLength(20)
  const soon = within(screen.getByRole('region', { name: 'Expiring within 30 days' }))
  expect(soon.getAllByText(/days left/)).toHaveLength(2)
  expect(soon.queryByRole('link', { name: /Show all/ })).not.toBeInTheDocument()
})

test('contracts whose notice is due stand between these, and none of them stands twice', async () => {
  const due = { noticePeriod: '30 days', noticeDate: toDay('2026-11-27') }
  const both = aDueContract({ id: 2, customerName: 'Both Ltd', renewalDate: toDay('2026-12-20'), daysLeft: 26, ...due })
  openDashboard(() =>
    aDashboard({
      overdue: 1,
      noticeDue: 2,
      expiringSoon: 2,
      requiringAttention: 4,
      overdueContracts: [aDueContract({ id: 1, customerName: 'Late Ltd', daysLeft: -3 })],
      noticeContracts: [
        both,
        aDueContract({ id: 3, customerName: 'Later Ltd', renewalDate: toDay('2026-12-29'), daysLeft: 35, ...due }),
      ],
      expiringContracts: [aDueContract({ id: 4, customerName: 'Soon Ltd', daysLeft: 2 }), both],
    }),
  )
  const section = within(await screen.findByRole('region', { name: 'Contracts Requiring Attention' }))
  const headings = await section.findAllByRole('heading', { level: 3 })
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    'Overdue (1)',
    'Notice due this week (2)',
    'Expiring within 30 days (1)',
  ])
  expect(section.getByLabelText('4 contracts')).toBeVisible()
  expect(section.getAllByRole('link', { name: /Ltd$/ }).map(({ textContent }) => textContent)).toEqual([
    'Late Ltd',
    'Both Ltd',
    'Later Ltd',
    'Soon Ltd',
  ])
  const notice = within(section.getByRole('table', { name: 'Notice due this week' }))
  expect(notice.getAllByText('Nov 27, 2026')).toHaveLength(2)
  expect(notice.getAllByText('3 days left')).toHaveLength(2)
})

test('the list is collapsed by a button, and stays so when the page is opened again', async () => {
  const { user, unmount } = openDashboard(() => aDashboard())
  const button = await screen.findByRole('button', { name: 'Show Contracts Requiring Attention' })
  expect(button).toHaveAttribute('aria-expanded', 'true')
  await user.click(button)
  expect(button).toHaveAttribute('aria-expanded', 'false')
  expect(localStorage.getItem('traxx-attention')).toBe('collapsed')
  unmount()
  openDashboard(() => aDashboard())
  const again = await screen.findByRole('button', { name: 'Show Contracts Requiring Attention' })
  expect(again).toHaveAttribute('aria-expanded', 'false')
  await user.click(again)
  expect(localStorage.getItem('traxx-attention')).toBe('shown')
})

test('the list to act on comes before the charts', async () => {
  openDashboard(() => aDashboard())
  const list = await screen.findByRole('region', { name: 'Contracts Requiring Attention' })
  const charts = await screen.findByRole('region', { name: 'Charts' })
  expect(list.compareDocumentPosition(charts) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
})

test('each card leads to exactly what it counts, and the one of a window names it', async () => {
  openDashboard(() => aDashboard({ months: [{ month: '2026-11', contracts: 3, revenue: 0 }] }))
  await screen.findByText('$20,000.00')
  for (const [name, href] of [
    ['Total Contracts', '/contracts'],
    ['Total Revenue', '/contracts?status=active'],
    ['Expiring Soon', '/contracts?renewsWithin=30'],
    ['Total Customers', '/customers'],
    ['Active Contracts', '/contracts?status=active'],
    ['Monthly Revenue', '/contracts?status=active'],
    ['Overdue', '/contracts?overdue=true'],
    ['Avg Contract Value', '/contracts?status=active'],
    ['Growth Rate', '/contracts?startedIn=2026-11'],
    ['Success Rate', '/contracts?status=active'],
  ] as const)
    expect(within(await card(name)).getByRole('link', { name })).toHaveAttribute('href', href)
  expect(await card('Expiring Soon')).toHaveTextContent('within 30 days')
})

test('time left is red up to 7 days and yellow up to 30', async () => {
  openDashboard(() =>
    aDashboard({
      expiringSoon: 2,
      expiringContracts: [aDueContract({ id: 2, daysLeft: 7 }), aDueContract({ id: 3, daysLeft: 8 })],
    }),
  )
  expect(await screen.findByText('7 days left')).toHaveAttribute('data-tone', 'red')
  expect(screen.getByText('8 days left')).toHaveAttribute('data-tone', 'yellow')
})

test('where nothing requires attention the table says so', async () => {
  openDashboard(() => aDashboard())
  expect(await screen.findByRole('heading', { name: 'All caught up!' })).toBeVisible()
  expect(screen.getByText('No contracts require immediate attention.')).toBeVisible()
})

describe('an account without contracts', () => {
  const empty = { totalContracts: 0, totalCustomers: 0, hasCompanyName: false }

  test('is shown three steps in place of empty charts', async () => {
    const { user, ...acts } = openDashboard(() => aDashboard(empty))
    const steps = within(await screen.findByRole('region', { name: 'First steps' }))
    expect(steps.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
      expect.stringContaining('Add a customer'),
      expect.stringContaining('Add a contract'),
      expect.stringContaining('Enter your company name'),
    ])
    expect(screen.queryByRole('group', { name: 'Total Revenue' })).not.toBeInTheDocument()
    expect(screen.queryByText('Revenue Trend')).not.toBeInTheDocument()
    await user.click(steps.getByRole('button', { name: 'Add Your First Customer' }))
    await user.click(steps.getByRole('button', { name: 'Add Your First Contract' }))
    await user.click(steps.getByRole('button', { name: 'Import Customers' }))
    await user.click(steps.getByRole('button', { name: 'Import Contracts' }))
    await user.click(steps.getByRole('button', { name: 'Enter Company Name' }))
    expect(acts.onAddCustomer).toHaveBeenCalledOnce()
    expect(acts.onAddContract.mock.calls).toEqual([[true]])
    expect(acts.onNameCompany).toHaveBeenCalledOnce()
    expect(acts.onImport.mock.calls).toEqual([['customers'], ['contracts']])
  })

  test('sees all cards and charts at one press, and hides them at the next', async () => {
    const { user } = openDashboard(() => aDashboard(empty))
    await user.click(await screen.findByRole('button', { name: 'Show the Empty Dashboard' }))
    expect(screen.getByRole('group', { name: 'Total Revenue' })).toBeVisible()
    expect(screen.getByRole('group', { name: 'Growth Rate' })).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Revenue Trend' })).toBeVisible()
    expect(screen.getByRole('region', { name: 'First steps' })).toBeVisible()
    const hide = screen.getByRole('button', { name: 'Hide the Empty Dashboard' })
    expect(hide).toHaveFocus()
    await user.click(hide)
    expect(screen.queryByRole('group', { name: 'Total Revenue' })).not.toBeInTheDocument()
  })

  test.each([
    [{ totalCustomers: 1 }, ['Add a customer']],
    [{ totalCustomers: 1, hasImported: true }, ['Add a customer']],
    [{ hasCompanyName: true }, ['Enter your company name']],
  ])('has the steps ticked that are done: %j', async (done, ticked) => {
    openDashboard(() => aDashboard({ ...empty, ...done }))
    const steps = within(await screen.findByRole('region', { name: 'First steps' })).getAllByRole('listitem')
    const isTicked = (step: HTMLElement) => within(step).queryByRole('img', { name: 'Done' }) !== null
    expect(steps.filter(isTicked).map((step) => step.querySelector('p')?.textContent)).toEqual(ticked)
  })

  test('sees the charts with its first contract, and the steps ticked until it closes them', async () => {
    const now = { dashboard: aDashboard(empty) }
    const { user, onLoadSample } = openDashboard(() => now.dashboard)
    await screen.findByRole('region', { name: 'First steps' })
    now.dashboard = aDashboard({ totalContracts: 1, totalCustomers: 1, hasCompanyName: false })
    // Any call that changes something fetches the dashboard anew.
    await user.click(screen.getByRole('button', { name: 'Load Sample Data' }))
    expect(onLoadSample).toHaveBeenCalledOnce()
    expect(await screen.findByText('$20,000.00')).toBeVisible()
    expect(screen.getAllByRole('img', { name: 'Done' })).toHaveLength(2)
    expect(screen.getByRole('button', { name: 'Add Another Customer' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Add Another Contract' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Close first steps' }))
    expect(screen.queryByRole('region', { name: 'First steps' })).not.toBeInTheDocument()
    // The rest of a double click, on what has moved up.
    const fold = screen.getByRole('button', { name: 'Show Contracts Requiring Attention' })
    fireEvent.click(fold, { detail: 2 })
    expect(fold).toHaveAttribute('aria-expanded', 'true')
  })
})

test('an account with contracts is not shown first steps', async () => {
  openDashboard(() => aDashboard())
  await screen.findByText('$20,000.00')
  expect(screen.queryByRole('region', { name: 'First steps' })).not.toBeInTheDocument()
})

test('the welcome banner is shown for 5 seconds', async () => {
  const time = movableTime()
  const { onWelcomed } = openDashboard(() => aDashboard(), { welcome: true })
  expect(await screen.findByText('Welcome to TRAXX! Your free trial has started successfully.')).toBeVisible()
  expect(onWelcomed).not.toHaveBeenCalled()
  expect(time.waits()).toContain(5000)
  await time.pass(5000)
  expect(onWelcomed).toHaveBeenCalledOnce()
})

test.each([
  [new AppError('FAULT'), 'Failed to fetch dashboard'],
  [new NoAnswer(), 'Network error'],
  [new AppError('NOT_SIGNED_IN'), 'You are not logged in. Please log in to view the dashboard.'],
  [new AppError('TOKEN_MISSING'), 'Unable to get authentication token.'],
])('a dashboard that cannot be fetched says why: %s', async (failure, text) => {
  openDashboard(() => Promise.reject(failure))
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
})

test('Retry fetches the dashboard again', async () => {
  const failing = { current: true }
  const { user } = openDashboard(() => (failing.current ? Promise.reject(new AppError('FAULT')) : aDashboard()))
  await screen.findByRole('alert')
  failing.current = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('$20,000.00')).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})
