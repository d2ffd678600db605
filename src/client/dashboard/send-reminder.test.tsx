import { Button } from '@mantine/core'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { trpc } from '#client/api/trpc.ts'
import { AppError } from '#shared/errors.ts'
import { aDashboard, aDueContract } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { NoAnswer, trpcServer, whenTold } from '#support/trpc-server.ts'
import { AttentionCard } from './attention-card.tsx'

const GOES_OUT_AT = new Date('2026-11-22T10:00:10Z')
const PLANNED = { customerName: 'Late Ltd', goesOutAt: GOES_OUT_AT }
const DASHBOARD = aDashboard({
  overdue: 1,
  expiringSoon: 1,
  overdueContracts: [aDueContract({ id: 1, customerName: 'Late Ltd', daysLeft: -3 })],
  expiringContracts: [aDueContract({ id: 2, customerName: 'Soon Ltd', daysLeft: 3 })],
})
const button = (name: string) => screen.findByRole('button', { name })

/** The list as the dashboard shows it, with a way to fetch it anew. */
function Card() {
  const { data, refetch } = trpc.dashboard.get.useQuery()
  return (
    <>
      <Button onClick={() => void refetch()}>Refresh</Button>
      <AttentionCard dashboard={data} />
    </>
  )
}

test('a reminder is planned once, and a toast says that it goes out in 10 seconds', async () => {
  const answer = whenTold<typeof PLANNED>()
  const { callsOf } = trpcServer({ contracts: { planReminder: answer.answer } })
  const { user } = renderRouted(<AttentionCard dashboard={DASHBOARD} />)
  await user.click(await button('Send Reminder: Late Ltd'))
  const busy = await button('Send Reminder: Late Ltd')
  expect(busy).toHaveAttribute('aria-busy', 'true')
  await user.click(busy)
  expect(await button('Send Reminder: Soon Ltd')).toHaveAttribute('aria-disabled', 'false')
  answer.tell(PLANNED)
  expect(await screen.findByRole('status')).toHaveTextContent('Reminder to Late Ltd goes out in 10 seconds')
  expect(callsOf('contracts.planReminder')).toEqual([{ id: 1 }])
})

test('a second click on one that is on its way keeps the focus, says so, and plans no second one', async () => {
  let dashboard = DASHBOARD
  const planReminder = () => {
    dashboard = { ...DASHBOARD, plannedReminders: [{ contractId: 1, goesOutAt: GOES_OUT_AT }] }
    return PLANNED
  }
  const { callsOf } = trpcServer({ contracts: { planReminder }, dashboard: { get: () => dashboard } })
  const { user } = renderRouted(<Card />)
  await user.click(await button('Send Reminder: Late Ltd'))
  const planned = await button('On Its Way: Late Ltd')
  expect(planned).toHaveFocus()
  await user.click(planned)
  expect(await screen.findByText('The reminder to Late Ltd is already on its way')).toBeVisible()
  expect(callsOf('contracts.planReminder')).toHaveLength(1)
})

test('what was just planned is shown so until the next fetch, whichever of two was planned first', async () => {
  const [late, soon] = [whenTold<typeof PLANNED>(), whenTold<typeof PLANNED>()]
  let get = (): typeof DASHBOARD | Promise<typeof DASHBOARD> => DASHBOARD
  trpcServer({
    contracts: { planReminder: ({ id }) => (Number(id) === 1 ? late : soon).answer() },
    dashboard: { get: () => get() },
  })
  const { user } = renderRouted(<Card />)
  await user.click(await button('Send Reminder: Late Ltd'))
  await user.click(await button('Send Reminder: Soon Ltd'))
  get = () => ({ ...DASHBOARD, overdue: 7, requiringAttention: 8 })
  await user.click(await button('Refresh'))
  await screen.findByText('Overdue (7)')
  get = whenTold<typeof DASHBOARD>().answer
  soon.tell({ ...PLANNED, customerName: 'Soon Ltd' })
  expect(await button('On Its Way: Soon Ltd')).toBeVisible()
  late.tell(PLANNED)
  expect(await button('On Its Way: Late Ltd')).toBeVisible()
  expect(screen.getByRole('button', { name: 'On Its Way: Soon Ltd' })).toBeVisible()
})

