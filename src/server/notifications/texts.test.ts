import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { requireReader, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { listNotifications } from './notifications.service.ts'
import { notify } from './notify.ts'
import { NOTIFICATION_TYPES, written, type NewNotification } from './texts.ts'

const world = useWorld()

const CONTRACT = {
  contractId: 7,
  customerName: 'Harbor Bakery',
  title: null,
  amountCents: centsFromAmount(1200.5),
  renewalCycle: 'yearly',
  renews: 'by_agreement',
  renewalDate: toDay('2026-12-31'),
  daysLeft: 7,
} as const
const READER = { name: 'Harbor Bakery', customerId: 3 }
const FAILED = {
  about: 'reminder',
  recipient: 'customer',
  customerName: 'Harbor Bakery',
  reason: 'refused',
  answer: '550 no',
} as const

const SKIPPED = {
  about: 'reply',
  contractId: 7,
  customerName: 'Harbor Bakery',
  address: 'bo@harbor.test',
  reason: 'unsubscribed',
} as const
const [FROM, THROUGH] = [new Date('2026-03-10T09:00:00Z'), new Date('2026-03-10T13:00:00Z')]

/** One of each kind, and its title. */
const TITLES: [notification: NewNotification, title: string][] = [
  [{ kind: 'renewal_reminder', ...CONTRACT }, 'Renewal in 7 days'],
  [{ kind: 'overdue', ...CONTRACT, daysLeft: -1 }, 'Overdue by 1 day'],
  [{ kind: 'follow_up', ...CONTRACT, daysLeft: -3 }, 'Overdue by 3 days'],
  [{ kind: 'waiting_for_company' }, 'Messages to your customers are waiting'],
  [
    { kind: 'reminder_skipped', customerName: 'Harbor Bakery', reason: 'closed' },
    'The reminder to Harbor Bakery was not sent',
  ],
  [{ kind: 'reminder_failed', ...FAILED }, 'Email to Harbor Bakery failed'],
  [{ kind: 'answer_email_skipped', ...SKIPPED }, 'An email to Harbor Bakery was not sent'],
  [{ kind: 'reminders_delayed', from: FROM, through: THROUGH, timeZone: 'UTC' }, 'Reminders were delayed'],
  [{ kind: 'owner_bounced', address: 'ann@mill.test' }, 'Email to your address bounced'],
  [{ kind: 'customer_bounced', ...READER, address: 'bo@harbor.test' }, 'Email to Harbor Bakery bounced'],
  [{ kind: 'unsubscribed', ...READER }, 'Harbor Bakery unsubscribed'],
  [{ kind: 'complained', ...READER }, 'Harbor Bakery reported a reminder as spam'],
  [{ kind: 'subscribed_again', ...READER }, 'Harbor Bakery subscribed again'],
  [{ kind: 'mail_stopped' }, 'Messages to your customers are paused'],
  [{ kind: 'mail_resumed' }, 'Messages to your customers have resumed'],
  [{ kind: 'address_limit', limit: 1 }, 'Messages to a customer are waiting'],
  [{ kind: 'account_limit', limit: 50, limitWithPaidPlan: 1000 }, 'Messages to customers are waiting'],
  [{ kind: 'closed_addresses_imported', customers: 2 }, 'Some imported customers will not get emails'],
]

test('one of every kind can be stored, with the badge of its kind or none', async () => {
  const request = await anAccount(world)
  await asSubscriber(request, ({ write, accountId, services }) =>
    notify(write, { accountId, now: services.now() }, ...TITLES.map(([notification]) => notification)),
  )
  const { rows } = await listNotifications(requireReader(request), { unread: false, limit: 50, skip: 0 })
  const expected = TITLES.map(([{ kind }, title]) => ({
    type: NOTIFICATION_TYPES.find((type) => type === kind) ?? 'other',
    title,
  }))
  const byTitle = (one: { title: string }, other: { title: string }) => one.title.localeCompare(other.title)
  expect(rows.map(({ type, title }) => ({ type, title })).toSorted(byTitle)).toEqual(expected.toSorted(byTitle))
})

test('a message about a contract takes a title and a sentence', () => {
  expect(written({ kind: 'renewal_reminder', ...CONTRACT })).toEqual({
    type: 'renewal_reminder',
    title: 'Renewal in 7 days',
    message: 'The yearly contract with Harbor Bakery ($1,200.50) is due for renewal on December 31, 2026.',
    actionUrl: '/contracts?open=7',
  })
})

test.each([
  ['automatic', 'Renewal in 7 days', 'renews automatically on'],
  ['by_agreement', 'Renewal in 7 days', 'is due for renewal on'],
  ['never', 'Ends in 7 days', 'ends on'],
] as const)('of a contract that renews: %s, it says how, and what the contract is for', (renews, title, happens) => {
  expect(written({ kind: 'renewal_reminder', ...CONTRACT, title: 'Web hosting', renews })).toMatchObject({
    title,
    message: `The yearly contract "Web hosting" with Harbor Bakery ($1,200.50) ${happens} December 31, 2026.`,
  })
})

test('what failed is told with the answer of the mail server', () => {
  expect(written({ kind: 'reminder_failed', ...FAILED }).message).toBe(
    'A reminder could not be sent. The mail server refused the message: 550 no.',
  )
  expect(written({ kind: 'reminder_failed', ...FAILED, recipient: 'owner', answer: null })).toMatchObject({
    title: 'Email to your address failed',
    message: 'A reminder could not be sent. The mail server refused the message.',
  })
})

test('a limit is told with the limit of a paid plan, where that is higher', () => {
  expect(written({ kind: 'account_limit', limit: 50, limitWithPaidPlan: 1000 }).message).toBe(
    "You have reached today's limit of 50 emails to customers (1,000 with a paid plan). Messages over the limit wait until the next day, or are skipped if that would be too late.",
  )
  expect(written({ kind: 'account_limit', limit: 1000, limitWithPaidPlan: null }).message).toContain(
    'limit of 1,000 emails to customers. Messages',
  )
})
