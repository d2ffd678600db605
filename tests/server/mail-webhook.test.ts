import { describe, expect, test } from 'vitest'
import { getCustomer } from '#server/customers/customers.service.ts'
import type { Database } from '#server/db/database.ts'
import { notificationsOf } from '#support/notifications.ts'
import { receiveMailEvent, sweepMailTokens } from '#server/deliverability/mail-events.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { call, useApp } from '#support/app.ts'
import { ledgerOf } from '#support/ledger.ts'
import { signedMailEvent, type MailEvent } from '#support/mail-event.ts'
import { aMailbox } from '#support/mailbox.ts'
import { fakeServices, NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world, { mailWebhookKey: 'key-test' })
const other = useApp(world, { mailWebhookKey: 'key-test' })
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
  const notices = () => notificationsOf(request)
  return { request, customerId, contract, messageId, row, notices }
}

function tell(event: MailEvent, app = server) {
  return call(app, { method: 'POST', url: '/mail/webhook', payload: signedMailEvent(event) })
}

test('a message that was delivered says so, once', async () => {
  const { messageId, row } = await aSentReminder()
  expect(await tell({ event: 'delivered', messageId })).toMatchObject({ status: 200 })
  expect(await tell({ event: 'delivered', messageId })).toMatchObject({ status: 200 })
  expect(await row()).toMatchObject({ state: 'delivered' })
})

