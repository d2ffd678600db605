import { createHmac } from 'node:crypto'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { MessageKey } from '#shared/schemas/reminders.ts'
import { removeContract } from '#server/contracts/contracts.service.ts'
import { getCustomer, updateCustomer } from '#server/customers/customers.service.ts'
import { notificationsOf } from '#support/notifications.ts'
import { ledgerOf, withoutLinks } from '#support/ledger.ts'
import { aMailbox, deferredMessage, lostConnection, refusedMessage } from '#support/mailbox.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, COMPANY, requireReader, useWorld } from '#support/world.ts'
import { claim } from './sending/claim.ts'
import { receiveMailEvent } from '#server/deliverability/mail-events.service.ts'
import { getMailLimits } from '#server/deliverability/mail-limits.service.ts'
import { planReminder, sendReminder } from './manual-reminders.service.ts'
import { sendReminderNow } from './outbox-actions.service.ts'
import { planReminders } from './plan-reminders.ts'
import { sendReminders } from './sending/send-reminders.ts'
import { unsubscribe } from '#server/deliverability/unsubscribe.service.ts'

const world = useWorld()
const MINUTE = 60_000

/** Three contracts of one reader, and one of another, of which reminders are due today. */
async function aServer() {
  let now = new Date('2026-03-10T08:00:00Z')
  const mailbox = aMailbox()
  const services = fakeServices({ mailer: mailbox.mailer, now: () => now, billingNow: () => now })
  const ctx = { db: world.db, services, log: Fastify().log, signal: new AbortController().signal }
  const request = await anAccount(world, { services })
  const { id: bakery } = await aCustomer(request, { name: 'Harbor Bakery', email: 'Orders@harbor.test' })
  const { id: cafe } = await aCustomer(request, { name: 'Harbor Cafe', email: 'orders@HARBOR.test' })
  const { id: other } = await aCustomer(request, { name: 'Mill', email: 'mill@example.test' })
  const contracts = [
    await aContract(request, { customerId: bakery, renewalDate: '2026-03-24', amount: 10 }),
    await aContract(request, { customerId: bakery, renewalDate: '2026-03-09', amount: 20 }),
    await aContract(request, { customerId: cafe, renewalDate: '2026-03-11', amount: 30 }),
  ]
  await aContract(request, { customerId: other, renewalDate: '2026-03-24', amount: 40 })
  const run = (text: string) => world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(text))
  await run(`update contracts set reminders_since = '2026-01-01'`)
  await run(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
  await planReminders(ctx)
  return {
    ...mailbox,
    ctx,
    request,
    bakery,
    cafe,
    contracts,
    send: () => sendReminders(ctx),
    pass: (ms: number) => void (now = new Date(now.getTime() + ms)),
    toHarbor: () => mailbox.received.filter(({ to }) => to.some((one) => /orders@harbor/i.test(one))),
    toOwner: () => mailbox.received.filter(({ to }) => to.some((one) => one.startsWith('user_'))),
    rows: async () =>
      (await ledgerOf(request)).filter(
        ({ recipient, customerName }) => recipient === 'customer' && customerName !== 'Mill',
      ),
  }
}

