import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import { aCustomer } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { NoAnswer, trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { CustomerDialog } from './customer-dialog.tsx'
import type { CustomerDialogPage } from './customer-dialog-pages.ts'
import { CUSTOMER_CONFLICTS, customerValues, type Customer } from './customer-form.ts'

interface Given {
  page?: CustomerDialogPage
  customer?: Customer
  answers?: NonNullable<FakeAnswers['customers']>
}

function openDialog({ page = 'customers', customer, answers }: Given) {
  const saved = { create: () => aCustomer(), update: () => aCustomer() }
  const server = trpcServer({ customers: { ...saved, ...answers } })
  const onClose = vi.fn()
  const dialog = <CustomerDialog opened page={page} customer={customer} onClose={onClose} />
  return { server, onClose, ...renderScreen(dialog) }
}

const field = (name: string) => screen.getByRole('textbox', { name })
const save = () => screen.getByRole('button', { name: /Add Customer|Save Changes/ })

function refuse(key: RefusalKey) {
  return { create: () => Promise.reject(new AppError(key)) }
}

test.each([
  ['dashboard', 'Name is required'],
  ['customers', 'Customer name is required'],
] as const)('on the %s page a blank name says "%s"', async (page, text) => {
  const { server, user } = openDialog({ page })
  await user.type(field('Name'), '  ')
  await user.click(save())
  expect(field('Name')).toHaveAccessibleDescription(text)
  expect(field('Name')).toHaveFocus()
  expect(server.callsOf('customers.create')).toEqual([])
})

test.each(['dashboard', 'customers'] as const)(
  'on the %s page a customer is added with everything that was typed',
  async (page) => {
    const { server, user } = openDialog({ page })
    await user.type(field('Name'), 'Mill & Sons')
    await user.type(field('Phone'), '555-0199')
    await user.type(field('Email'), 'mill@sons.test')
    await user.type(field('Customer Number'), 'C-9')
    await user.type(field('Address'), '1 Weir Lane')
    await user.click(screen.getByRole('switch'))
    await user.click(save())
    expect(await screen.findByRole('status')).toHaveTextContent('Customer added successfully!')
    expect(server.callsOf('customers.create')).toEqual([
      {
        name: 'Mill & Sons',
        phone: '555-0199',
        email: 'mill@sons.test',
        customerNumber: 'C-9',
        contactName: '',
        contactRole: '',
        address: '1 Weir Lane',
        sendNotifications: false,
        tags: [],
      },
    ])
  },
)

test.each(['dashboard', 'customers'] as const)('the %s page asks for all that a reminder needs', (page) => {
  openDialog({ page })
  const labels = screen.getAllByRole('textbox').map((input) => input.closest('.mantine-InputWrapper-root')?.textContent)
  expect(labels).toEqual(['Name *', 'Phone', 'Customer Number', 'Email', 'Contact Person', 'Contact Role', 'Address'])
  expect(screen.getByRole('switch', { name: 'Send renewal notifications to this customer' })).toBeChecked()
})

test('a customer opens with what is known, and only what was changed is sent', async () => {
  const { server, user } = openDialog({ customer: aCustomer({ address: null }) })
  expect(field('Name')).toHaveValue('Harbor Bakery')
  expect(field('Address')).toHaveValue('')
  await user.clear(field('Phone'))
  await user.click(save())
  expect(await screen.findByRole('status')).toHaveTextContent('Customer updated successfully!')
  expect(server.callsOf('customers.update')).toEqual([{ id: 7, version: 1, phone: '' }])
})

test.each(['dashboard', 'customers'] as const)(
  'on the %s page the dialog closes at once after a success, which a toast says',
  async (page) => {
    const { onClose, user } = openDialog({ page })
    await user.type(field('Name'), 'Mill{Enter}')
    expect(await screen.findByRole('status')).toHaveTextContent('Customer added successfully!')
    expect(onClose).toHaveBeenCalledOnce()
  },
)

test('a second Enter does not add the same customer twice', async () => {
  const saved = Promise.withResolvers<Customer>()
  const { server, user } = openDialog({ answers: { create: () => saved.promise } })
  await user.type(field('Name'), 'Mill{Enter}{Enter}')
  saved.resolve(aCustomer())
  await screen.findByText('Customer added successfully!')
  expect(server.callsOf('customers.create')).toHaveLength(1)
})

test.each([
  ['dashboard', 'FAULT', 'Failed to add customer'],
  ['dashboard', 'NOT_SIGNED_IN', 'You are not logged in. Please log in to add a customer.'],
  ['dashboard', 'TOKEN_MISSING', 'Unable to get authentication token.'],
  ['customers', 'TOKEN_MISSING', /token$/],
  ['customers', 'FAULT', 'Failed to save customer'],
  ['customers', 'SUBSCRIPTION_ENDED', 'Your subscription has ended'],
] as const)('on the %s page a refusal as %s says "%s"', async (page, key, text) => {
  const { user } = openDialog({ page, answers: refuse(key) })
  await user.type(field('Name'), 'Mill{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
})

test.each([
  ['dashboard', 'An error occurred while adding the customer.'],
  ['customers', 'Network error occurred'],
] as const)('on the %s page no answer says "%s"', async (page, text) => {
  const { user } = openDialog({ page, answers: { create: () => Promise.reject(new NoAnswer()) } })
  await user.type(field('Name'), 'Mill{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
})

test('a customer number that is taken is said at its field', async () => {
  const { user } = openDialog({ answers: refuse('CUSTOMER_NUMBER_TAKEN') })
  await user.type(field('Name'), 'Mill')
  await user.type(field('Customer Number'), 'C-7{Enter}')
  await waitFor(() =>
    expect(field('Customer Number')).toHaveAccessibleDescription('Another customer already has this customer number'),
  )
  expect(field('Customer Number')).toHaveFocus()
})

test('an address for mail is checked before it is sent', async () => {
  const { server, user } = openDialog({})
  await user.type(field('Name'), 'Mill')
  await user.type(field('Email'), 'mill at sons{Enter}')
  expect(field('Email')).toHaveAccessibleDescription('Email must be a valid address')
  expect(server.callsOf('customers.create')).toEqual([])
})

const MAIL_CLOSED = { reason: 'complained', since: new Date('2026-11-03T12:00:00Z') } as const

test('what the account wants stays as it is while the address is closed, and the dialog says why', async () => {
  const customer = aCustomer({ sendNotifications: false, mailClosed: MAIL_CLOSED })
  const { server, user } = openDialog({ customer, answers: { update: () => customer } })
  expect(screen.getByRole('switch')).toBeDisabled()
  expect(screen.getByText(/^This person reported a message as spam\. Only they can/)).toBeVisible()
  await user.click(save())
  await screen.findByText('Customer updated successfully!')
  expect(server.callsOf('customers.update')).toEqual([{ version: 1, id: customer.id }])
})

test('a customer who is added at a closed address is added, and it is said that nothing is sent there', async () => {
  const { user } = openDialog({ answers: { create: () => aCustomer({ mailClosed: MAIL_CLOSED }) } })
  await user.type(field('Name'), 'Mill & Sons')
  await user.type(field('Email'), 'orders@harbor.test')
  await user.click(save())
  expect(await screen.findByText(/Customer added successfully! Messages to this address are turned off/)).toBeVisible()
})

/** A dialog about a customer whom somebody else changes before it is saved. */
function openOvertaken(changes: Partial<Customer>) {
  const now = { ...aCustomer(), ...changes, version: 2 }
  return openDialog({
    customer: aCustomer(),
    answers: {
      get: () => now,
      update: ({ version }) => {
        if (version !== now.version) throw new AppError('CUSTOMER_CHANGED')
        return now
      },
    },
  })
}

test('what somebody else has changed meanwhile stays, where it is another field', async () => {
  const { server, user } = openOvertaken({ email: 'new@harbor.test' })
  await user.clear(field('Phone'))
  await user.type(field('Phone'), '555-0199')
  await user.click(save())
  expect(await screen.findByText('Customer updated successfully!')).toBeVisible()
  expect(server.callsOf('customers.update')).toEqual([
    { id: 7, version: 1, phone: '555-0199' },
    { id: 7, version: 2, phone: '555-0199' },
  ])
})

test.each([
  ['theirs', 'Saved meanwhile: 555-0100', { id: 7, version: 2, name: 'Harbor & Sons' }],
  ['mine', 'Yours: 555-0199', { id: 7, version: 2, name: 'Harbor & Sons', phone: '555-0199' }],
])('where it is the same field, one chooses: %s', async (_whose, choice, sent) => {
  const { server, onClose, user } = openOvertaken({ phone: '555-0100' })
  for (const [name, text] of [
    ['Name', 'Harbor & Sons'],
    ['Phone', '555-0199'],
  ] as const) {
    await user.clear(field(name))
    await user.type(field(name), text)
  }
  await user.click(save())
  expect(await screen.findByRole('alert')).toHaveTextContent('Somebody else has changed this as well')
  expect(screen.getByRole('radio', { name: 'Yours: 555-0199' })).toBeChecked()
  expect(screen.getByRole('radio', { name: 'Yours: 555-0199' })).toHaveFocus()
  expect(screen.queryByRole('radiogroup', { name: 'Name' })).not.toBeInTheDocument()
  expect(onClose).not.toHaveBeenCalled()
  await user.click(screen.getByRole('radio', { name: choice }))
  expect(field('Phone')).toHaveValue(choice.split(': ')[1])
  await user.click(save())
  expect(await screen.findByText('Customer updated successfully!')).toBeVisible()
  expect(server.callsOf('customers.update').at(-1)).toEqual(sent)
})

test('a conflict of two edits can be resolved for every field', () => {
  const { version: _version, ...fields } = customerValues(undefined)
  expect(CUSTOMER_CONFLICTS.map(({ name }) => name).toSorted()).toEqual(Object.keys(fields).toSorted())
})
