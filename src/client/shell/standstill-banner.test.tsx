import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { StandstillBanner } from './standstill-banner.tsx'

test('the owner is told when reminders stand still', async () => {
  trpcServer({ reminders: { runs: () => ({ lastRunAt: new Date(), isStill: true }) } })
  renderScreen(<StandstillBanner />)
  expect(await screen.findByRole('alert')).toHaveTextContent('Reminders stand still')
})

test.each([new Date(), null])('while they run nothing is said: %s', async (lastRunAt) => {
  const server = trpcServer({ reminders: { runs: () => ({ lastRunAt, isStill: false }) } })
  renderScreen(<StandstillBanner />)
  await waitFor(() => expect(server.callsOf('reminders.runs')).toHaveLength(1))
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})
