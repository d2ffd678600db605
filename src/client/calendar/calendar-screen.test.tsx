import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { toDay, type Day } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { mediaQuery } from '#support/media-query.ts'
import { aContract, someContractReminders } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import type { CalendarSearch } from './calendar-search.ts'
import { CalendarScreen } from './calendar-screen.tsx'

type Contracts = NonNullable<NonNullable<FakeAnswers['contracts']>>

const BAKERY = aContract({ id: 1, renewalDate: toDay('2026-11-27'), amount: 900, version: 3 })
const MOTORS = aContract({
  id: 2,
  customerName: 'Late Motors',
  renewalDate: toDay('2026-12-27'),
  noticeDate: toDay('2026-11-27'),
  noticePeriod: '30 days',
})

const calendar = {
  days: ({ from, through }) => ({
    from: toDay(from ?? ''),
    through: toDay(through ?? ''),
    days: [{ day: toDay('2026-11-27'), renewals: 1, renewalAmount: 900, notices: 1, noticeAmount: 1200.5 }],
  }),
  contracts: ({ from, through }) => ({
    renewalTotal: 1,
    noticeTotal: 1,
    renewals: from && through && from <= '2026-11-27' && through >= '2026-11-27' ? [BAKERY] : [],
    notices: from && through && from <= '2026-11-27' && through >= '2026-11-27' ? [MOTORS] : [],
  }),
} satisfies FakeAnswers['calendar']

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
})

function open(search: CalendarSearch, contracts: Contracts = {}, answers: FakeAnswers = {}) {
  const server = trpcServer({
    calendar,
    contracts,
    identity: { account: () => ({ email: 'ada@example.com', timeZone: 'UTC' }) },
    reminders: { announceMail: () => ({ count: 0, first: null, isAddition: false }) },
    ...answers,
  })
  const onGo = vi.fn()
  function Page() {
    const [shown, setShown] = useState(search)
    return (
      <CalendarScreen
        search={shown}
        onGo={(to) => {
          onGo(to)
          setShown(to)
        }}
      />
    )
  }
  return { onGo, ...server, ...renderRouted(<Page />) }
}

const DAY = 'Friday, November 27, 2026: 1 renewal, $900.00. Notice for 1 contract, $1,200.50'

test('a month has its days with figures and names, and a day leads to its contracts', async () => {
  const { user, onGo } = open({ month: '2026-11' })
  const grid = within(await screen.findByRole('grid', { name: 'November 2026' }))
  expect(grid.getAllByRole('columnheader').map(({ textContent }) => textContent)[0]).toBe('Sun')
  expect(grid.getAllByRole('gridcell')).toHaveLength(35)
  await user.click(await grid.findByRole('button', { name: DAY }))
  expect(onGo.mock.calls).toEqual([[{ month: '2026-11', day: '2026-11-27' }]])
  const day = within(screen.getByRole('region', { name: 'Friday, November 27, 2026' }))
  expect(await day.findByRole('link', { name: 'Harbor Bakery' })).toHaveAttribute('href', '/contracts/1')
  expect(day.getByRole('link', { name: 'Late Motors' })).toHaveAttribute('href', '/contracts/2')
})

test('a contract of which it has been decided that it ends says on which day', async () => {
  const found = calendar.contracts({ from: '2026-11-01', through: '2026-11-30' })
  const contracts = () => ({ ...found, renewals: [{ ...BAKERY, endsOn: toDay('2026-11-23') }] })
  open({ month: '2026-11', day: '2026-11-27' }, {}, { calendar: { ...calendar, contracts } })
  const day = within(await screen.findByRole('region', { name: 'Friday, November 27, 2026' }))
  expect(await day.findByText('Ends on Nov 23, 2026')).toBeVisible()
  expect(day.queryByRole('button', { name: /^Move/ })).toBeNull()
})

test('arrow keys go from day to day and on to the next month, t to today, and the buttons by months', async () => {
  const { user, onGo } = open({ month: '2026-11', day: '2026-11-27' })
  const day = await screen.findByRole('button', { name: DAY })
  day.focus()
  await user.keyboard('{ArrowDown}')
  expect(onGo.mock.lastCall).toEqual([{ month: '2026-12', day: '2026-12-04' }])
  expect(screen.getByRole('button', { name: /^Friday, December 4, 2026/ })).toHaveFocus()
  await user.keyboard('t')
  expect(onGo.mock.lastCall).toEqual([{ month: '2026-11', day: '2026-11-21' }])
  await user.click(screen.getByRole('button', { name: 'Next month' }))
  expect(onGo.mock.lastCall).toEqual([{ month: '2026-12' }])
  await user.click(screen.getByRole('button', { name: 'Year' }))
  expect(onGo.mock.lastCall).toEqual([{ year: '2026' }])
  const december = await screen.findByRole('region', { name: 'December 2026' })
  expect(within(december).getByText('Nothing')).toBeVisible()
  expect(screen.getByRole('link', { name: DAY })).toHaveAttribute('href', '/calendar?month=2026-11&day=2026-11-27')
})

