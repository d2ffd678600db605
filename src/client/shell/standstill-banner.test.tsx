import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { StandstillBanner } from './standstill-banner.tsx'

test('the owner is told when reminders stand still', async () => {
  trpcServer({ reminders: { runs: () => ({ lastRunAt: new Date(), isStill: true, waiting: null, stop: null }) } })
  renderScreen(<StandstillBanner />)
  expect(await screen.findByRole('alert')).toHaveTextContent('Reminders stand still')
})

test.each([
  [1, '1 message is waiting to be sentThe mail server has not taken it since', 'It is tried again by itself.'],
  [1200, '1,200 messages are waiting to be sentThe mail server has not taken them since', 'They are tried again by'],
])('the owner is told of %i that the mail server does not take', async (count, ...texts) => {
  const waiting = { count, since: new Date() }
  trpcServer({ reminders: { runs: () => ({ lastRunAt: new Date(), isStill: false, waiting, stop: null }) } })
  renderScreen(<StandstillBanner />)
  const alert = await screen.findByRole('alert')
  for (const text of texts) expect(alert).toHaveTextContent(text)
})

test.each([new Date(), null])('while they run nothing is said: %s', async (lastRunAt) => {
  const server = trpcServer({ reminders: { runs: () => ({ lastRunAt, isStill: false, waiting: null, stop: null }) } })
  renderScreen(<StandstillBanner />)
  await waitFor(() => expect(server.callsOf('reminders.runs')).toHaveLength(1))
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('the owner is told why messages to customers are paused, and whom to write to', async () => {
  const stop = { since: new Date('2026-03-10T12:00:00Z'), complaints: 3, mails: 40, contact: 'help@traxx.test' }
  trpcServer({ reminders: { runs: () => ({ lastRunAt: new Date(), isStill: false, waiting: null, stop }) } })
  renderScreen(<StandstillBanner />)
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('Messages to your customers are paused')
  expect(alert).toHaveTextContent('3 readers of your 40 latest emails complained')
  expect(screen.getByRole('link', { name: 'help@traxx.test' })).toHaveAttribute('href', 'mailto:help@traxx.test')
})