function bounced(messageId: string) {
  const [timestamp, token] = [String(Date.parse('2026-03-10T08:00:00Z') / 1000), messageId]
  const signature = createHmac('sha256', 'key-test')
    .update(timestamp + token)
    .digest('hex')
  const event = { event: 'failed', severity: 'permanent', message: { headers: { 'message-id': messageId } } }
  return Buffer.from(JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': event }))
}

test('what is due to one reader on one day is one email that lists it, and each keeps its row', async () => {
  const server = await aServer()
  await server.send()
  const [mail, ...others] = server.toHarbor()
  expect(others).toEqual([])
  const sender = COMPANY
  expect(mail?.subject).toBe(`3 contracts with ${sender} need attention`)
  const text = mail?.text.replaceAll(/\/answer\/\S+/g, '/answer/a-link')
  expect(text).toBe(`Hello,

These contracts with ${sender} will come up for renewal soon:

Contract: Harbor Cafe
Amount: $30.00 a month
Due for renewal: March 11, 2026, tomorrow

Answer online: http://localhost:3000/answer/a-link

Contract: Harbor Bakery
Amount: $10.00 a month
Due for renewal: March 24, 2026, in 14 days

Answer online: http://localhost:3000/answer/a-link

This contract was due for renewal with ${sender}. If you have already been in touch about this, please disregard this message.

Contract: Harbor Bakery
Amount: $20.00 a month
Renewal date: March 9, 2026, 1 day ago

Answer online: http://localhost:3000/answer/a-link

If you have a question or something has changed, just reply to this message.

${sender}

-- 
TRAXX sent this email on behalf of ${sender}. You are receiving it because you have contracts with ${sender}.
Unsubscribe: ${mail?.unsubscribe[0]}
Report this message: ${mail?.unsubscribe[0]?.replace('/unsubscribe/', '/report/')}`)
  expect(mail?.html).toContain('March 24, 2026, in 14 days')
  const sent = {
    state: 'sent',
    messageId: mail?.messageId,
    subject: mail?.subject,
    body: withoutLinks(mail?.text),
    attempts: 1,
  }
  expect(await server.rows()).toMatchObject([sent, sent, sent])
  expect(await getMailLimits(requireReader(server.request))).toMatchObject({ sentToday: 2 })
})

test('a single message keeps the text that the account has written', async () => {
  const server = await aServer()
  await server.send()
  expect(server.received.find(({ to }) => to.includes('mill@example.test'))?.subject).toBe(
    'Your contract is due for renewal on March 24, 2026',
  )
})

test('the owner reads of all contracts in one email', async () => {
  const server = await aServer()
  await server.send()
  expect(server.toOwner()).toMatchObject([{ subject: '4 contracts need attention' }])
  const [mail] = server.toOwner()
  expect(mail?.text).toContain(`Coming up:

Harbor Cafe: March 11, 2026, tomorrow: $30.00 a month, renews by agreement
Harbor Bakery: March 24, 2026, in 14 days: $10.00 a month, renews by agreement
Mill: March 24, 2026, in 14 days: $40.00 a month, renews by agreement

Past the renewal date and still open:

Harbor Bakery: March 9, 2026, 1 day ago: $20.00 a month, renews by agreement

View contracts: http://localhost:3000/contracts`)
})

test('what the owner sends by hand is an email of its own', async () => {
  const server = await aServer()
  const [contract] = server.contracts
  if (!contract) throw new Error('There are contracts')
  await server.send()
  const { id: customerId } = await aCustomer(server.request, { email: 'orders@harbor.test' })
  await sendReminder(server.request, await aContract(server.request, { customerId }))
  expect(server.toHarbor().map(({ subject }) => subject)).toEqual([
    expect.stringContaining('3 contracts'),
    'Your contract is due for renewal on April 1, 2026',
  ])
})

test('what the owner asks for by hand goes into one email, apart from what is due anyway', async () => {
  const server = await aServer()
  for (const customerId of [server.bakery, server.cafe]) {
    await planReminder(server.request, await aContract(server.request, { customerId }))
  }
  server.pass(UNDO_MS)
  await server.send()
  const subjects = server.toHarbor().map(({ subject }) => subject.match(/\d contracts/)?.[0])
  expect(subjects).toHaveLength(2)
  expect(new Set(subjects)).toEqual(new Set(['3 contracts', '2 contracts']))
  expect((await server.rows()).map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'sent'))
})

test('what the mail provider says of it reaches every row, and the owner is told once', async () => {
  const server = await aServer()
  await server.send()
  const [mail] = server.toHarbor()
  await receiveMailEvent(server.ctx, bounced(mail?.messageId.slice(1, -1) ?? ''))
  const hasBounced = { state: 'bounced', answer: null }
  expect(await server.rows()).toMatchObject([hasBounced, hasBounced, hasBounced])
  const notices = await notificationsOf(server.request)
  expect(notices.filter(({ title }) => title.endsWith('bounced'))).toHaveLength(1)
})

test('whoever unsubscribes by its link stops what goes to that address', async () => {
  const server = await aServer()
  await server.send()
  const [link = ''] = server.toHarbor()[0]?.unsubscribe ?? []
  await unsubscribe(server.ctx, link.replace('http://localhost:3000/unsubscribe/', ''))
  for (const id of [server.bakery, server.cafe])
    expect(await getCustomer(requireReader(server.request), { id })).toMatchObject({ sendNotifications: false })
})

