import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { addDays, dayIn } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { aNotice, aNoticePage } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { START } from '#client/list/list-position.ts'
import { formatDay } from '#client/text/format.ts'
import { NoticesScreen } from './notices-screen.tsx'
import type { Notice } from './notice-words.ts'
import { NoticesSearch } from './notices-search.ts'

const TODAY = dayIn(new Date(), 'UTC')
const OPEN = aNotice()
const NONE = { rows: [], total: 0, amount: 0, first: null, last: null, more: false }
/** No contract lacks data. */
const COMPLETE = { incomplete: () => NONE }
const openNotices = (show: NoticesSearch['show'], onSearch = vi.fn()) =>
  renderRouted(<NoticesScreen search={NoticesSearch.parse({ show })} onSearch={onSearch} />)

test('what is due is listed with its days, and a letter is marked as mailed', async () => {
  const posted = { ...OPEN, postedOn: TODAY, mailNumber: '7020' }
  const coming = { ...OPEN, contractId: 8, customerName: 'Mill', from: addDays(TODAY, 3) }
  const { callsOf } = trpcServer({
    notices: { ...COMPLETE, list: () => aNoticePage(OPEN, coming), post: () => posted },
  })
  const { user } = openNotices('due')
  expect(await screen.findByText('$2,400.00 in 2 contracts depends on these notices')).toBeVisible()
  const [first, second] = within(screen.getByRole('list', { name: 'Next 90 days' })).getAllByRole('listitem')
  if (!first || !second) throw new Error('There are two notices')
  expect(within(first).getByText('Due now')).toBeVisible()
  expect(within(first).getByText(`${formatDay(OPEN.from)} to ${formatDay(OPEN.through)}`)).toBeVisible()
  expect(within(second).getByText('Later')).toBeVisible()
  expect(within(second).queryByRole('button', { name: /Mailed/ })).toBeNull()
  await user.click(within(first).getByRole('button', { name: 'Mark as Mailed: Harbor Bakery' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Mark as Mailed' }))
  await user.type(dialog.getByLabelText('Certified mail number'), '7020')
  await user.click(dialog.getByRole('button', { name: 'Mark as Mailed' }))
  expect(await screen.findByText('The letter to Harbor Bakery is marked as mailed')).toBeVisible()
  expect(callsOf('notices.post')).toEqual([{ id: 7, on: TODAY, mailNumber: '7020', delivery: null }])
})

test('a window that closes without notice says when, why, and what can be done', async () => {
  const warning = { daysLeft: 0, reason: 'letter_only', why: 'Email does not count', remedy: 'Mail a letter.' } as const
  trpcServer({ notices: { ...COMPLETE, list: () => aNoticePage({ ...OPEN, warning }) } })
  openNotices('due')
  expect(await screen.findByText('Closes today. Email does not count. Mail a letter.')).toBeVisible()
})

test('a letter can be downloaded from before its window opens', async () => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const coming = { ...OPEN, from: addDays(TODAY, 3) }
  trpcServer({
    notices: { ...COMPLETE, list: () => aNoticePage(coming, { ...OPEN, customerName: 'Mill', means: ['email'] }) },
  })
  const { user } = openNotices('due')
  const letter = await screen.findByRole('button', { name: 'Letter: Harbor Bakery' })
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return new Response('%PDF', { headers: { 'content-disposition': 'attachment; filename="traxx-notice-7.pdf"' } })
  })
  await user.click(letter)
  expect(await screen.findByText('Downloaded traxx-notice-7.pdf')).toBeVisible()
  expect(asked).toEqual(['/contracts/7/notice-letter'])
  expect(screen.queryByRole('button', { name: 'Letter: Mill' })).toBeNull()
})

test('which letters of a name cannot be printed is said before the letter is downloaded', async () => {
  const other = { ...OPEN, contractId: 8, customerName: 'Łódź', means: ['letter' as const] }
  const unread: Notice = { ...OPEN, contractId: 9, customerName: 'Café 東京', means: ['letter'] }
  trpcServer({ notices: { ...COMPLETE, list: () => aNoticePage(OPEN, other, unread) } })
  openNotices('due')
  const said = await screen.findAllByText(/cannot print them/)
  expect(said.map(({ textContent }) => textContent)).toEqual([
    "The letter shows these characters of the customer's name as codes, as it cannot print them: 東 京",
  ])
})

