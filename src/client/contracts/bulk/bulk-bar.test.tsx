import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Bulk } from './bulk-words.ts'
import { AppError } from '#shared/errors.ts'
import { START } from '#client/list/list-position.ts'
import { ContractsScreen } from '#client/contracts/contracts-screen.tsx'
import { aContract, aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { movableTime } from '#support/time.ts'
import { trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'

const BULK: Bulk = {
  id: 7,
  action: 'renew',
  state: 'running',
  total: 2,
  changed: 0,
  waiting: 2,
  undone: 0,
  alreadyTold: 0,
  leftOut: [],
  keptCount: 0,
  kept: [],
  createdAt: new Date(),
  endedAt: null,
}
const DONE: Bulk = { ...BULK, state: 'done', changed: 2, waiting: 0, endedAt: new Date() }
const CUSTOMERS = ['Harbor Bakery', 'Mill Works', 'Late Motors']

function openContracts(bulk: FakeAnswers['bulk'] = {}) {
  localStorage.clear()
  const rows = CUSTOMERS.map((customerName, at) => aContract({ id: at + 1, customerName }))
  const server = trpcServer({
    contracts: {
      list: () => ({ ...aPage(rows), total: 1200 }),
      figures: () => ({ total: 3, active: 3, expiring: 0, revenue: 0 }),
      renewalSettings: () => ({ confirmRenewals: false, endOverdueAfterDays: null, endReasons: ['Price', 'Other'] }),
    },
    bulk: {
      latest: () => null,
      preview: () => ({ count: 2, amountBefore: 200, amount: 210, leftOut: [{ reason: 'closed', count: 1 }] }),
      start: () => BULK,
      ...bulk,
    },
  })
  const search = { ...START, sort: 'openFirst', direction: 'asc', size: 10, cycle: 'yearly' } as const
  return { server, ...renderScreen(<ContractsScreen search={search} onSearch={() => {}} onOpen={() => {}} />) }
}

const select = (name: string) => screen.findByRole('checkbox', { name: `Select the contract with ${name}` })
const bar = () => screen.findByRole('region', { name: 'Selected contracts' })
const result = () => screen.findByRole('region', { name: 'Change of contracts' })

test('rows are selected one by one, as a range, and all of the page', async () => {
  const { user } = openContracts()
  await user.click(await select('Harbor Bakery'))
  expect(within(await bar()).getByRole('status')).toHaveTextContent('1 selected')
  await user.keyboard('{Shift>}')
  await user.click(await select('Late Motors'))
  await user.keyboard('{/Shift}')
  expect(within(await bar()).getByRole('status')).toHaveTextContent('3 selected')
  expect(screen.getByRole('checkbox', { name: 'Select all on this page' })).toBeChecked()
  await user.click(await select('Mill Works'))
  expect(within(await bar()).getByRole('status')).toHaveTextContent('2 selected')
  await user.click(screen.getByRole('button', { name: 'Clear the selection' }))
  // The rest of a double click, where the bar was.
  fireEvent.click(await select('Mill Works'), { detail: 2 })
  expect(screen.queryByRole('region', { name: 'Selected contracts' })).not.toBeInTheDocument()
})

test('renewing says beforehand what it does, and then how far it is', async () => {
  const { user, server } = openContracts()
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Renew' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Renew Contracts' }))
  expect(await dialog.findByText('2 contracts will be renewed: $210.00, now $200.00 in all.')).toBeVisible()
  expect(dialog.getByText('Left out: 1 closed.')).toBeVisible()
  await user.click(dialog.getByRole('radio', { name: 'Today' }))
  await user.click(dialog.getByRole('button', { name: 'Renew Contracts' }))
  await waitFor(() =>
    expect(server.callsOf('bulk.start')).toEqual([
      { action: 'renew', contracts: { ids: [1, 2, 3] }, from: 'today', confirm: false },
    ]),
  )
  expect(await screen.findByRole('progressbar', { name: 'Renewing contracts' })).toBeInTheDocument()
  expect(screen.getByRole('checkbox', { name: 'Select all on this page' })).not.toBeChecked()
})

const RENEWAL = { count: 3, amountBefore: 300, amount: 300, leftOut: [] }

test.each([
  [{ emails: 3, customers: 2, waiting: 0 }, '3 emails to 2 customers.'],
  [
    { emails: 60, customers: 60, waiting: 10 },
    "10 of these emails will wait for another day because of today's limit.",
  ],
  [{ emails: 0, customers: 0, waiting: 0 }, 'None of the customers will be told.'],
])('renewing says beforehand how many customers would be told: %j', async (counts, text) => {
  const { user, server } = openContracts({ preview: ({ confirm }) => (confirm ? { ...RENEWAL, ...counts } : RENEWAL) })
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Renew' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Renew Contracts' }))
  expect(await dialog.findByText('3 contracts will be renewed: $300.00 in all.')).toBeVisible()
  expect(dialog.queryByText(text)).not.toBeInTheDocument()
  await user.click(dialog.getByRole('switch', { name: /^Tell the customers/ }))
  expect(await dialog.findByText(text)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Renew Contracts' }))
  await waitFor(() => expect(server.callsOf('bulk.start')).toMatchObject([{ action: 'renew', confirm: true }]))
})

