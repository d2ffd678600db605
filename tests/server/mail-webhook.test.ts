import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { getCustomer } from '#server/customers/customers.service.ts'
import { listNotifications } from '#server/notifications/notifications.service.ts'
import { sendReminder } from '#server/reminders/reminders.service.ts'
import { call, useApp } from '#support/app.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { aContract, aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world, { mailWebhookKey: 'key-test' })
const without = useApp(world, { mailWebhookKey: undefined })

/** A reminder that went out, and its Message-ID as Mailgun writes it. */
async function aSentReminder() {
  const { mailer } = aMailbox()
  const request = await anAccount(world, { services: { mailer } })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId })
  await sendReminder(request, contract)
  const row = async () => (await ledgerOf(request))[0]
  const messageId = (await row())?.messageId?.slice(1, -1) ?? ''
  const notices = () => listNotifications(requireReader(request), { unread: false, limit: 50 })
  return { request, customerId, contract, messageId, row, notices }
}

interface Event {
  event: string
  messageId: string
  severity?: string
  key?: string
}

function tell({ event, messageId, severity, key = 'key-test' }: Event, app = server) {
  const [timestamp, token] = ['1773144000', 'a1b2c3']
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex')
  const status = { message: '550 no such user' }
  const data = { event, severity, message: { headers: { 'message-id': messageId } }, 'delivery-status': status }
  const payload = { signature: { timestamp, token, signature }, 'event-data': data }
  return call(app, { method: 'POST', url: '/mail/webhook', payload })
}

test('a message that was delivered says so, once', async () => {
  const { messageId, row } = await aSentReminder()
  expect(await tell({ event: 'delivered', messageId })).toMatchObject({ status: 200 })
  expect(await tell({ event: 'delivered', messageId })).toMatchObject({ status: 200 })
  expect(await row()).toMatchObject({ state: 'delivered' })
})

test('one that came back for good says so, the owner is told, and nothing more goes to that address', async () => {
  const { request, contract, messageId, row, notices } = await aSentReminder()
  await tell({ event: 'failed', severity: 'permanent', messageId })
  await tell({ event: 'failed', severity: 'permanent', messageId })
  await tell({ event: 'delivered', messageId })
  expect(await row()).toMatchObject({ state: 'bounced', answer: '550 no such user' })
  expect(await notices()).toMatchObject([{ title: 'Mail to Harbor Bakery came back' }])
  await expect(sendReminder(request, contract)).rejects.toMatchObject({ key: 'REMINDER_ADDRESS_BOUNCED' })
})

test('an address that does not take mail does not take it from any customer, however it is written', async () => {
  const { request, messageId } = await aSentReminder()
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Cafe', email: 'Orders@Harbor.TEST' })
  const contract = await aContract(request, { customerId })
  await tell({ event: 'failed', severity: 'permanent', messageId })
  await expect(sendReminder(request, contract)).rejects.toMatchObject({ key: 'REMINDER_ADDRESS_BOUNCED' })
})

test('an owner whose own address does not take mail is told so in the app, once', async () => {
  const { request, notices } = await aSentReminder()
  const accountId = requireReader(request).accountId
  await world.db.writeAs(accountId, (em) =>
    em.execute(
      `insert into reminders (account_id, customer_name, renewal_date, kind, offset_days, due_on, recipient, channel,
          state, address, message_id, planned_at, sent_at)
        select ?, 'Harbor Bakery', '2026-04-01', 'reminder', n, '2026-03-10', 'owner', 'email', 'sent', 'me@mill.test',
          '', now(), now()
        from generate_series(1, 2) n`,
      [accountId],
    ),
  )
  const mine = (await ledgerOf(request)).filter(({ recipient }) => recipient === 'owner')
  for (const { id } of mine) {
    await world.db.writeAs(accountId, (em) =>
      em.execute('update reminders set message_id = ? where id = ?', [`<reminder-${id}.x@traxx.test>`, id]),
    )
    await tell({ event: 'failed', severity: 'permanent', messageId: `reminder-${id}.x@traxx.test` })
  }
  expect(await notices()).toMatchObject([
    {
      title: 'Mail to you came back',
      message:
        'me@mill.test does not take mail. No more reminders are sent to you by email until your address is another, or you say in your profile that it works again.',
      actionUrl: '/profile',
    },
  ])
})

test('one that is only late stays as it was', async () => {
  const { messageId, row, notices } = await aSentReminder()
  await tell({ event: 'failed', severity: 'temporary', messageId })
  await tell({ event: 'opened', messageId })
  expect(await row()).toMatchObject({ state: 'sent' })
  expect(await notices()).toEqual([])
})

test('a complaint opts the customer out', async () => {
  const { request, customerId, messageId, row, notices } = await aSentReminder()
  await tell({ event: 'complained', messageId })
  expect(await row()).toMatchObject({ state: 'bounced', answer: 'Marked as spam' })
  expect(await getCustomer(requireReader(request), { id: customerId })).toMatchObject({ sendNotifications: false })
  expect(await notices()).toMatchObject([{ title: 'Harbor Bakery unsubscribed' }])
})

test('an event of a message that is not ours is taken, and changes nothing', async () => {
  const { messageId, row } = await aSentReminder()
  const [key = '', domain] = messageId.split('@')
  for (const other of [`${key}x@${domain}`, 'reminder-999.x@traxx.test', 'reminder-99999999999.x@y', 'news@y', '']) {
    expect(await tell({ event: 'delivered', messageId: other })).toMatchObject({ status: 200 })
  }
  expect(await row()).toMatchObject({ state: 'sent' })
})

test('what is not signed with the key is refused', async () => {
  const { messageId, row } = await aSentReminder()
  expect(await tell({ event: 'delivered', messageId, key: 'another' })).toMatchObject({
    status: 400,
    body: { error: 'The webhook signature is not valid' },
  })
  const headers = { 'content-type': 'application/json' }
  for (const payload of ['', '{', '{}', 'null', '{"signature":{"timestamp":"1","token":"a","signature":"00"}}']) {
    const answer = await server.app.inject({ method: 'POST', url: '/mail/webhook', headers, payload })
    expect(answer.statusCode).toBe(400)
  }
  expect(await row()).toMatchObject({ state: 'sent' })
})

test('without a key there is no such call', async () => {
  const { messageId } = await aSentReminder()
  expect(await tell({ event: 'delivered', messageId }, without)).toMatchObject({ status: 404 })
})