test('refused for good, every row has failed, and the owner is told once for each customer', async () => {
  const server = await aServer()
  server.fail(refusedMessage(), (to) => /orders@/i.test(to))
  await server.send()
  const failed = { state: 'failed', reason: 'refused' }
  expect(await server.rows()).toMatchObject([failed, failed, failed])
  const notices = await notificationsOf(server.request)
  const titles = notices.map(({ title }) => title).filter((title) => title.endsWith('failed'))
  expect(titles.toSorted()).toEqual(['Email to Harbor Bakery failed', 'Email to Harbor Cafe failed'])
})

test('not taken for now, all of it waits, and is one email again with what has fallen due since', async () => {
  const server = await aServer()
  server.fail(deferredMessage())
  await server.send()
  server.fail()
  server.pass(MINUTE)
  await server.send()
  expect(server.toHarbor()).toHaveLength(1)
  const sent = { state: 'sent', attempts: 2, repeats: 0 }
  expect(await server.rows()).toMatchObject([sent, sent, sent])
})

describe('where nobody can tell whether it was sent', () => {
  test('it is repeated as it was, under the same Message-ID, and every row says so', async () => {
    const server = await aServer()
    server.fail(lostConnection())
    await server.send()
    const [before] = await server.rows()
    expect(before).toMatchObject({ state: 'sending' })
    server.fail()
    server.pass(MINUTE)
    await server.send()
    expect(server.toHarbor()).toMatchObject([{ messageId: before?.messageId }])
    const sent = { state: 'sent', repeats: 1, messageId: before?.messageId }
    expect(await server.rows()).toMatchObject([sent, sent, sent])
  })

  test('a crash between taking and sending it is such a case, for all of its rows', async () => {
    const server = await aServer()
    const [, second] = await server.rows()
    const accountId = server.request.caller?.id ?? 0
    const { mails } = await claim(server.ctx, { ids: [second?.id ?? 0], accountId })
    expect(mails.map(({ ids }) => ids.length)).toEqual([3])
    server.pass(5 * MINUTE)
    await server.send()
    expect(server.toHarbor()).toHaveLength(1)
    const sent = { state: 'sent', repeats: 1 }
    expect(await server.rows()).toMatchObject([sent, sent, sent])
  })

  test('what is not wanted any more is left out, and events still find all that was in it', async () => {
    const server = await aServer()
    server.fail(lostConnection())
    await server.send()
    server.fail()
    const [first] = server.contracts
    if (!first) throw new Error('There are contracts')
    await asSubscriber(server.request, (ctx) => removeContract(ctx, first))
    server.pass(MINUTE)
    await server.send()
    const [mail] = server.toHarbor()
    expect(mail?.text).toContain('$20.00')
    expect(mail?.text).not.toContain('$10.00')
    const lost = { state: 'failed', reason: 'unknown', messageId: mail?.messageId }
    expect(await server.rows()).toMatchObject([lost, { state: 'sent' }, { state: 'sent' }])
    await receiveMailEvent(server.ctx, bounced(mail?.messageId.slice(1, -1) ?? ''))
    const hasBounced = { state: 'bounced', reason: null }
    expect(await server.rows()).toMatchObject([hasBounced, hasBounced, hasBounced])
  })
})

