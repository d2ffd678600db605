import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { aContract, aCustomer, aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { NoAnswer, trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { ContractDialog } from './contract-dialog.tsx'
import type { ContractDialogPage } from './contract-dialog-pages.ts'
import type { Contract } from './contract-form.ts'

interface Given {
  page?: ContractDialogPage
  contract?: Contract
  answers?: NonNullable<FakeAnswers['contracts']>
  createCustomer?: NonNullable<FakeAnswers['customers']>['create']
  timeZone?: string
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-31T12:00:00') })
})
afterEach(() => {
  vi.useRealTimers()
})

const CUSTOMERS = [
  aCustomer({ id: 7, name: 'Harbor Bakery', customerNumber: 'C-007' }),
  aCustomer({ id: 8, name: 'Mill & Sons', customerNumber: null }),
]

function openDialog({ page = 'contracts', contract, answers, createCustomer, timeZone = 'UTC' }: Given) {
  const server = trpcServer({
    contracts: { create: () => aContract(), update: () => aContract(), ...answers },
    customers: {
      list: ({ search = '' }) =>
        aPage(CUSTOMERS.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))),
      create: createCustomer ?? (({ name }) => aCustomer({ id: 9, name })),
    },
    identity: { account: () => ({ email: 'ada@example.com', timeZone }) },
    reminders: { announceMail: () => ({ count: 0, first: null, isAddition: false }) },
  })
  const onClose = vi.fn()
  const dialog = <ContractDialog opened page={page} contract={contract} onClose={onClose} />
  return { server, onClose, ...renderScreen(dialog) }
}

const picker = () => screen.getByRole('combobox', { name: 'Customer' })
const amount = () => screen.getByRole('textbox', { name: 'Amount' })
const date = (name: string) => screen.getByLabelText(new RegExp(`^${name}`))
const add = () => screen.getByRole('button', { name: /Add Contract|Save Changes/ })
const setDate = (name: string, value: string) => fireEvent.change(date(name), { target: { value } })

/** All of it at once: the dialog is drawn again for each key. */
async function enter(user: UserEvent, field: HTMLElement, text: string) {
  await user.click(field)
  await user.paste(text)
}

async function pick(user: UserEvent, text: string, name: RegExp) {
  await enter(user, picker(), text)
  await user.click(await screen.findByRole('option', { name }))
}

async function fill(user: UserEvent) {
  await pick(user, 'harb', /Harbor Bakery/)
  await enter(user, amount(), '1,234.50')
  setDate('Start Date', '2026-11-01')
}

test.each([
  ['dashboard', 'Please fill in all required fields'],
  ['contracts', 'All fields are required'],
] as const)('on the %s page a form with gaps says "%s", once', async (page, text) => {
  const { server, user } = openDialog({ page })
  await user.click(add())
  expect(screen.getByRole('alert')).toHaveTextContent(text)
  expect(screen.getAllByText(text)).toHaveLength(1)
  for (const field of [picker(), amount(), date('Start Date'), date('Renewal Date')]) expect(field).toBeInvalid()
  expect(picker()).toHaveFocus()
  expect(server.callsOf('contracts.create')).toEqual([])
})

test.each(['0', '-5', 'a lot'])('an amount of "%s" must be a positive number', async (typed) => {
  const { server, user } = openDialog({})
  await fill(user)
  await user.clear(amount())
  await user.type(amount(), typed)
  await user.click(add())
  expect(amount()).toHaveAccessibleDescription('Amount must be a positive number')
  expect(server.callsOf('contracts.create')).toEqual([])
})

test.each([
  ['1.200,50', 1200.5],
  ['1,200.50', 1200.5],
  ['1,200', 1200],
])('an amount typed as "%s" is sent as %d', async (typed, sent) => {
  const { server, user } = openDialog({})
  await fill(user)
  await user.clear(amount())
  await user.type(amount(), typed)
  await user.click(add())
  await waitFor(() => expect(server.callsOf('contracts.create')).toMatchObject([{ amount: sent }]))
})

test('an amount that can be read in two ways is refused for that', async () => {
  const { server, user } = openDialog({})
  await fill(user)
  await user.clear(amount())
  await user.type(amount(), '1.200')
  await user.click(add())
  expect(amount()).toBeInvalid()
  expect(screen.getByText('"1.200" can mean $1,200.00 or $1.20. Enter the one you mean')).toBeVisible()
  expect(server.callsOf('contracts.create')).toEqual([])
})