test('what was given is listed with its proof, which can be withdrawn', async () => {
  const given = { ...OPEN, postedOn: TODAY, mailNumber: '7020' }
  const { callsOf } = trpcServer({ notices: { ...COMPLETE, list: () => aNoticePage(given), unpost: () => undefined } })
  const { user } = openNotices('given')
  expect(await screen.findByText(`Letter mailed on ${formatDay(TODAY)}, certified mail 7020`)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Mark as Not Mailed: Harbor Bakery' }))
  expect(await screen.findByText('The letter is no longer marked as mailed')).toBeVisible()
  expect(callsOf('notices.unpost')).toEqual([{ id: 7 }])
})

test('what was given has the certificates of its email and its letter, where there are any', async () => {
  const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const email = { address: 'orders@mill.test', sentAt: new Date(), deliveredAt: null }
  const both = { ...OPEN, email, postedOn: TODAY, emailReminderId: 31, letterReminderId: 32 }
  const unproved = { ...OPEN, email, contractId: 8, customerName: 'Mill' }
  trpcServer({ notices: { ...COMPLETE, list: () => aNoticePage(both, unproved) } })
  const { user } = openNotices('given')
  const buttons = await screen.findAllByRole('button', { name: /^Certificate/ })
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Certificate: email to Harbor Bakery',
    'Certificate: letter to Harbor Bakery',
  ])
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return new Response('%PDF', { headers: { 'content-disposition': 'attachment; filename="traxx-certificate.pdf"' } })
  })
  for (const button of buttons) await user.click(button)
  // The last is saved after it was asked for, and must not be saved by the browser itself.
  await waitFor(() => expect(save).toHaveBeenCalledTimes(2))
  expect(asked).toEqual(['/reminders/31/certificate', '/reminders/32/certificate'])
})

test('a missed window says what that means by the rule', async () => {
  trpcServer({ notices: { ...COMPLETE, list: () => aNoticePage({ ...OPEN, contractId: null }) } })
  openNotices('missed')
  expect(
    await screen.findByText('No notice was given. Under the rule, this means: The contract does not renew by itself.'),
  ).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Harbor Bakery' })).toBeNull()
})

test('a letter that was mailed in time can be noted once the window has closed, until the next term', async () => {
  const closed = { ...OPEN, through: addDays(TODAY, -1) }
  const over = { ...closed, contractId: 8, customerName: 'Mill', renewalDate: TODAY }
  const byEmail: Notice = { ...closed, contractId: 9, customerName: 'Quarry', means: ['email'] }
  trpcServer({ notices: { ...COMPLETE, list: () => aNoticePage(closed, over, byEmail) } })
  openNotices('missed')
  const buttons = await screen.findAllByRole('button', { name: /^Mark as Mailed/ })
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(['Mark as Mailed: Harbor Bakery'])
  expect(screen.queryByRole('button', { name: /^Letter/ })).toBeNull()
})

test('without notices it says so, another list can be chosen, and a failure can be retried', async () => {
  trpcServer({ notices: { ...COMPLETE, list: () => aNoticePage() } })
  const onSearch = vi.fn()
  const { user, unmount } = openNotices('due', onSearch)
  expect(await screen.findByText('No notices are due')).toBeVisible()
  await user.click(screen.getByRole('tab', { name: 'Missed' }))
  expect(onSearch).toHaveBeenCalledWith({ ...START, show: 'missed' })
  unmount()
  trpcServer({
    notices: {
      list: () => {
        throw new AppError('SERVER_FULL')
      },
    },
  })
  openNotices('due', onSearch)
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeVisible()
})

test('a long list has pages', async () => {
  const rows = Array.from({ length: 10 }, (_, index) => ({ ...OPEN, contractId: index + 1 }))
  const { callsOf } = trpcServer({
    notices: { list: () => ({ rows, total: 250, amount: 300_000, first: 'one', last: 'ten', more: true }) },
  })
  const onSearch = vi.fn()
  const { user } = openNotices('due', onSearch)
  expect(await screen.findByText('$300,000.00 in 250 contracts depends on these notices')).toBeVisible()
  await user.click(screen.getByRole('button', { name: /Next/ }))
  expect(onSearch).toHaveBeenCalledWith({ ...START, page: 2, after: 'ten' })
  expect(callsOf('notices.list')).toEqual([{ show: 'due', skip: 0 }])
})

const LACKING = {
  contractId: 9,
  customerName: 'Mill',
  title: 'Ovens',
  renewalDate: addDays(TODAY, 30),
  amount: 2400,
  ruleName: 'New York',
  consequence: 'The renewal cannot be enforced against the customer',
  why: 'no_last_day',
  derivation: 'The contract has no notice period',
  remedy: 'Add its notice period',
} as const

test('where nothing is due, it is said of how many contracts that cannot be computed, and where they are', async () => {
  trpcServer({ notices: { list: () => aNoticePage(), incomplete: () => ({ ...NONE, total: 3 }) } })
  openNotices('due')
  expect(await screen.findByText('No other notices are due')).toBeVisible()
  expect(
    screen.getByText(/Data is missing for 3 contracts with a notice rule, so it is not known when notice is due\./),
  ).toBeVisible()
  expect(screen.getByRole('link', { name: 'Show what is missing' })).toHaveAttribute(
    'href',
    expect.stringContaining('show=incomplete'),
  )
})

