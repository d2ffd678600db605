import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { addDays, dayIn } from '#shared/domain/day.ts'
import { openApp } from '#support/open-app.tsx'

const TODAY = dayIn(new Date(), 'UTC')
const NOTICE = {
  contractId: 7,
  customerName: 'Harbor Bakery',
  renewalDate: addDays(TODAY, 30),
  amount: 1200,
  from: addDays(TODAY, -5),
  through: addDays(TODAY, 10),
  derivation: '35 to 20 days before the renewal date',
  means: ['letter' as const],
  ruleName: 'Ours',
  consequence: 'The contract does not renew by itself',
  postedOn: null,
  mailNumber: null,
  email: null,
  emailReminderId: null,
  letterReminderId: null,
  warning: null,
}
const page = (notice: typeof NOTICE | (Omit<typeof NOTICE, 'means'> & { means: ['email'] })) => ({
  rows: [notice],
  total: 1,
  amount: 1200,
  first: null,
  last: null,
  more: false,
})
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
        list: () => page(NOTICE),
        post: () => ({ ...NOTICE, postedOn: TODAY }),
      },
      identity: { config: () => new Promise(() => {}), account: () => ({ email: 'owner@mill.test', timeZone: 'UTC' }) },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Mark as Mailed: Harbor Bakery' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Mark as Mailed' }))
  await user.click(dialog.getByRole('button', { name: 'Mark as Mailed' }))
  expect(await screen.findByText('The letter to Harbor Bakery is marked as mailed')).toBeVisible()
  expect(callsOf('notices.post')).toEqual([{ id: 7, on: TODAY, mailNumber: '' }])
  expect(screen.getByRole('button', { name: 'Letter: Harbor Bakery' })).toBeEnabled()
})

const identity = {
  config: () => new Promise<never>(() => {}),
  account: () => ({ email: 'owner@mill.test', timeZone: 'UTC' }),
}

test('where email alone counts, the page of what is left has the notice and no letter', async () => {
  const notices = { list: () => page({ ...NOTICE, means: ['email'] }) }
  openApp('/your-data', { subscription: ENDED, answers: { notices, identity } })
  expect(await screen.findByText(/, by email$/)).toBeVisible()
  expect(screen.queryByRole('button', { name: /Letter|Mailed/ })).toBeNull()
})

test('where nothing is due, the page of what is left says nothing of notices', async () => {
  const notices = { list: () => ({ ...page(NOTICE), rows: [], total: 0 }) }
  const app = openApp('/your-data', { subscription: ENDED, answers: { notices, identity } })
  expect(await screen.findByRole('button', { name: 'Export Everything' })).toBeVisible()
  expect(app.callsOf('notices.list')).toEqual([{ show: 'due', skip: 0 }])
  expect(screen.queryByText('Notices that are due')).toBeNull()
})
