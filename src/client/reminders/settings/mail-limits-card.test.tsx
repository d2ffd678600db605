import { screen } from '@testing-library/react'
import { Link } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { browserTimeZone, formatInstant } from '#client/text/format.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { NoAnswer, trpcServer } from '#support/trpc-server.ts'
import { MailLimitsCard } from './mail-limits-card.tsx'

const IN_TRIAL = {
  sentToday: 12,
  limit: 50,
  limitPerAddress: 5,
  limitWithPaidPlan: 1000,
  resetsAt: new Date('2026-11-23T00:00:00Z'),
}

function open(
  mailLimits: () => typeof IN_TRIAL | (Omit<typeof IN_TRIAL, 'limitWithPaidPlan'> & { limitWithPaidPlan: null }),
) {
  trpcServer({ reminders: { mailLimits } })
  return renderRouted(<MailLimitsCard planLink={<Link to="/profile">Your plan</Link>} />)
}

test('an owner in trial reads how many emails went out today, how many may, and what changes that', async () => {
  open(() => IN_TRIAL)
  expect(await screen.findByText('12 of 50 customer emails sent today')).toBeVisible()
  expect(screen.getByText(/With a paid plan you can send 1,000 a day/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Your plan' })).toHaveAttribute('href', '/profile')
  const until = formatInstant(IN_TRIAL.resetsAt, browserTimeZone())
  expect(screen.getByText(new RegExp(`resets on ${until}. Each address gets at most 5 a day`))).toBeVisible()
})

test('who pays reads of no other plan', async () => {
  open(() => ({ ...IN_TRIAL, limit: 1000, limitWithPaidPlan: null }))
  expect(await screen.findByText('12 of 1,000 customer emails sent today')).toBeVisible()
  expect(screen.queryByText(/paid plan/)).toBeNull()
})

test('limits that cannot be loaded leave a text and a Retry', async () => {
  open(() => {
    throw new NoAnswer()
  })
  expect(await screen.findByText('Failed to load the email limits')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible()
})
