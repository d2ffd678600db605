import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { CustomerMessages } from './customer-messages.tsx'

type Messages = Outputs['reminders']['ofCustomer']

const KEY = {
  customerName: 'Harbor Bakery',
  renewalDate: toDay('2026-12-05'),
  kind: 'reminder',
  recipient: 'customer',
  contactId: 0,
  contactName: null,
  channel: 'email',
} as const

const SENT: Messages['history'][number] = {
  ...KEY,
  id: 5,
  contractId: 31,
  offset: 14,
  day: toDay('2026-11-21'),
  state: 'sent',
  reason: null,
  address: 'orders@harbor.test',
  subject: 'Your contract renews',
  body: 'Dear Harbor',
  mailNumber: null,
  delivery: null,
  answer: null,
  attempts: 1,
  repeats: 0,
  waitsFor: null,
  waitsUntil: null,
  plannedAt: new Date(),
  sentAt: new Date(),
  endedAt: null,
  deliveredAt: null,
  hasCertificate: false,
  bouncedAt: null,
}

function open(given: Partial<Messages> = {}) {
  const messages: Messages = { history: [], next: [], remindedToday: [], plannedReminders: [], ...given }
  const server = trpcServer({ reminders: { ofCustomer: () => messages } })
  return { server, ...renderRouted(<CustomerMessages customerId={7} />) }
}

test('what a customer was sent and will be is listed, with the contract that each message is about', async () => {
  const coming = { ...KEY, renewalDate: toDay('2027-01-15'), contractId: 32, offset: 30, day: toDay('2026-12-16') }
  const { server } = open({ history: [SENT], next: [{ ...coming, obstacle: null }] })
  const next = within(await screen.findByRole('list', { name: 'Next' }))
  expect(next.getByText(/^Dec 16, 2026: 30 days before renewal/)).toBeVisible()
  expect(next.getByRole('link', { name: 'Renewal on Jan 15, 2027' })).toHaveAttribute('href', '/contracts/32')
  const history = within(screen.getByRole('list', { name: 'History' }))
  expect(history.getByText(/^Nov 21, 2026: 14 days before renewal/)).toBeVisible()
  expect(history.getByText('Sent')).toBeVisible()
  expect(history.getByRole('link', { name: 'Renewal on Dec 5, 2026' })).toHaveAttribute('href', '/contracts/31')
  expect(server.callsOf('reminders.ofCustomer')[0]).toEqual({ id: 7 })
})

test('messages about a deleted contract lead nowhere, and no messages say so', async () => {
  open({ history: [{ ...SENT, contractId: null }] })
  expect(await screen.findByText('Renewal on Dec 5, 2026, of a contract that was deleted')).toBeVisible()
  expect(screen.getByText('Nothing is planned in the next 90 days')).toBeVisible()
})

test('messages that cannot be fetched say so, with a way to try again', async () => {
  trpcServer({ reminders: { ofCustomer: () => Promise.reject(new AppError('FAULT')) } })
  renderRouted(<CustomerMessages customerId={7} />)
  expect(await screen.findByText('Failed to fetch messages')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible()
})