test('contracts with missing data are listed with what is missing, and lead to where it is filled in', async () => {
  const { callsOf } = trpcServer({
    notices: { incomplete: () => ({ ...NONE, rows: [LACKING], total: 101, amount: 2400, last: 'cursor', more: true }) },
  })
  const onSearch = vi.fn()
  const { user } = openNotices('incomplete', onSearch)
  expect(await screen.findByText('$2,400.00 in 101 contracts: it is not known when notice is due')).toBeVisible()
  const entry = within(within(screen.getByRole('list', { name: 'Missing data' })).getByRole('listitem'))
  expect(entry.getByRole('link', { name: 'Mill, Ovens' })).toHaveAttribute('href', '/contracts/9')
  expect(entry.getByText('The contract has no notice period. Add its notice period.')).toBeVisible()
  expect(entry.getByText(/Without notice: The renewal cannot be enforced against the customer\.$/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: /Next/ }))
  expect(onSearch).toHaveBeenCalledWith(expect.objectContaining({ page: 2, after: 'cursor' }))
  expect(callsOf('notices.incomplete')[0]).not.toHaveProperty('show')
})

test('without such contracts it says so, and a failure can be retried', async () => {
  let isFull = true
  const incomplete = () => {
    if (isFull) throw new AppError('SERVER_FULL')
    return NONE
  }
  trpcServer({ notices: { incomplete } })
  const { user } = openNotices('incomplete')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  isFull = false
  await user.click(retry)
  expect(await screen.findByText('No data is missing')).toBeVisible()
})

const BY_LAW = {
  ...OPEN,
  how: 'In writing, served personally or by certified mail. Email does not count.',
  requiredMail: 'certified mail',
}

test('where a law wants a letter delivered in some way, the dialog says how, and asks which it was', async () => {
  const { callsOf } = trpcServer({
    notices: { ...COMPLETE, list: () => aNoticePage(BY_LAW), post: () => ({ ...BY_LAW, postedOn: TODAY }) },
  })
  const { user } = openNotices('due')
  await user.click(await screen.findByRole('button', { name: 'Mark as Mailed: Harbor Bakery' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Mark as Mailed' }))
  expect(dialog.getByText(`The law requires: ${BY_LAW.how}`)).toBeVisible()
  const submit = () => user.click(dialog.getByRole('button', { name: 'Mark as Mailed' }))
  await submit()
  expect(await dialog.findByText('Choose one')).toBeVisible()
  await user.click(dialog.getByRole('radio', { name: 'Sent by certified mail' }))
  await submit()
  expect(await dialog.findByText('Enter the number of the mail')).toBeVisible()
  expect(callsOf('notices.post')).toEqual([])
  await user.type(dialog.getByLabelText(/^Number of the certified mail/), '7020')
  await user.click(dialog.getByRole('radio', { name: 'Handed over in person' }))
  expect(dialog.queryByLabelText(/^Number/)).toBeNull()
  await submit()
  await waitFor(() =>
    expect(callsOf('notices.post')).toEqual([{ id: 7, on: TODAY, mailNumber: '', delivery: 'in_person' }]),
  )
})

test('what was given says how the letter was delivered', async () => {
  const given = { ...BY_LAW, postedOn: TODAY }
  trpcServer({
    notices: {
      list: () =>
        aNoticePage(
          { ...given, delivery: 'in_person' },
          { ...given, contractId: 8, delivery: 'certified_mail', mailNumber: '7020' },
        ),
    },
  })
  openNotices('given')
  expect(await screen.findByText(`Letter handed over in person on ${formatDay(TODAY)}`)).toBeVisible()
  expect(screen.getByText(`Letter mailed on ${formatDay(TODAY)}, certified mail 7020`)).toBeVisible()
})

test('where it fails to be checked whether data is missing, what is due can still be marked', async () => {
  const incomplete = () => {
    throw new AppError('SERVER_FULL')
  }
  const { callsOf } = trpcServer({
    notices: { list: () => aNoticePage(OPEN), incomplete, post: () => ({ ...OPEN, postedOn: TODAY }) },
  })
  const { user } = openNotices('due')
  expect(await screen.findByRole('alert')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Mark as Mailed: Harbor Bakery' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Mark as Mailed' }))
  await user.click(dialog.getByRole('button', { name: 'Mark as Mailed' }))
  expect(await screen.findByText('The letter to Harbor Bakery is marked as mailed')).toBeVisible()
  await waitFor(() => expect(callsOf('notices.incomplete').length).toBeGreaterThan(1))
  expect(await screen.findByRole('button', { name: 'Letter: Harbor Bakery' })).toBeVisible()
})
