import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { addDays, dayIn } from '#shared/domain/day.ts'
import { DEFAULT_TEXTS } from '#shared/domain/reminder-text.ts'
import { browserTimeZone } from '#client/text/format.ts'
import { openApp } from '#support/open-app.tsx'
import { aCompany, aContract, aCustomer, aDashboard, aDueContract, anImport, aPage } from '#support/records.ts'
import type { aSubscription } from '#support/subscription.ts'
import type { FakeAnswers } from '#support/trpc-server.ts'

const SENTENCE = 'Your trial ended without a card, so TRAXX is read-only until you add one'
const control = (name: string) => {
  const labelled = screen.queryByLabelText((label) => label.startsWith(name), { selector: 'input, select, textarea' })
  return labelled ?? screen.getByRole('button', { name: (label) => label.startsWith(name) })
}
/** Beside the banner, which says the same. */
const toast = () => screen.findByText(SENTENCE, { selector: '[role="alert"] *' })

const TODAY = dayIn(new Date(), browserTimeZone())
const MESSAGE = {
  contractId: 31,
  customerName: 'Harbor Bakery',
  renewalDate: addDays(TODAY, 15),
  day: addDays(TODAY, 1),
  kind: 'reminder',
  offset: 14,
  recipient: 'customer',
  contactId: 0,
  contactName: null,
  channel: 'email',
  obstacle: null,
} as const
const NOTIFICATION = {
  id: 5,
  type: 'renewal_reminder',
  title: 'Renewal in 7 days',
  message: 'Harbor Bakery renews on November 28.',
  isRead: false,
  createdAt: new Date(),
  actionUrl: '/contracts?open=31',
} as const
const REMINDERS: NonNullable<FakeAnswers['reminders']> = {
  runs: () => ({ lastRunAt: null, isStalled: false, waiting: null, stop: null }),
  list: () => aPage([]),
  coming: () => ({ rows: [MESSAGE], next: null }),
  unreachable: () => ({ total: 0, revenue: 0, customers: [] }),
  ownBounce: () => null,
  texts: () => ({
    reminder: { ...DEFAULT_TEXTS.reminder, isDefault: true },
    reminder_automatic: { ...DEFAULT_TEXTS.reminder_automatic, isDefault: true },
    reminder_never: { ...DEFAULT_TEXTS.reminder_never, isDefault: true },
    follow_up: { ...DEFAULT_TEXTS.follow_up, isDefault: true },
    confirmation: { ...DEFAULT_TEXTS.confirmation, isDefault: true },
    notice: { ...DEFAULT_TEXTS.notice, isDefault: true },
  }),
  previewText: () => ({ subject: 'Soon', text: 'Soon', html: '<p>Soon</p>', customerName: 'Ada', isExample: true }),
  settings: () => ({
    enableNotifications: true,
    reminderDays: [30, 14, 7, 1],
    followUpDays: [1, 3, 7],
    notificationMethods: { email: true, inApp: true },
    hour: 8,
    senderName: null,
    replyTo: null,
    timeZone: 'UTC',
    ownerEmail: 'owner@mill.test',
  }),
  mailLimits: () => ({
    sentToday: 0,
    limit: 1000,
    limitPerAddress: 5,
    limitWithPaidPlan: null,
    resetsAt: new Date('2026-11-23T00:00:00Z'),
  }),
}
const MAPPING = {
  kind: 'customers',
  key: 'a',
  columns: [{ field: 'name', label: 'Name', heading: 'Betrieb' }],
  updatedAt: new Date(),
} as const
const DUE = aDashboard({ overdue: 1, overdueContracts: [aDueContract()] })
const EMPTY = aDashboard({ totalContracts: 0, totalCustomers: 0 })

interface ReadOnly {
  dashboard?: ReturnType<typeof aDashboard>
  subscription?: Parameters<typeof aSubscription>[0]
}

const PAUSED = { status: 'paused', access: 'read-only', screens: 'app-read-only' } as const

function openReadOnly(address: string, { dashboard = DUE, subscription = PAUSED }: ReadOnly = {}) {
  return openApp(address, {
    subscription,
    answers: {
      contracts: {
        list: () => aPage([aContract()]),
        figures: () => ({ total: 1, active: 1, expiring: 0, revenue: 0 }),
        renewalSettings: () => ({ confirmRenewals: false, endOverdueAfterDays: null, endReasons: ['Price'] }),
      },
      customers: {
        list: () => aPage([aCustomer()]),
        figures: () => ({ total: 1, newThisMonth: 0, withContracts: 1, averageContracts: 1, month: '2026-11' }),
      },
      imports: { list: () => aPage([anImport()]), mappings: () => [{ ...MAPPING, columns: [...MAPPING.columns] }] },
      company: { get: () => aCompany({ logoPath: '/logos/a.png' }) },
      dashboard: { get: () => dashboard },
      notifications: {
        list: () => aPage([NOTIFICATION]),
        unreadCount: () => ({ count: 1 }),
      },
      reminders: REMINDERS,
      identity: {
        config: () => new Promise(() => {}),
        account: () => ({ email: 'owner@mill.test', timeZone: 'UTC' }),
        apiKeys: () => [],
      },
    },
  })
}

