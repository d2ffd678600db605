import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { aContract, aPage } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { CustomerNext } from './customer-next.tsx'

const WEBSITE = aContract({ id: 1, title: 'Website', renewalDate: toDay('2027-01-15'), daysLeft: 55 })
const CLEANING = aContract({ id: 2, title: 'Cleaning', renewalDate: toDay('2027-03-01'), daysLeft: 100 })
const NONE = { history: [], next: [], remindedToday: [], plannedReminders: [] }

function open(rows: ReturnType<typeof aContract>[], answers: FakeAnswers = {}) {
  const server = trpcServer({ ...answers, contracts: { list: () => aPage(rows), ...answers.contracts } })
  return { server, ...renderRouted(<CustomerNext customerId={7} />) }
}

const next = () => screen.findByRole('region', { name: 'What comes next' })

test("the nearest date of a customer's open contracts is shown with the days to it, and leads to the contract", async () => {
  open([WEBSITE, CLEANING, aContract({ id: 3, status: 'cancelled', daysLeft: 10 })])
  expect(await next()).toHaveTextContent('Website renews on Jan 15, 2027, 55 days left')
  expect(await next()).not.toHaveTextContent('Cleaning')
  expect(screen.getByRole('link', { name: 'Website' })).toHaveAttribute('href', '/contracts/1')
})

test('what is overdue does not hide what comes next', async () => {
  const late = aContract({ id: 4, title: 'Hosting', renewalDate: toDay('2026-11-03'), daysLeft: -22 })
  open([late, WEBSITE])
  expect(await next()).toHaveTextContent('Hosting was due to renew on Nov 3, 2026, overdue by 22 days')
  expect(await next()).toHaveTextContent('Website renews on Jan 15, 2027, 55 days left')
})

test('a contract of which it was decided that it ends comes next on the day on which it ends', async () => {
  open([WEBSITE, { ...CLEANING, endsOn: toDay('2026-12-01') }])
  expect(await next()).toHaveTextContent('Cleaning ends on Dec 1, 2026, 10 days left')
})

test('nothing comes next where no contract is open, and nothing can be sent', async () => {
  open([aContract({ status: 'expired' })])
  expect(await next()).toHaveTextContent('No open contract, so nothing comes next')
  expect(screen.queryByRole('button')).toBeNull()
})

test('the dates and days say how they come about, on hover and on focus', async () => {
  const { user } = open([WEBSITE])
  const figures = [
    [
      'renews on Jan 15, 2027',
      "The nearest date of this customer's open contracts. Term 1 began on Jan 15, 2026, yearly.",
    ],
    ['55 days left', 'Calendar days from today to Jan 15, 2027'],
  ] as const
  for (const [figure, how] of figures) {
    const shown = await screen.findByText(figure)
    await user.hover(shown)
    await expect.poll(() => screen.getByRole('tooltip').textContent).toBe(how)
    await user.unhover(shown)
    await expect.poll(() => screen.queryByRole('tooltip')).toBeNull()
    act(() => shown.focus())
    await expect.poll(() => screen.getByRole('tooltip').textContent).toBe(how)
    act(() => shown.blur())
    await expect.poll(() => screen.queryByRole('tooltip')).toBeNull()
  }
})

const PLANNED = { customerName: 'Harbor Bakery', goesOutAt: new Date(Date.now() + 3_600_000) }

test('a reminder about the only open contract is sent at once', async () => {
  const { server, user } = open([WEBSITE], { contracts: { planReminder: () => PLANNED } })
  await user.click(await screen.findByRole('button', { name: 'Send Reminder: Harbor Bakery' }))
  expect(await screen.findByText('Reminder to Harbor Bakery goes out in 10 seconds')).toBeVisible()
  expect(server.callsOf('contracts.planReminder')).toEqual([{ id: 1 }])
})

test('of several open contracts one is chosen, the next to come first, with its email', async () => {
  const previewReminder = ({ id }: { id: number | string }) => {
    const reader = { name: null, email: 'orders@harbor.test', obstacle: null }
    const letter = { subject: `About contract ${id}`, text: 'Dear Harbor', html: '<p>Dear Harbor</p>' }
    return { ...letter, customerName: 'Harbor Bakery', to: reader.email, readers: [reader] }
  }
  const { server, user } = open([WEBSITE, CLEANING], {
    contracts: { planReminder: () => PLANNED, previewReminder },
    reminders: { ofCustomer: () => ({ ...NONE, remindedToday: [1] }) },
  })
  await user.click(await screen.findByRole('button', { name: 'Send Reminder' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Reminder Preview' }))
  expect(await dialog.findByText('About contract 1')).toBeVisible()
  const about = dialog.getByRole('combobox', { name: 'About' })
  expect(about).toHaveDisplayValue('Website, renews on Jan 15, 2027 (reminder sent today)')
  expect(dialog.queryByRole('button', { name: 'Send Reminder' })).toBeNull()
  await user.selectOptions(about, 'Cleaning, renews on Mar 1, 2027')
  expect(await dialog.findByText('About contract 2')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Send Reminder' }))
  await waitFor(() => expect(server.callsOf('contracts.planReminder')).toEqual([{ id: 2 }]))
})