test('renewing says beforehand how many emails about the new renewal dates go out today', async () => {
  const { user } = openContracts({
    preview: ({ confirm }) => ({ ...RENEWAL, emailsToday: 2, ...(confirm ? { emails: 4, customers: 3 } : {}) }),
  })
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Renew' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Renew Contracts' }))
  const text = (also: string) => `2 emails to customers about the new renewal dates will ${also}go out today.`
  expect(await dialog.findByText(text(''))).toBeVisible()
  await user.click(dialog.getByRole('switch', { name: /^Tell the customers/ }))
  expect(await dialog.findByText(text('also '))).toBeVisible()
  expect(dialog.queryByText(text(''))).not.toBeInTheDocument()
})

test('tagging says beforehand how many notices go out today', async () => {
  const { user } = openContracts({ preview: () => ({ ...RENEWAL, emailsToday: 1 }) })
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Tag' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Tag Contracts' }))
  await user.type(dialog.getByRole('combobox', { name: 'Add Tags' }), 'North,')
  expect(await dialog.findByText('1 notice to customers will go out by email today.')).toBeVisible()
})

/** Starts to tag with Plain, which is previewed, and then with North as well, of which only the given answer tells. */
async function tagBeforePreviewed(answer: () => Promise<typeof RENEWAL & { emailsToday: number }>) {
  const { user, server } = openContracts({ preview: ({ add }) => (add?.includes('North') ? answer() : RENEWAL) })
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Tag' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Tag Contracts' }))
  const start = () => user.click(dialog.getByRole('button', { name: 'Tag Contracts' }))
  await user.type(dialog.getByRole('combobox', { name: 'Add Tags' }), 'Plain,')
  await dialog.findByText(/will change/)
  await user.type(dialog.getByRole('combobox', { name: 'Add Tags' }), 'North,')
  await start()
  return { dialog, start, started: () => server.callsOf('bulk.start') }
}

test('a change waits for what it sends, and shows that before it starts', async () => {
  const { answer, tell } = whenTold<typeof RENEWAL & { emailsToday: number }>()
  const { dialog, start, started } = await tagBeforePreviewed(answer)
  tell({ ...RENEWAL, emailsToday: 2 })
  expect(await dialog.findByText(/^Not started yet/)).toBeVisible()
  expect(dialog.getByText('2 notices to customers will go out by email today.')).toBeVisible()
  expect(started()).toEqual([])
  await start()
  await waitFor(() => expect(started()).toHaveLength(1))
})

test('a change waits for what it sends no longer than a while, and says that it is not known', async () => {
  const time = movableTime()
  const { dialog, start, started } = await tagBeforePreviewed(() => Promise.withResolvers<never>().promise)
  await time.pass(5000)
  expect(await dialog.findByText('We could not check which emails customers will get.')).toBeVisible()
  expect(dialog.queryByText(/will change/)).not.toBeInTheDocument()
  expect(started()).toEqual([])
  await start()
  await waitFor(() => expect(started()).toHaveLength(1))
})

test('of renewals that were undone it says how many customers had been told', async () => {
  openContracts({ latest: () => ({ ...DONE, state: 'undone', changed: 0, undone: 2, alreadyTold: 1 }) })
  expect(
    await screen.findByText(
      'Undone: 2 contracts as before. Emails about the renewal of 1 contract had already gone out',
    ),
  ).toBeVisible()
})

test('all that the filter has can be chosen', async () => {
  const { user, server } = openContracts()
  await user.click(await select('Harbor Bakery'))
  await user.click(within(await bar()).getByRole('button', { name: 'Select all 1,200' }))
  expect(within(await bar()).getByRole('status')).toHaveTextContent('1,200 selected')
  await user.click(within(await bar()).getByRole('button', { name: 'End' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'End Contracts' }))
  await user.click(dialog.getByRole('button', { name: 'End Contracts' }))
  expect(await dialog.findByText('Choose a reason', { selector: '[role="alert"] *' })).toBeVisible()
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Reason' }), 'Other')
  await user.click(dialog.getByRole('button', { name: 'End Contracts' }))
  await waitFor(() => expect(server.callsOf('bulk.start')).toHaveLength(1))
  expect(server.callsOf('bulk.start')).toMatchObject([
    { action: 'end', contracts: { filter: { cycle: 'yearly' } }, on: 'renewal_date', reason: 'Other', note: null },
  ])
})

test('Tab reaches what can be done before the button that clears the selection', async () => {
  const { user } = openContracts()
  await user.click(await select('Harbor Bakery'))
  const buttons = within(await bar()).getAllByRole('button')
  expect(buttons.at(-1)).toHaveAccessibleName('Clear the selection')
})