test('a renewal before the start is refused at its field', async () => {
  const { user } = openDialog({})
  await fill(user)
  setDate('Renewal Date', '2026-10-31')
  await user.click(add())
  expect(date('Renewal Date')).toHaveAccessibleDescription('Renewal date must not be before the start date')
})

test('a contract is sent with whole numbers, its amount as a number and its days as days', async () => {
  const { server, user } = openDialog({})
  await fill(user)
  await user.click(add())
  expect(await screen.findByRole('status')).toHaveTextContent('Contract added successfully!')
  expect(server.callsOf('contracts.create')).toEqual([
    {
      customerId: 7,
      amount: 1234.5,
      startDate: '2026-11-01',
      renewalCycle: 'monthly',
      renewalDate: '2026-12-01',
      status: 'active',
      title: '',
      reference: '',
      renews: 'by_agreement',
      noticePeriod: '',
      tags: [],
    },
  ])
})

test('the dialog closes at once after a success, which a toast says', async () => {
  const { onClose, user } = openDialog({})
  await fill(user)
  await user.click(add())
  expect(await screen.findByRole('status')).toHaveTextContent('Contract added successfully!')
  expect(onClose).toHaveBeenCalledOnce()
})

test.each([
  ['2026-01-31T10:30:00Z', '2026-01-31'],
  ['2026-01-31T11:30:00Z', '2026-02-28'],
])(
  'at %s the renewal date suggested to an account in Auckland is %s, wherever its browser is',
  async (now, renewal) => {
    vi.setSystemTime(now)
    const { server } = openDialog({ timeZone: 'Pacific/Auckland' })
    await waitFor(() => expect(server.callsOf('identity.account')).toHaveLength(1))
    await screen.findByRole('dialog')
    await waitFor(() => {
      setDate('Start Date', '')
      setDate('Start Date', '2025-12-31')
      expect(date('Renewal Date')).toHaveValue(renewal)
    })
  },
)

test('the start date and the cycle suggest the renewal date, until one is chosen', async () => {
  const { user } = openDialog({})
  setDate('Start Date', '2026-01-31')
  expect(date('Renewal Date')).toHaveValue('2026-02-28')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Renewal Cycle' }), 'Yearly')
  expect(date('Renewal Date')).toHaveValue('2027-01-31')
  setDate('Renewal Date', '2027-06-30')
  setDate('Start Date', '2026-03-01')
  expect(date('Renewal Date')).toHaveValue('2027-06-30')
})

test('both pages offer all statuses and cycles, capitalized', () => {
  openDialog({ page: 'dashboard' })
  const options = (name: string) =>
    within(screen.getByRole('combobox', { name }))
      .getAllByRole('option')
      .map((option) => option.textContent)
  expect(options('Status')).toEqual(['Pending', 'Active', 'Expired', 'Cancelled'])
  expect(options('Renewal Cycle')).toEqual(['Monthly', 'Quarterly', 'Yearly'])
  expect(screen.getByRole('combobox', { name: 'Status' })).toHaveDisplayValue('Pending')
})

test('a contract opens prefilled, and only what was changed is sent', async () => {
  const { server, user } = openDialog({ contract: aContract() })
  expect(picker()).toHaveValue('Harbor Bakery')
  expect(amount()).toHaveValue('1,200.50')
  expect(date('Start Date')).toHaveValue('2026-01-15')
  expect(date('Renewal Date')).toHaveValue('2027-01-15')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Cancelled')
  await user.click(add())
  expect(await screen.findByRole('status')).toHaveTextContent('Contract updated successfully!')
  expect(server.callsOf('contracts.update')).toEqual([{ id: 31, version: 1, status: 'cancelled' }])
})

test.each([
  ['dashboard', new AppError('FAULT'), 'Failed to add contract'],
  ['dashboard', new NoAnswer(), 'Network error occurred'],
  ['dashboard', new AppError('NOT_SIGNED_IN'), 'You are not logged in'],
  ['contracts', new AppError('FAULT'), 'Failed to save contract'],
  ['contracts', new NoAnswer(), 'Network error'],
  ['contracts', new AppError('CUSTOMER_NOT_FOUND'), 'Customer not found'],
] as const)('on the %s page a save that fails says why: %s', async (page, failure, text) => {
  const { user } = openDialog({ page, answers: { create: () => Promise.reject(failure) } })
  await fill(user)
  await user.click(add())
  expect((await screen.findByRole('alert')).textContent).toBe(text)
})