describe('where a customer gets another address while nobody can tell whether it was sent', () => {
  /** A digest whose connection was lost; the bakery's address is then corrected. */
  async function aMovedBakery() {
    const server = await aServer()
    server.fail(lostConnection())
    await server.send()
    server.fail()
    await asSubscriber(server.request, (ctx) =>
      updateCustomer(ctx, { id: server.bakery, email: 'elsewhere@other.test' }),
    )
    return server
  }

  const toElsewhere = ({ received }: Awaited<ReturnType<typeof aServer>>) =>
    received.filter(({ to }) => to.includes('elsewhere@other.test'))

  test('it is repeated to its reader alone, without what the other one would have got', async () => {
    const server = await aMovedBakery()
    const [before] = await server.rows()
    server.pass(MINUTE)
    await server.send()
    expect(toElsewhere(server)).toEqual([])
    expect(server.toHarbor()).toMatchObject([{ messageId: before?.messageId }])
    const [mail] = server.toHarbor()
    expect(mail?.text).toContain('Harbor Cafe')
    expect(mail?.text).not.toContain('Harbor Bakery')
    const lost = { state: 'failed', reason: 'unknown', address: 'Orders@harbor.test' }
    const sent = { state: 'sent', repeats: 1, address: 'orders@HARBOR.test', customerName: 'Harbor Cafe' }
    const rows = await server.rows()
    expect(rows.filter(({ customerName }) => customerName === 'Harbor Bakery')).toMatchObject([lost, lost])
    expect(rows.filter(({ customerName }) => customerName === 'Harbor Cafe')).toMatchObject([sent])
    const notices = await notificationsOf(server.request)
    expect(notices.filter(({ title }) => title === 'Email to Harbor Bakery failed')).toHaveLength(1)
  })

  test('the links of the repeated one work', async () => {
    const server = await aMovedBakery()
    server.pass(MINUTE)
    await server.send()
    const [link = ''] = server.toHarbor()[0]?.unsubscribe ?? []
    await unsubscribe(server.ctx, link.replace('http://localhost:3000/unsubscribe/', ''))
    const customer = await getCustomer(requireReader(server.request), { id: server.cafe })
    expect(customer).toMatchObject({ mailClosed: { reason: 'unsubscribed' } })
  })

  test('sent again by hand it is a message of its own, to the corrected address', async () => {
    const server = await aMovedBakery()
    server.pass(MINUTE)
    await server.send()
    const [row] = (await server.rows()).filter(({ customerName }) => customerName === 'Harbor Bakery')
    await sendReminderNow(server.request, MessageKey.parse(row))
    const [mail] = toElsewhere(server)
    expect(mail?.messageId).not.toBe(server.toHarbor()[0]?.messageId)
    expect(mail?.text).not.toContain('Harbor Cafe')
    const sent = { state: 'sent', address: 'elsewhere@other.test', messageId: mail?.messageId }
    expect((await server.rows()).find(({ id }) => id === row?.id)).toMatchObject(sent)
  })

  test('one that was put off at its repeat goes to the corrected address, apart from the others', async () => {
    const server = await aServer()
    server.fail(lostConnection())
    await server.send()
    server.fail(deferredMessage())
    server.pass(MINUTE)
    await server.send()
    expect(await server.rows()).toMatchObject([0, 1, 2].map(() => ({ state: 'planned', repeats: 1 })))
    await asSubscriber(server.request, (ctx) =>
      updateCustomer(ctx, { id: server.bakery, email: 'elsewhere@other.test' }),
    )
    server.fail()
    server.pass(5 * MINUTE)
    await server.send()
    for (const mail of toElsewhere(server)) expect(mail.text).not.toContain('Harbor Cafe')
    for (const mail of server.toHarbor()) expect(mail.text).not.toContain('Harbor Bakery')
    expect([toElsewhere(server).length, server.toHarbor().length]).toEqual([1, 1])
    expect(toElsewhere(server)[0]?.messageId).not.toBe(server.toHarbor()[0]?.messageId)
  })
})

test('a hundred at most are in one email', async () => {
  const server = await aServer()
  const { id: customerId } = await aCustomer(server.request, { email: 'many@harbor.test' })
  for (let n = 0; n < 101; n += 1) await aContract(server.request, { customerId, renewalDate: '2026-03-24' })
  const accountId = server.request.caller?.id ?? 0
  await world.db.writeAs(accountId, async (em) => {
    await em.execute(`update contracts set reminders_since = '2026-01-01'`)
    await em.execute(`update reminder_schedules set next_plan_at = '2026-03-10'`)
  })
  await planReminders(server.ctx)
  await server.send()
  const subjects = server.received.filter(({ to }) => to.includes('many@harbor.test')).map(({ subject }) => subject)
  expect(subjects.toSorted()).toEqual([
    expect.stringMatching(/^100 contracts/),
    'Your contract is due for renewal on March 24, 2026',
  ])
})