test('one that bounced for good says so, the owner is told, and nothing more goes to that address', async () => {
  const { request, contract, messageId, row, notices } = await aSentReminder()
  await tell({ event: 'failed', severity: 'permanent', messageId })
  await tell({ event: 'failed', severity: 'permanent', messageId })
  await tell({ event: 'delivered', messageId })
  expect(await row()).toMatchObject({ state: 'bounced', answer: '550 no such user' })
  expect(await notices()).toMatchObject([{ title: 'Email to Harbor Bakery bounced' }])
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
      title: 'Email to your address bounced',
      message:
        'Our email to me@mill.test was returned, so we stopped sending to it. To get reminders by email again, change your address, or mark it as working in your profile.',
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

test('a complaint closes the address', async () => {
  const { request, customerId, messageId, row, notices } = await aSentReminder()
  await tell({ event: 'complained', messageId })
  expect(await row()).toMatchObject({ state: 'bounced', answer: 'Marked as spam' })
  expect(await getCustomer(requireReader(request), { id: customerId })).toMatchObject({ sendNotifications: false })
  expect(await notices()).toMatchObject([{ title: 'Harbor Bakery reported a reminder as spam' }])
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

test('a signature is good for a quarter of an hour either way', async () => {
  const { messageId, row } = await aSentReminder()
  for (const minutes of [-15.1, 15.1, -10_000, 10_000]) {
    expect(await tell({ event: 'delivered', messageId, minutes })).toMatchObject({
      status: 400,
      body: { error: 'The webhook was not signed within the last few minutes' },
    })
  }
  expect(await row()).toMatchObject({ state: 'sent' })
  expect(await tell({ event: 'delivered', messageId, minutes: -15 })).toMatchObject({ status: 200 })
  expect(await tell({ event: 'delivered', messageId, minutes: 15 })).toMatchObject({ status: 200 })
})

test('a token counts once, whatever else the call says, also for calls at the same time', async () => {
  const { messageId, row } = await aSentReminder()
  const answers = await Promise.all(
    [server, other, server, other].map((app) => tell({ event: 'delivered', messageId, token: 'a1b2c3' }, app)),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
  const again = await tell({ event: 'failed', severity: 'permanent', messageId, token: 'a1b2c3', minutes: 1 })
  expect(again).toMatchObject({ status: 409, body: { error: 'This webhook was received before' } })
  expect(await row()).toMatchObject({ state: 'delivered' })
})

test('the token of an event that could not be taken is good for its next try', async () => {
  const { request, messageId, row } = await aSentReminder()
  const { accountId } = requireReader(request)
  const put = (changes: string) => world.db.writeAs(accountId, (em) => em.execute(`update reminders set ${changes}`))
  await put(`state = 'sending', sent_at = null, next_attempt_at = now(), sending_at = now()`)
  expect((await tell({ event: 'delivered', messageId, token: 'retried' })).status).toBeGreaterThanOrEqual(400)
  await put(`state = 'sent', sent_at = now(), next_attempt_at = null`)
  expect(await tell({ event: 'delivered', messageId, token: 'retried' })).toMatchObject({ status: 200 })
  expect(await row()).toMatchObject({ state: 'delivered' })
})

describe('a complaint or a bounce is recorded by its Message-ID', () => {
  const STATES = {
    'given up without knowing whether it was sent': `state = 'failed', reason = 'unknown', sent_at = null, ended_at = now()`,
    'still being sent': `state = 'sending', sent_at = null, next_attempt_at = now()`,
    'planned again': `state = 'planned', repeats = 1, sent_at = null, next_attempt_at = now()`,
    'skipped since': `state = 'skipped', reason = 'closed', repeats = 1, sent_at = null, ended_at = now()`,
  }

  test.each(Object.entries(STATES))('where the message was %s', async (_name, changes) => {
    const { request, customerId, messageId, row, notices } = await aSentReminder()
    const { accountId } = requireReader(request)
    await world.db.writeAs(accountId, (em) => em.execute(`update reminders set ${changes}`))
    const before = await row()
    expect(await tell({ event: 'complained', messageId })).toMatchObject({ status: 200 })
    const customer = await getCustomer(requireReader(request), { id: customerId })
    expect(customer).toMatchObject({ mailClosed: { reason: 'complained' } })
    const complaints = await world.db.writeAs(accountId, (em) => em.execute('select source from complaints'))
    expect(complaints).toEqual([{ source: 'provider' }])
    expect(await notices()).toMatchObject([{ title: 'Harbor Bakery reported a reminder as spam' }])
    const isDecided = before?.state === 'planned' || before?.state === 'skipped'
    expect(await row()).toMatchObject(
      isDecided ? { state: before.state, reason: before.reason } : { state: 'bounced', reason: null },
    )
  })

  test.each(Object.entries(STATES))('also of mail that bounced, where it was %s', async (_name, changes) => {
    const { request, messageId, notices } = await aSentReminder()
    await world.db.writeAs(requireReader(request).accountId, (em) => em.execute(`update reminders set ${changes}`))
    await tell({ event: 'failed', severity: 'permanent', messageId })
    expect(await notices()).toMatchObject([{ title: 'Email to Harbor Bakery bounced' }])
  })
})

test('an event that a process was killed at is taken when it comes again', async () => {
  const { messageId, row } = await aSentReminder()
  const body = Buffer.from(JSON.stringify(signedMailEvent({ event: 'complained', messageId, token: 'killed' })))
  const { log } = server.app
  let isDead = false
  const writeAs: Database['writeAs'] = () => {
    isDead = true
    return Promise.reject(new Error('killed'))
  }
  const query: Database['system']['query'] = (...asked) =>
    isDead ? Promise.reject(new Error('killed')) : world.db.system.query(...asked)
  const killed: Database = { ...world.db, writeAs, system: { ...world.db.system, query }, as: () => killed }
  await expect(receiveMailEvent({ db: killed, services: fakeServices(), log }, body)).rejects.toThrow('killed')
  await receiveMailEvent({ db: world.db, services: fakeServices(), log }, body)
  expect(await row()).toMatchObject({ state: 'bounced' })
})

test('tokens are forgotten once their signatures are no good any more', async () => {
  await world.db.system.query(
    `insert into mail_webhook_tokens (token_hash, received_at)
      select sha256(minutes::text::bytea), $1::timestamptz - make_interval(mins => minutes) from unnest(array[1, 59, 61]) minutes`,
    [NOON],
  )
  await sweepMailTokens({ db: world.db, services: fakeServices() })
  const { rows } = await world.db.system.query('select from mail_webhook_tokens')
  expect(rows).toHaveLength(2)
})

test('what a mail server answers may contain anything', async () => {
  const { messageId, row } = await aSentReminder()
  const told = { event: 'failed', severity: 'permanent', answer: '550 no\u0000 such user' }
  expect(await tell({ ...told, messageId: `${messageId}\u0000x` })).toMatchObject({ status: 200 })
  expect(await tell({ ...told, messageId })).toMatchObject({ status: 200 })
  expect(await row()).toMatchObject({ state: 'bounced', answer: '550 no such user' })
})

test("nobody who has got a message can tell another one's Message-ID", async () => {
  const [one, other] = [await aSentReminder(), await aSentReminder()]
  const secretOf = (id: string) => /^reminder-\d+\.([0-9a-f]{32})@/.exec(id)?.[1]
  expect(secretOf(one.messageId)).toBeDefined()
  expect(secretOf(one.messageId)).not.toBe(secretOf(other.messageId))
})

test('events of messages that were sent under older Message-IDs are still accepted', async () => {
  const { request, row } = await aSentReminder()
  const { accountId } = requireReader(request)
  const id = (await row())?.id
  const messageId = `reminder-${id}.0b8d5bb0-6a3c-4b0e-8f0f-6d1e6a3a4f10@traxx.test`
  await world.db.writeAs(accountId, (em) => em.execute('update reminders set message_id = ?', [`<${messageId}>`]))
  expect(await tell({ event: 'delivered', messageId })).toMatchObject({ status: 200 })
  expect(await row()).toMatchObject({ state: 'delivered' })
})

test('without a key there is no such call', async () => {
  const { messageId } = await aSentReminder()
  expect(await tell({ event: 'delivered', messageId }, without)).toMatchObject({ status: 404 })
})