test('the picker asks the server for customers by name, and shows their numbers', async () => {
  const { server, user } = openDialog({})
  await user.type(picker(), 'HARB')
  expect(await screen.findByRole('option', { name: /Harbor Bakery/ })).toHaveTextContent('C-007')
  await waitFor(() =>
    expect(server.callsOf('customers.list').at(-1)).toMatchObject({ search: 'HARB', searchBy: 'name' }),
  )
  await waitFor(() => expect(screen.getAllByRole('option', { name: /Harbor|Mill/ })).toHaveLength(1))
})

test('the picker works by the keyboard', async () => {
  const { user } = openDialog({})
  await user.type(picker(), 'mill')
  await screen.findByRole('option', { name: /Mill/ })
  await user.keyboard('{ArrowDown}{Enter}')
  expect(picker()).toHaveValue('Mill & Sons')
  expect(screen.queryByRole('option', { name: /Mill/ })).not.toBeInTheDocument()
})

test('Enter picks the only customer that matches, also before the answer has come', async () => {
  const { server, user } = openDialog({})
  await user.type(picker(), 'mill{Enter}')
  await waitFor(() => expect(picker()).toHaveValue('Mill & Sons'))
  expect(picker()).toHaveAttribute('aria-expanded', 'false')
  await user.clear(picker())
  await user.type(picker(), 'harb')
  await waitFor(() => expect(screen.getAllByRole('option', { name: /Harbor|Mill/ })).toHaveLength(1))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(picker()).toHaveValue('Harbor Bakery'))
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  expect(server.callsOf('customers.create')).toEqual([])
})

test('Enter picks none of several customers, and adds none', async () => {
  const { server, user } = openDialog({})
  await user.type(picker(), 'o{Enter}')
  await waitFor(() => expect(server.callsOf('customers.list').at(-1)).toMatchObject({ search: 'o' }))
  await waitFor(() => expect(screen.getByRole('listbox')).toHaveAttribute('aria-busy', 'false'))
  expect(picker()).toHaveValue('o')
  expect(server.callsOf('customers.create')).toEqual([])
})

test('typing clears the choice', async () => {
  const { user } = openDialog({})
  await fill(user)
  await user.type(picker(), 'x')
  await user.click(add())
  expect(screen.getByRole('alert')).toHaveTextContent('All fields are required')
  expect(picker()).toBeInvalid()
})

test('a name that nobody has finds no customers', async () => {
  const { user } = openDialog({})
  await user.type(picker(), 'zzz')
  expect(await screen.findByText('No customers found')).toBeVisible()
})

test('a customer who is not there yet is added in place, and chosen', async () => {
  const { server, user } = openDialog({})
  await user.type(picker(), ' Zephyr Kites ')
  await user.click(await screen.findByRole('option', { name: 'Add Customer "Zephyr Kites"' }))
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Customer "Zephyr Kites" was added'))
  expect(server.callsOf('customers.create')).toEqual([{ name: 'Zephyr Kites' }])
  expect(picker()).toHaveValue('Zephyr Kites')
  await user.type(amount(), '10')
  setDate('Start Date', '2026-11-01')
  await user.click(add())
  await waitFor(() => expect(server.callsOf('contracts.create')).toMatchObject([{ customerId: 9 }]))
})

test('a name that somebody has already is not offered to be added again', async () => {
  const { user } = openDialog({})
  await user.type(picker(), 'harbor bakery')
  await screen.findByRole('option', { name: /Harbor Bakery/ })
  await waitFor(() => expect(screen.getByRole('listbox')).toHaveAttribute('aria-busy', 'false'))
  expect(screen.queryByRole('option', { name: /Add Customer/ })).not.toBeInTheDocument()
})

test('a customer who cannot be added leaves the choice open, and says why', async () => {
  const { user } = openDialog({
    createCustomer: () => {
      throw new AppError('PAYMENT_OVERDUE')
    },
  })
  await user.type(picker(), 'Zephyr')
  await user.click(await screen.findByRole('option', { name: /Add Customer/ }))
  expect(await screen.findByText(/Your last payment failed/)).toBeVisible()
  expect(picker()).toBeInvalid()
})