test('a renewal is dragged to another day, shown there at once, and its toast writes the old date back', async () => {
  const told = whenTold<typeof BAKERY>()
  const moved = { ...BAKERY, renewalDate: toDay('2026-11-30'), version: 4 }
  const { user, callsOf } = open({ month: '2026-11', day: '2026-11-27' }, { update: told.answer })
  const entry = (await screen.findByRole('button', { name: 'Move the renewal: Harbor Bakery' })).closest('li')
  const target = (await screen.findByRole('button', { name: /^Monday, November 30, 2026/ })).closest('[role=gridcell]')
  if (!entry || !target) throw new Error('There is nothing to drag')
  const dataTransfer = { setData: vi.fn(), effectAllowed: 'none' }
  fireEvent.dragStart(entry, { dataTransfer })
  fireEvent.drop(target, { dataTransfer })
  expect(await screen.findByRole('button', { name: 'Monday, November 30, 2026: 1 renewal, $900.00' })).toBeVisible()
  await expect.poll(() => callsOf('contracts.update')).toEqual([{ id: 1, version: 3, renewalDate: '2026-11-30' }])
  told.tell(moved)
  const toast = within(await screen.findByRole('status', { name: '' }))
  await user.click(await toast.findByRole('button', { name: 'Undo' }))
  await expect.poll(() => callsOf('contracts.update')[1]).toEqual({ id: 1, version: 4, renewalDate: '2026-11-27' })
})

test('what the server refuses goes back, with its words', async () => {
  open(
    { month: '2026-11', day: '2026-11-27' },
    { update: () => Promise.reject(new AppError('TERM_TOO_SHORT', { values: { date: '2026-11-15' } })) },
  )
  const entry = (await screen.findByRole('button', { name: 'Move the renewal: Harbor Bakery' })).closest('li')
  const target = (await screen.findByRole('button', { name: /^Monday, November 2, 2026/ })).closest('[role=gridcell]')
  if (!entry || !target) throw new Error('There is nothing to drag')
  const dataTransfer = { setData: vi.fn(), effectAllowed: 'none' }
  fireEvent.dragStart(entry, { dataTransfer })
  fireEvent.drop(target, { dataTransfer })
  expect(await screen.findByRole('alert')).toHaveTextContent('Renewal date must be after the first day of the term')
  expect(await screen.findByRole('button', { name: DAY })).toBeVisible()
})

