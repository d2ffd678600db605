import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dayIn } from '#shared/domain/day.ts'
import { formatDay } from '#client/text/format.ts'
import { openApp } from '#support/open-app.tsx'
import { aNotice, aNoticePage } from '#support/records.ts'

const TODAY = dayIn(new Date(), 'UTC')
const NOTICE = aNotice({ means: ['letter'] })
const incomplete = () => ({ rows: [], total: 0, amount: 0, first: null, last: null, more: false })
const identity = {
  config: () => new Promise<never>(() => {}),
  account: () => ({ email: 'owner@mill.test', timeZone: 'UTC' }),
}

const PAUSED = { status: 'paused', access: 'read-only', screens: 'app-read-only' } as const
const ENDED = { status: 'canceled', access: 'checkout', screens: 'checkout', canExport: true } as const

test.each([
  ['/notices', PAUSED],
  ['/your-data', ENDED],
])('at %s a letter is marked as mailed also where nothing else can be changed', async (address, subscription) => {
  const { user, callsOf } = openApp(address, {
    subscription,
    answers: {
      notices: {
        incomplete,
        list: ({ show }) => (show === 'given' ? aNoticePage() : aNoticePage(NOTICE)),
        post: () => ({ ...NOTICE, postedOn: TODAY }),
      },
      identity: { config: () => new Promise(() => {}), account: () => ({ email: 'owner@mill.test', timeZone: 'UTC' }) },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Mark as Mailed: Harbor Bakery' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Mark as Mailed' }))
  await user.click(dialog.getByRole('button', { name: 'Mark as Mailed' }))
  expect(await screen.findByText('The letter to Harbor Bakery is marked as mailed')).toBeVisible()
  expect(callsOf('notices.post')).toEqual([{ id: 7, on: TODAY, mailNumber: '', delivery: null }])
  expect(screen.getByRole('button', { name: 'Letter: Harbor Bakery' })).toBeEnabled()
})

const ASKED = [
  { show: 'due', letters: true, skip: 0 },
  { show: 'given', letters: true, skip: 0 },
]
const SUSPENDED = { access: 'read-only', screens: 'app-read-only', isSuspended: true } as const

test.each([
  ['/notices', 'Mark as Mailed', { ...NOTICE }],
  ['/notices?show=given', 'Mark as Not Mailed', { ...NOTICE, postedOn: TODAY }],
  ['/your-data', 'Mark as Mailed', { ...NOTICE }],
])('at %s a suspended account is told so before anything is entered: %s', async (address, action, notice) => {
  const notices = {
    incomplete,
    list: ({ show }: { show?: string | undefined }) =>
      show === 'given' && !notice.postedOn ? aNoticePage() : aNoticePage(notice),
  }
  const subscription = address === '/your-data' ? { ...ENDED, isSuspended: true } : SUSPENDED
  const { user, callsOf } = openApp(address, { subscription, answers: { notices, identity } })
  const button = await screen.findByRole('button', { name: `${action}: Harbor Bakery` })
  expect(button).toHaveAttribute('aria-disabled', 'true')
  const told = () => screen.queryAllByText(/We have suspended this account, so TRAXX is read-only/).length
  const inBanner = told()
  await user.click(button)
  await waitFor(() => expect(told()).toBeGreaterThan(inBanner))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect([...callsOf('notices.post'), ...callsOf('notices.unpost')]).toEqual([])
})

test('the page of what is left asks for letters alone, and takes back that one was mailed', async () => {
  const mailed: ReturnType<typeof aNotice> = {
    ...NOTICE,
    contractId: 8,
    customerName: 'Mill',
    postedOn: TODAY,
    mailNumber: '7020',
    letterReminderId: 12,
  }
  const list = ({ show }: { show?: string | undefined }) => aNoticePage(show === 'given' ? mailed : NOTICE)
  const { user, callsOf } = openApp('/your-data', {
    subscription: ENDED,
    answers: { notices: { list, unpost: () => undefined }, identity },
  })
  const due = within(await screen.findByRole('list', { name: 'Notices that are due' }))
  expect(due.getByText('Harbor Bakery')).toBeVisible()
  const marked = within(await screen.findByRole('list', { name: 'Letters marked as mailed' }))
  expect(marked.getByText(`Letter mailed on ${formatDay(TODAY)}, certified mail 7020`)).toBeVisible()
  expect(marked.queryByRole('button', { name: /^Letter|^Mark as Mailed/ })).toBeNull()
  expect(marked.getByRole('button', { name: 'Certificate: letter to Mill' })).toBeVisible()
  await user.click(marked.getByRole('button', { name: 'Mark as Not Mailed: Mill' }))
  expect(await screen.findByText('The letter is no longer marked as mailed')).toBeVisible()
  expect(callsOf('notices.unpost')).toEqual([{ id: 8 }])
  expect(callsOf('notices.list').slice(0, 2)).toEqual(ASKED)
})

test('where nothing is due, the page of what is left says nothing of notices', async () => {
  const notices = { list: () => aNoticePage() }
  const app = openApp('/your-data', { subscription: ENDED, answers: { notices, identity } })
  expect(await screen.findByRole('button', { name: 'Export Everything' })).toBeVisible()
  expect(app.callsOf('notices.list')).toEqual(ASKED)
  expect(screen.queryByText(/Notices that are due|Letters marked as mailed/)).toBeNull()
})