test('a suspended account is told so likewise, and not that a card would help', async () => {
  const { user } = openReadOnly('/notifications/texts', { subscription: { isSuspended: true } })
  const suspended = 'We have suspended this account, so TRAXX is read-only. Please contact us'
  const note = within(await screen.findByRole('note'))
  expect(note.getByText(suspended)).toBeVisible()
  expect(control('Subject')).toBeDisabled()
  await user.click(screen.getByRole('link', { name: 'Customers' }))
  await user.click(await screen.findByRole('button', { name: 'Add Customer' }))
  expect(await screen.findByText(suspended, { selector: '[role="alert"] *' })).toBeVisible()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Update Card' })).not.toBeInTheDocument()
})

test.each([
  ['/contracts', 'Add Contract'],
  ['/contracts', /^Edit the contract with/],
  ['/contracts', /^Delete the contract with/],
  ['/contracts', /^Upload PDF for the contract with/],
  ['/customers', 'Add Customer'],
  ['/customers', /^Edit /],
  ['/dashboard', 'Add Contract'],
  ['/dashboard', 'Add Customer'],
])('in a read-only account %s says at %s that nothing can be changed, and opens no form', async (address, name) => {
  const { user } = openReadOnly(address)
  await user.click(await screen.findByRole('button', { name }))
  expect(await toast()).toBeVisible()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test.each([
  ['/company', ['Company name', 'Reply-to address', 'Postal address', 'Replace Logo', 'Remove Logo'], 'Save'],
  ['/notifications/settings', ['Enable notifications', 'In-app notifications', 'Time of day'], 'Save Settings'],
  ['/notifications/texts', ['Subject', 'Message', 'Insert {{customer}}'], 'Save Template'],
])(
  'at %s the fields are disabled, and where one would save stands why not, and the way to the card',
  async (address, names, save) => {
    openReadOnly(address)
    for (const note of (await screen.findAllByRole('note')).map((element) => within(element))) {
      expect(note.getByText(SENTENCE)).toBeVisible()
      expect(note.getByRole('button', { name: 'Update Card' })).toBeEnabled()
    }
    for (const name of names) expect(control(name)).toBeDisabled()
    expect(screen.queryByRole('button', { name: save })).not.toBeInTheDocument()
  },
)

test.each([
  ['/dashboard', 'Load Sample Data', 'imports.loadSample'],
  ['/dashboard', /^Send Reminder/, 'contracts.planReminder'],
  ['/reminders', /^Send Now/, 'reminders.planNow'],
  ['/reminders', /^Snooze/, 'reminders.snooze'],
  ['/reminders', /^Skip/, 'reminders.skip'],
  ['/notifications', 'Mark all as read', 'notifications.markAllRead'],
  ['/notifications', 'Clear all', 'notifications.clear'],
  ['/notifications/texts', 'Send Me a Test', 'reminders.sendTestText'],
])(
  'at %s the button %s looks disabled, says why, and asks the server for nothing',
  async (address, name, procedure) => {
    const { user, callsOf } = openReadOnly(address, { dashboard: name === 'Load Sample Data' ? EMPTY : DUE })
    const [button] = await screen.findAllByRole('button', { name })
    if (!button) throw new Error('There is no button')
    expect(button).toHaveAttribute('aria-disabled', 'true')
    await user.click(button)
    expect(await toast()).toBeVisible()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(callsOf(procedure)).toEqual([])
  },
)

test('the status of a contract stays as it is, and says why', async () => {
  const contracts = openReadOnly('/contracts')
  const status = await screen.findByLabelText(/^Status of the contract/)
  expect(status).toHaveValue('active')
  await contracts.user.selectOptions(status, 'cancelled')
  expect(await toast()).toBeVisible()
  expect(status).toHaveValue('active')
  expect(contracts.callsOf('contracts.update')).toEqual([])
})

test('the notifications of a customer stay as they are, and say why', async () => {
  const { user, callsOf } = openReadOnly('/customers')
  const box = await screen.findByLabelText(/^Notifications for/)
  await user.click(box)
  expect(await toast()).toBeVisible()
  expect(box).toBeChecked()
  expect(callsOf('customers.update')).toEqual([])
})

test('an address that asks for the form says so as well, and forgets it', async () => {
  const { address } = openReadOnly('/contracts?open=new')
  expect(await toast()).toBeVisible()
  await waitFor(() => expect(address()).toBe('/contracts'))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('what cannot be imported is not asked for, and earlier imports can still be read, but neither undone nor forgotten', async () => {
  const { user, callsOf } = openReadOnly('/customers')
  await user.click(await screen.findByRole('button', { name: 'Bulk Upload' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Bulk Upload Customers' }))
  expect(await dialog.findByText(SENTENCE)).toBeVisible()
  expect(dialog.queryByLabelText('File to upload')).not.toBeInTheDocument()
  await user.click(dialog.getByRole('tab', { name: 'Earlier imports' }))
  expect(dialog.queryByText(SENTENCE)).not.toBeInTheDocument()
  await user.click(await dialog.findByRole('button', { name: 'Undo contracts.csv' }))
  expect(await toast()).toBeVisible()
  expect(screen.queryByRole('dialog', { name: 'Undo Import' })).not.toBeInTheDocument()
  await user.click(dialog.getByRole('tab', { name: 'Saved columns' }))
  const forget = await dialog.findByRole('button', { name: 'Forget Betrieb' })
  expect(forget).toHaveAttribute('aria-disabled', 'true')
  await user.click(forget)
  expect(callsOf('imports.removeMapping')).toEqual([])
})
