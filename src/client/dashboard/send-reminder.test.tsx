import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { aDashboard, aDueContract } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { NoAnswer, trpcServer, whenTold } from '#support/trpc-server.ts'
import { AttentionCard } from './attention-card.tsx'

const SENT = { success: true, message: 'Reminder sent to orders@harbor.test' } as const
const DASHBOARD = aDashboard({
  overdue: 1,
  expiringSoon: 1,
  overdueContracts: [aDueContract({ id: 1, customerName: 'Late Ltd', daysLeft: -3 })],
  expiringContracts: [aDueContract({ id: 2, customerName: 'Soon Ltd', daysLeft: 3 })],
})
const DAYS = [[], [2], []].map((remindedToday) => ({ ...DASHBOARD, remindedToday }))

/** The dashboard as it is fetched one time after the other: before a message, after it, and on the next day. */
function Days() {
  const [fetched, setFetched] = useState(0)
  return (
    <>
      <button type="button" onClick={() => setFetched(fetched + 1)}>
        Fetch anew
      </button>
      <AttentionCard dashboard={DAYS[fetched]} />
    </>
  )
}

const button = (name: string) => screen.findByRole('button', { name })

test('each contract has a button that sends its customer a reminder, and the server says how it went', async () => {
  const answer = whenTold<typeof SENT>()
  const { callsOf } = trpcServer({ contracts: { sendReminder: answer.answer } })
  const { user } = renderScreen(<AttentionCard dashboard={DASHBOARD} />)
  await user.click(await button('Send Reminder: Late Ltd'))
  const busy = await button('Send Reminder: Late Ltd')
  expect(busy).toHaveAttribute('aria-busy', 'true')
  await user.click(busy)
  expect(await button('Send Reminder: Soon Ltd')).toHaveAttribute('aria-disabled', 'false')
  answer.tell(SENT)
  expect(await screen.findByRole('status')).toHaveTextContent('Reminder sent to orders@harbor.test')
  expect(callsOf('contracts.sendReminder')).toEqual([{ id: 1 }])
})

test('a contract whose customer was written to today says so, keeps the focus, and sends no second one', async () => {
  const { callsOf } = trpcServer({ contracts: { sendReminder: () => SENT } })
  const { user } = renderScreen(<AttentionCard dashboard={DASHBOARD} />)
  await user.click(await button('Send Reminder: Soon Ltd'))
  const sent = await button('Reminder sent today: Soon Ltd')
  expect(sent).toHaveTextContent('Reminder sent today')
  expect(sent).toHaveFocus()
  await user.click(sent)
  expect(callsOf('contracts.sendReminder')).toHaveLength(1)
})

test('what was sent yesterday can be sent again without opening the screen anew', async () => {
  trpcServer({ contracts: { sendReminder: () => SENT } })
  const { user } = renderScreen(<Days />)
  await user.click(await button('Send Reminder: Soon Ltd'))
  await button('Reminder sent today: Soon Ltd')
  await user.click(await button('Fetch anew'))
  expect(await button('Reminder sent today: Soon Ltd')).toBeVisible()
  await user.click(await button('Fetch anew'))
  expect(await button('Send Reminder: Soon Ltd')).toHaveAttribute('aria-disabled', 'false')
})

test('what was sent before the screen was opened is known as well', async () => {
  trpcServer({})
  renderScreen(<AttentionCard dashboard={{ ...DASHBOARD, remindedToday: [1] }} />)
  expect(await button('Reminder sent today: Late Ltd')).toHaveAttribute('aria-disabled', 'true')
  expect(await button('Send Reminder: Soon Ltd')).toHaveAttribute('aria-disabled', 'false')
})

test.each([
  [new AppError('REMINDER_NO_ADDRESS'), 'This customer has no email address'],
  [new AppError('REMINDER_FAILED'), 'Failed to send reminder'],
  [new AppError('FAULT'), 'Failed to send reminder'],
  [new NoAnswer(), 'Network error'],
])('a reminder that was not sent says why, and can be tried again: %s', async (failure, text) => {
  trpcServer({ contracts: { sendReminder: () => Promise.reject(failure) } })
  const { user } = renderScreen(<AttentionCard dashboard={DASHBOARD} />)
  await user.click(await button('Send Reminder: Late Ltd'))
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  expect(await button('Send Reminder: Late Ltd')).toHaveAttribute('aria-disabled', 'false')
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})