test('the selected contracts are exported, or all that the filter has', async () => {
  const fetched = vi.fn<(path: string) => Promise<Response>>(
    async () => new Response('a,b', { headers: { 'content-disposition': 'attachment; filename="contracts.csv"' } }),
  )
  const { user } = openContracts()
  await user.click(await select('Harbor Bakery'))
  await user.click(await select('Late Motors'))
  vi.stubGlobal('fetch', fetched)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  await user.click(within(await bar()).getByRole('button', { name: 'Export' }))
  expect(await screen.findByText('Downloaded contracts.csv')).toBeVisible()
  await user.click(within(await bar()).getByRole('button', { name: 'Select all 1,200' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Export' }))
  await waitFor(() => expect(fetched).toHaveBeenCalledTimes(2))
  expect(fetched.mock.calls.map(([path]) => path)).toEqual([
    '/contracts/export.csv?sort=openFirst&direction=asc&ids=1%2C3',
    '/contracts/export.csv?sort=openFirst&direction=asc&cycle=yearly',
  ])
})

test('prices change by percent, by an amount, or to one', async () => {
  const { user, server } = openContracts()
  await user.click(await select('Harbor Bakery'))
  await user.click(within(await bar()).getByRole('button', { name: 'Change Price' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change Prices' }))
  await user.click(dialog.getByRole('button', { name: 'Change Prices' }))
  expect(await dialog.findByText('Enter a number with at most two decimals')).toBeVisible()
  await user.type(dialog.getByRole('textbox', { name: 'Percent' }), '-1.200')
  await user.click(dialog.getByRole('button', { name: 'Change Prices' }))
  expect(await dialog.findByText('"1.200" can mean 1,200% or 1.2%. Enter the one you mean')).toBeVisible()
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Change' }), 'To an amount')
  await user.click(dialog.getByRole('button', { name: 'Change Prices' }))
  expect(await dialog.findByText('"1.200" can mean $1,200.00 or $1.20. Enter the one you mean')).toBeVisible()
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Change' }), 'By percent')
  await user.clear(dialog.getByRole('textbox', { name: 'Percent' }))
  await user.type(dialog.getByRole('textbox', { name: 'Percent' }), '-2,5')
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Round to' }), '5 dollars')
  expect(await dialog.findByText(/^The next price of 2 contracts will change/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Change Prices' }))
  await waitFor(() => expect(server.callsOf('bulk.start')).toHaveLength(1))
  expect(server.callsOf('bulk.start')).toMatchObject([{ price: { by: 'percent', value: -2.5, roundTo: 5 } }])
})

test('reminders say beforehand how many emails they are, and that they cannot be undone', async () => {
  const { user, server } = openContracts({
    preview: () => ({
      count: 3,
      amountBefore: 300,
      amount: 300,
      emails: 2,
      customers: 1,
      leftOut: [{ reason: 'unsubscribed', count: 1 }],
    }),
    start: () => ({ ...BULK, action: 'remind', state: 'done', changed: 3, waiting: 0, endedAt: new Date() }),
  })
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Send Reminder' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Send Reminders' }))
  expect(await dialog.findByText('Reminders will be sent about 3 contracts: $300.00 in all.')).toBeVisible()
  expect(dialog.getByText('2 emails to 1 customer. This cannot be undone.')).toBeVisible()
  expect(dialog.getByText('Left out: 1 of customers who unsubscribed.')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Send Reminders' }))
  await waitFor(() =>
    expect(server.callsOf('bulk.start')).toEqual([{ action: 'remind', contracts: { ids: [1, 2, 3] } }]),
  )
  const done = within(await result())
  expect(done.getByText('Reminders about 3 contracts are on their way')).toBeVisible()
  expect(done.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
})

test('a finished change says what it left out, is undone, and closed for good', async () => {
  const { user } = openContracts({
    latest: () => ({ ...DONE, leftOut: [{ reason: 'ending', count: 1 }] }),
    undo: () => ({
      ...DONE,
      state: 'undone',
      changed: 0,
      undone: 1,
      keptCount: 1,
      kept: [{ contractId: 2, customerName: 'Mill Works', changedSince: 'Amount' }],
    }),
  })
  expect(await screen.findByText('Renewed 2 contracts. Left out: 1 set to end')).toBeVisible()
  await user.click(within(await result()).getByRole('button', { name: 'Undo' }))
  expect(
    await screen.findByText('Undone: 1 contract as before. Changed since, and kept: Mill Works (Amount)'),
  ).toBeVisible()
  await user.click(within(await result()).getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('region', { name: 'Change of contracts' })).not.toBeInTheDocument()
})

test('a change that is refused stays in its dialog', async () => {
  const { user } = openContracts({
    start: () => Promise.reject(new AppError('BULK_RUNNING')),
  })
  await user.click(await select('Harbor Bakery'))
  await user.click(within(await bar()).getByRole('button', { name: 'Renew' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Renew Contracts' }))
  await user.click(dialog.getByRole('button', { name: 'Renew Contracts' }))
  expect(await dialog.findByText(/^Another change of many contracts is still running/)).toBeVisible()
})
