import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { ContractReminders } from './contract-reminders.tsx'

type Reminders = Outputs['reminders']['ofContract']

const NONE = { enableNotifications: null, reminderDays: null, followUpDays: null, email: null, inApp: null }
const KEY = {
  contractId: 31,
  customerName: 'Harbor Bakery',
  renewalDate: toDay('2026-12-05'),
  kind: 'reminder',
  recipient: 'customer',
  contactId: 0,
  contactName: null,
  channel: 'email',
} as const

function someReminders(given: Partial<Reminders> = {}): Reminders {
  return {
    account: {
      enableNotifications: true,
      reminderDays: [30, 14, 7, 1],
      followUpDays: [1, 3, 7],
      notificationMethods: { email: true, inApp: true },
      hour: 8,
    },
    isMuted: false,
    isRemindedToday: false,
    goesOutAt: null,
    renewalDate: toDay('2026-12-01'),
    own: NONE,
    next: [{ ...KEY, offset: 7, day: toDay('2026-11-28'), obstacle: null }],
    history: [
      {
        ...KEY,
        id: 5,
        offset: 14,
        day: toDay('2026-11-21'),
        state: 'skipped',
        reason: 'There is no email address',
        address: null,
        subject: null,
        body: null,
        mailNumber: null,
        delivery: null,
        answer: null,
        attempts: 0,
        repeats: 0,
        waitsFor: null,
        waitsUntil: null,
        plannedAt: new Date(),
        sentAt: null,
        endedAt: new Date(),
        deliveredAt: null,
        hasCertificate: false,
        bouncedAt: null,
      },
    ],
    ...given,
  }
}

function open(answers: NonNullable<FakeAnswers['reminders']> = {}) {
  const server = trpcServer({ reminders: { ofContract: () => someReminders(), ...answers } })
  return { server, ...renderScreen(<ContractReminders contractId={31} />) }
}

test("a contract's next messages and its history are listed, with what became of each and why", async () => {
  open()
  const next = within(await screen.findByRole('list', { name: 'Next' }))
  expect(next.getByText(/Nov 28, 2026: 7 days before renewal/)).toBeVisible()
  const history = screen.getByRole('list', { name: 'History' })
  expect(history).toHaveTextContent('Nov 21, 2026: 14 days before renewal (Customer, by email)')
  expect(history).toHaveTextContent('There is no email address')
  expect(history).toHaveTextContent('Skipped')
})

test('a contract without either says so', async () => {
  open({ ofContract: () => someReminders({ next: [], history: [] }) })
  expect(await screen.findByText('Nothing is planned in the next 90 days')).toBeVisible()
  expect(screen.getByText('Nothing yet')).toBeVisible()
})

test('a contract can want other days than its account, and again the same', async () => {
  let own: Reminders['own'] = NONE
  const { user, server } = open({
    ofContract: () => someReminders({ own }),
    saveContractSettings: ({ id: _id, ...given }) => {
      own = { ...NONE, ...given }
      return someReminders({ own })
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Customize for This Contract' }))
  const before = within(screen.getByRole('group', { name: 'Days before renewal' }))
  await user.click(before.getByRole('checkbox', { name: '30 days' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Email to you' }), 'Off')
  await user.click(screen.getByRole('button', { name: 'Save Settings' }))
  await user.click(await screen.findByRole('button', { name: 'Edit Custom Settings' }))
  await user.click(screen.getByRole('button', { name: 'Use Account Settings' }))
  await user.click(screen.getByRole('button', { name: 'Save Settings' }))
  expect(await screen.findByRole('button', { name: 'Customize for This Contract' })).toBeVisible()
  expect(server.callsOf('reminders.saveContractSettings')).toEqual([
    { id: 31, ...NONE, reminderDays: [14, 7, 1], email: false },
    { id: 31, ...NONE },
  ])
})

test('what cannot be saved says why, and stays as it was chosen', async () => {
  const { user } = open({ saveContractSettings: () => Promise.reject(new AppError('FAULT')) })
  await user.click(await screen.findByRole('button', { name: 'Customize for This Contract' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Reminders' }), 'Off')
  await user.click(screen.getByRole('button', { name: 'Save Settings' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to save settings')
  expect(screen.getByRole('combobox', { name: 'Reminders' })).toHaveValue('false')
})

test('the customer can be left out for this renewal date, and written to again', async () => {
  let isMuted = false
  const { user, server } = open({
    ofContract: () => someReminders({ isMuted }),
    muteContract: ({ reminders }) => {
      isMuted = reminders === 'off'
    },
  })
  expect(
    await screen.findByText('Emails to the customer about the renewal on Dec 1, 2026 are turned on.'),
  ).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Turn Emails Off' }))
  expect(
    await screen.findByText('Emails to the customer about the renewal on Dec 1, 2026 are turned off.'),
  ).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Turn Emails On' }))
  expect(
    await screen.findByText('Emails to the customer about the renewal on Dec 1, 2026 are turned on.'),
  ).toBeVisible()
  expect(server.callsOf('reminders.muteContract')).toEqual([
    { id: 31, reminders: 'off' },
    { id: 31, reminders: 'on' },
  ])
})

test('where leaving the customer out fails it says so, and nothing changes', async () => {
  const { user } = open({ muteContract: () => Promise.reject(new AppError('FAULT')) })
  await user.click(await screen.findByRole('button', { name: 'Turn Emails Off' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to save settings')
  expect(screen.getByText('Emails to the customer about the renewal on Dec 1, 2026 are turned on.')).toBeVisible()
})