test.each([
  [false, { reminders: 'on' }],
  [true, { reminders: 'off' }],
])(
  'if an email would go out today, it asks first, and the emails can be left out; Undo turns those of the old date off again, or those of the new one on: off before %s',
  async (isMuted, restored) => {
    const today = toDay('2026-11-21')
    const { user, callsOf } = open(
      { month: '2026-11', day: '2026-11-27' },
      { update: () => ({ ...BAKERY, version: 4 }) },
      {
        reminders: {
          announceMail: () => ({ count: 2, first: today, isAddition: false }),
          ofContract: () => someContractReminders({ isMuted }),
        },
      },
    )
    await user.click(await screen.findByRole('button', { name: 'Move the renewal: Harbor Bakery' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Move Renewal' }))
    const field = dialog.getByLabelText(/^Move to/)
    expect(field).toHaveValue('2026-11-27')
    fireEvent.change(field, { target: { value: '2026-11-23' } })
    expect(await dialog.findByText(/^2 emails to Harbor Bakery will go out/)).toBeVisible()
    await user.keyboard('{Escape}')
    const question = within(await screen.findByRole('dialog', { name: 'Discard changes?' }))
    await user.click(question.getByRole('button', { name: 'Keep Editing' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Do not send these emails' }))
    await user.click(dialog.getByRole('button', { name: 'Move' }))
    await expect
      .poll(() => callsOf('contracts.update'))
      .toEqual([{ id: 1, version: 3, renewalDate: '2026-11-23', reminders: 'off' }])
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await expect
      .poll(() => callsOf('contracts.update')[1])
      .toEqual({ id: 1, version: 4, renewalDate: '2026-11-27', ...restored })
  },
)

test('emails about a date that has none yet stay on, also if those about another date were turned off before', async () => {
  const today = toDay('2026-11-21')
  const nearOnly = ({ renewalDate }: { renewalDate: string }) =>
    renewalDate < '2027' ? { count: 2, first: today, isAddition: false } : { count: 0, first: null, isAddition: false }
  const { user, callsOf } = open(
    { month: '2026-11', day: '2026-11-27' },
    { update: () => ({ ...BAKERY, version: 4 }) },
    { reminders: { announceMail: nearOnly } },
  )
  await user.click(await screen.findByRole('button', { name: 'Move the renewal: Harbor Bakery' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Move Renewal' }))
  fireEvent.change(dialog.getByLabelText(/^Move to/), { target: { value: '2026-11-23' } })
  await user.click(await dialog.findByRole('checkbox', { name: 'Do not send these emails' }))
  fireEvent.change(dialog.getByLabelText(/^Move to/), { target: { value: '2027-11-27' } })
  expect(await dialog.findByText('No emails will go to Harbor Bakery in the next 90 days.')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Move' }))
  await expect.poll(() => callsOf('contracts.update')).toEqual([{ id: 1, version: 3, renewalDate: '2027-11-27' }])
})

test('a date entered while the emails of another one are counted stays, and neither is saved', async () => {
  const slow = whenTold<{ count: number; first: Day | null; isAddition: boolean }>()
  const none = { count: 0, first: null, isAddition: false }
  const { user, callsOf } = open(
    { month: '2026-11', day: '2026-11-27' },
    { update: () => ({ ...BAKERY, version: 4 }) },
    { reminders: { announceMail: ({ renewalDate }) => (renewalDate === '2026-11-23' ? slow.answer() : none) } },
  )
  await user.click(await screen.findByRole('button', { name: 'Move the renewal: Harbor Bakery' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Move Renewal' }))
  const field = dialog.getByLabelText(/^Move to/)
  fireEvent.change(field, { target: { value: '2026-11-23' } })
  await user.click(dialog.getByRole('button', { name: 'Move' }))
  expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  fireEvent.change(field, { target: { value: '2027-11-27' } })
  expect(await dialog.findByText('No emails will go to Harbor Bakery in the next 90 days.')).toBeVisible()
  slow.tell({ count: 2, first: toDay('2026-11-21'), isAddition: false })
  expect(await dialog.findByRole('alert')).toHaveTextContent('Not moved yet.')
  expect(field).toHaveValue('2027-11-27')
  expect(callsOf('contracts.update')).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Move' }))
  await expect.poll(() => callsOf('contracts.update')).toEqual([{ id: 1, version: 3, renewalDate: '2027-11-27' }])
})

test('an account with more contracts than can be named shows how many a day has', async () => {
  open(
    { month: '2026-11' },
    {},
    { calendar: { ...calendar, contracts: () => ({ renewalTotal: 5000, noticeTotal: 1, renewals: [], notices: [] }) } },
  )
  const grid = within(await screen.findByRole('grid'))
  expect(await grid.findByText('1 renewal')).toBeVisible()
  expect(screen.queryByText('Harbor Bakery')).not.toBeInTheDocument()
})

test('on a phone the days appear once their contracts are known, so that none of them moves', async () => {
  const media = vi
    .spyOn(window, 'matchMedia')
    .mockImplementation((media) => mediaQuery(media, media.includes('max-width')))
  onTestFinished(() => media.mockRestore())
  const { answer, tell } = whenTold<ReturnType<typeof calendar.contracts>>()
  const { callsOf } = open({ month: '2026-11' }, {}, { calendar: { ...calendar, contracts: answer } })
  await waitFor(() => expect(callsOf('calendar.contracts')).toHaveLength(1))
  expect(screen.getByText('Loading...')).toBeInTheDocument()
  expect(screen.queryByText('Friday, November 27, 2026')).not.toBeInTheDocument()
  tell({ renewalTotal: 1, noticeTotal: 1, renewals: [BAKERY], notices: [MOTORS] })
  const day = within(await screen.findByRole('region', { name: 'Friday, November 27, 2026' }))
  expect(day.getByText('Harbor Bakery')).toBeVisible()
  expect(screen.queryByText('Loading...')).not.toBeInTheDocument()
})

test('a calendar that cannot be fetched says so', async () => {
  open({ month: '2026-11' }, {}, { calendar: { ...calendar, days: () => Promise.reject(new AppError('FAULT')) } })
  expect(await screen.findByText('Failed to fetch the calendar')).toBeVisible()
})
