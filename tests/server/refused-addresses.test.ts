import Fastify from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { openMailer } from '#server/mail/mailer.ts'
import { notificationsOf } from '#support/notifications.ts'
import { getBounce } from '#server/deliverability/bounces.service.ts'
import { sendReminderNow } from '#server/reminders/outbox-actions.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { ledgerOf } from '#support/ledger.ts'
import { startMailServer, type MailServer, type Refusal } from '#support/mail-server.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const app = useApp(world)
const NO_SUCH_USER: Refusal = { command: 'RCPT TO', responseCode: 550, text: '5.1.1 no such user' }
let refusal: Refusal | undefined
let server: MailServer

beforeAll(async () => {
  server = await startMailServer({ milliseconds: () => 0, treat: () => 'take', refusal: () => refusal })
  return () => server.stop()
})
beforeEach(() => {
  refusal = undefined
  server.taken.length = 0
})

/** An account with a contract, whose mail goes to a real SMTP server. */
async function aSender() {
  const mailer = openMailer('TRAXX <reminders@traxx.test>', server.url)
  const request = await anAccount(world, { services: { mailer } })
  const customer = await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId: customer.id, renewalDate: '2026-03-24' })
  const remind = () => sendReminder(request, contract)
  const bounce = () => getBounce(requireReader(request), customer)
  const notices = () => notificationsOf(request)
  const run = (text: string) => world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(text))
  return { request, customer, contract, remind, bounce, notices, run }
}

test('an address that the mail server refuses for good counts as mail that bounced', async () => {
  const { request, customer, remind, bounce, notices } = await aSender()
  refusal = NO_SUCH_USER
  await expect(remind()).rejects.toMatchObject({ key: 'REMINDER_FAILED' })
  expect(await ledgerOf(request)).toMatchObject([{ state: 'failed', reason: 'refused', sentOn: null }])
  expect(await bounce()).toMatchObject({ address: 'orders@harbor.test', answer: '550 5.1.1 no such user' })
  expect(await notices()).toMatchObject([{ title: 'Email to Harbor Bakery bounced' }])
  refusal = undefined
  await expect(remind()).rejects.toMatchObject({ key: 'REMINDER_ADDRESS_BOUNCED' })

  await asSubscriber(request, (ctx) => updateCustomer(ctx, { id: customer.id, email: 'office@harbor.test' }))
  await remind()
  expect(server.taken).toMatchObject([{ to: 'office@harbor.test' }])
  expect(await bounce()).toBeNull()
})

test.each(['by hand', 'from the outbox'])(
  'a message that is sent %s again to a corrected address leaves the old one to others as it was',
  async (how) => {
    const { request, customer, contract, remind, bounce, run } = await aSender()
    const other = await aCustomer(request, { name: 'Harbor Cafe', email: 'Orders@Harbor.TEST' })
    await run(`update contracts set reminders_since = '2026-01-01'`)
    const { id: contractId, renewalDate } = contract
    const line = { kind: 'reminder', offset: 7, recipient: 'customer', contactId: 0, channel: 'email' } as const
    const send = how === 'by hand' ? remind : () => sendReminderNow(request, { contractId, renewalDate, ...line })
    refusal = NO_SUCH_USER
    await expect(send()).rejects.toMatchObject({ key: 'REMINDER_FAILED' })
    refusal = undefined
    await asSubscriber(request, (ctx) => updateCustomer(ctx, { id: customer.id, email: 'office@harbor.test' }))
    await send()
    expect(server.taken).toMatchObject([{ to: 'office@harbor.test' }])
    expect(await ledgerOf(request)).toMatchObject([{ state: 'sent', address: 'office@harbor.test' }])

    expect(await bounce()).toBeNull()
    const bounced = { address: 'orders@harbor.test', answer: '550 5.1.1 no such user' }
    expect(await getBounce(requireReader(request), other)).toMatchObject(bounced)
    expect(await call(app, { url: `/customers/${other.id}/bounce`, headers: bearer(request) })).toMatchObject({
      status: 200,
      body: { bounce: bounced },
    })
    const theirs = await aContract(request, { customerId: other.id })
    await expect(sendReminder(request, theirs)).rejects.toMatchObject({ key: 'REMINDER_ADDRESS_BOUNCED' })
    expect(server.taken).toHaveLength(1)
  },
)

test('the owner is told once for an address, also of messages that are sent by themselves', async () => {
  const { request, customer, bounce, notices, run } = await aSender()
  await aContract(request, { customerId: customer.id, renewalDate: '2026-03-24' })
  await run(`update contracts set reminders_since = '2026-01-01'`)
  await run(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
  const ctx = { ...request, log: Fastify().log, signal: new AbortController().signal }
  await planReminders(ctx)
  refusal = NO_SUCH_USER
  await sendReminders(ctx)
  expect(await bounce()).not.toBeNull()
  const titles = (await notices()).filter(({ type }) => type === 'other').map(({ title }) => title)
  expect(titles.toSorted()).toEqual(['Email to Harbor Bakery bounced', 'Email to your address bounced'])
})

describe('a refusal', () => {
  test.each<[Refusal['command'], number, string]>([
    ['RCPT TO', 550, 'no such user'],
    ['RCPT TO', 553, '5.1.3 not an address'],
  ])('of the address, for good, counts: %s %i %s', async (command, responseCode, text) => {
    const { remind, bounce } = await aSender()
    refusal = { command, responseCode, text }
    await expect(remind()).rejects.toMatchObject({ key: 'REMINDER_FAILED' })
    expect(await bounce()).toMatchObject({ answer: `${responseCode} ${text}` })
  })

  test.each<[Refusal['command'], number, string]>([
    ['RCPT TO', 450, '4.1.1 try again later'],
    ['RCPT TO', 550, '5.7.1 you are on a list'],
    ['RCPT TO', 553, '5.1.8 no such sender'],
    ['RCPT TO', 554, 'relay access denied'],
    ['MAIL FROM', 550, '5.1.0 sender rejected'],
    ['DATA', 550, '5.7.1 looks like spam'],
  ])('of anything else does not: %s %i %s', async (command, responseCode, text) => {
    const { request, remind, bounce } = await aSender()
    refusal = { command, responseCode, text }
    await expect(remind()).rejects.toMatchObject({ key: 'REMINDER_FAILED' })
    expect(await ledgerOf(request)).toMatchObject([{ state: 'failed', answer: `${responseCode} ${text}` }])
    expect(await bounce()).toBeNull()
    refusal = undefined
    await remind()
    expect(server.taken).toMatchObject([{ to: 'orders@harbor.test' }])
  })
})