test('Undo keeps it from being sent', async () => {
  const { callsOf } = trpcServer({ contracts: { planReminder: () => PLANNED, undoReminder: () => undefined } })
  const { user } = renderRouted(<AttentionCard dashboard={DASHBOARD} />)
  await user.click(await button('Send Reminder: Late Ltd'))
  await user.click(await button('Undo'))
  expect(await screen.findByText('The reminder will not be sent')).toBeVisible()
  expect(callsOf('contracts.undoReminder')).toEqual([{ id: 1 }])
})

test('an Undo that comes too late says so', async () => {
  const tooLate = () => Promise.reject(new AppError('REMINDER_DECIDED'))
  trpcServer({ contracts: { planReminder: () => PLANNED, undoReminder: tooLate } })
  const { user } = renderRouted(<AttentionCard dashboard={DASHBOARD} />)
  await user.click(await button('Send Reminder: Late Ltd'))
  await user.click(await button('Undo'))
  expect(await screen.findByRole('alert')).toHaveTextContent('This message was already sent or skipped')
})

test('the exact email is shown on request, with all who get it, and can be sent from there', async () => {
  const letter = { subject: 'Your contract renews', text: 'Dear Late Ltd', html: '<p>Dear Late Ltd</p>' }
  const readers = [
    { name: null, email: 'orders@late.test', obstacle: null },
    { name: 'Ada', email: 'ada@late.test', obstacle: null },
    { name: 'Bob', email: 'bob@late.test', obstacle: 'Email to this address bounced' },
  ]
  const { callsOf } = trpcServer({
    contracts: {
      planReminder: () => PLANNED,
      previewReminder: () => ({ ...letter, customerName: 'Late Ltd', to: 'orders@late.test', readers }),
    },
  })
  const { user } = renderRouted(<AttentionCard dashboard={DASHBOARD} />)
  await user.click(await button('Preview the reminder: Late Ltd'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Reminder Preview' }))
  expect(await dialog.findByText('To Late Ltd: orders@late.test, ada@late.test (Ada)')).toBeVisible()
  expect(dialog.getByText('Not to bob@late.test (Bob): Email to this address bounced')).toBeVisible()
  expect(dialog.getByText('Your contract renews')).toBeVisible()
  expect(callsOf('contracts.planReminder')).toHaveLength(0)
  await user.click(dialog.getByRole('button', { name: 'Send Reminder' }))
  expect(await screen.findByText('Reminder to Late Ltd goes out in 10 seconds')).toBeVisible()
  expect(callsOf('contracts.planReminder')).toEqual([{ id: 1 }])
})

test('what the server knows to be on its way is shown so after a reload', async () => {
  trpcServer({})
  const plannedReminders = [{ contractId: 1, goesOutAt: GOES_OUT_AT }]
  renderRouted(<AttentionCard dashboard={{ ...DASHBOARD, plannedReminders }} />)
  expect(await button('On Its Way: Late Ltd')).toHaveAttribute('aria-disabled', 'true')
})

test('what was sent before the screen was opened is known as well', async () => {
  trpcServer({})
  renderRouted(<AttentionCard dashboard={{ ...DASHBOARD, remindedToday: [1] }} />)
  expect(await button('Reminder Sent Today: Late Ltd')).toHaveAttribute('aria-disabled', 'true')
  expect(await button('Send Reminder: Soon Ltd')).toHaveAttribute('aria-disabled', 'false')
})

test.each([
  [new AppError('REMINDER_NO_ADDRESS'), 'This customer has no email address'],
  [new AppError('REMINDER_FAILED'), 'Failed to send reminder'],
  [new AppError('FAULT'), 'Failed to send reminder'],
  [new NoAnswer(), 'Network error'],
])('a reminder that was not sent says why, and can be tried again: %s', async (failure, text) => {
  trpcServer({ contracts: { planReminder: () => Promise.reject(failure) } })
  const { user } = renderRouted(<AttentionCard dashboard={DASHBOARD} />)
  await user.click(await button('Send Reminder: Late Ltd'))
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  expect(await button('Send Reminder: Late Ltd')).toHaveAttribute('aria-disabled', 'false')
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})
