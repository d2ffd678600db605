import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { getCustomer } from '#server/customers/customers.service.ts'
import { notificationsOf } from '#support/notifications.ts'
import { liftStop, tellOfStops } from '#server/deliverability/mail-stops.service.ts'
import { listReminders } from '#server/reminders/outbox.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { ListReminders } from '#shared/schemas/filters.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { ledgerOf } from '#support/ledger.ts'
import { signedMailEvent } from '#support/mail-event.ts'
import { aMailbox, noMailServer, refusedMessage } from '#support/mailbox.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const lines: string[] = []
const logTo = { write: (line: string) => void lines.push(line) }
const server = useApp(world, {}, { logTo })
const strict = useApp(world, {}, { limits: { reports: 2 } })

/** An account, its mail server, and a clock. */
async function anOffice(status = 'active') {
  const mailbox = aMailbox()
  let now = new Date('2026-03-10T12:00:00Z')
  const services = fakeServices({ mailer: mailbox.mailer, now: () => now, billingNow: () => now })
  const request = await anAccount(world, { status, services })
  const { accountId } = requireReader(request)
  const { log } = Fastify({ logger: { level: 'fatal', stream: logTo } })
  const ctx = { db: world.db, services, log, signal: new AbortController().signal }
  const run = (text: string) => world.db.writeAs(accountId, (em) => em.execute(text))
  return {
    ...mailbox,
    ctx,
    request,
    accountId,
    run,
    pass: (ms: number) => void (now = new Date(now.getTime() + ms)),
    notices: async () => (await notificationsOf(request)).map(({ title }) => title),
    stop: async () => (await call(server, { url: '/account/mail-stop', headers: bearer(request) })).body.stop,
  }
}

type Office = Awaited<ReturnType<typeof anOffice>>

/** A customer with a reminder in their mailbox, and the link to report it. */
async function aReader({ request, received }: Office, email: string) {
  const { id: customerId } = await aCustomer(request, { name: `Of ${email}`, email })
  await sendReminder(request, await aContract(request, { customerId }))
  const text = received.findLast(({ to }) => to.includes(email))?.text ?? ''
  return { customerId, link: /http:\/\/localhost:3000(\/report\/\S+)/.exec(text)?.[1] ?? '' }
}

const report = (link: string, reason: string, app = server) =>
  app.app.inject({
    method: 'POST',
    url: link,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `reason=${reason}`,
  })

test('following the link to report shows the message and the reasons, and changes nothing', async () => {
  const office = await anOffice()
  const { customerId, link } = await aReader(office, 'orders@harbor.test')
  const page = await server.app.inject({ url: link })
  expect(page).toMatchObject({ statusCode: 200, headers: { 'referrer-policy': 'no-referrer' } })
  for (const text of ['Report this message', 'I do not know this sender', 'This looks like fraud', 'March 10, 2026']) {
    expect(page.body).toContain(text)
  }
  expect(await getCustomer(requireReader(office.request), { id: customerId })).toMatchObject({ mailClosed: null })
})

test('a report closes the address, is kept without anything of the reader, and is told', async () => {
  const office = await anOffice()
  const { customerId, link } = await aReader(office, 'orders@harbor.test')
  expect(await report(link, 'fraud')).toMatchObject({ statusCode: 200, body: expect.stringContaining('Thank you') })
  expect(await report(link, 'unwanted')).toMatchObject({ statusCode: 200 })
  const customer = await getCustomer(requireReader(office.request), { id: customerId })
  expect(customer).toMatchObject({ sendNotifications: false, mailClosed: { reason: 'complained' } })
  const [row] = await ledgerOf(office.request)
  expect(await office.run('select * from complaints')).toEqual([
    {
      account_id: office.accountId,
      id: expect.any(Number),
      reminder_id: row?.id,
      source: 'report',
      reason: 'fraud',
      complained_at: expect.anything(),
    },
  ])
  expect(await office.notices()).toEqual(['Of orders@harbor.test reported a reminder as spam'])
  expect(await office.stop()).toBeNull()
})

test.each(['', 'nonsense'])('a report without a reason (%j) asks for one, and changes nothing', async (reason) => {
  const office = await anOffice()
  const { link } = await aReader(office, 'orders@harbor.test')
  expect(await report(link, reason)).toMatchObject({
    statusCode: 400,
    body: expect.stringContaining('Please choose a reason'),
  })
  expect(await office.run('select * from complaints')).toEqual([])
})

test('a forged link reports nothing', async () => {
  const office = await anOffice()
  const { link } = await aReader(office, 'orders@harbor.test')
  const forged = link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  for (const url of [forged, '/report/x', link.replace('m', '')]) {
    expect(await report(url, 'fraud')).toMatchObject({ statusCode: 404 })
    expect(await server.app.inject({ url })).toMatchObject({ statusCode: 404 })
  }
  expect(await office.run('select * from complaints')).toEqual([])
})

test('a form that is far too long is refused', async () => {
  const answer = await report('/report/x', 'x'.repeat(2000))
  expect(answer.statusCode).toBe(413)
  expect(answer.body).toContain('The request is larger than the server accepts')
})

test('reports are limited for each address of the network', async () => {
  const office = await anOffice()
  const { link } = await aReader(office, 'orders@harbor.test')
  const statuses: number[] = []
  for (let n = 0; n < 3; n += 1) statuses.push((await report(link, 'fraud', strict)).statusCode)
  expect(statuses).toEqual([200, 200, 429])
})

test('an account whose readers complain too often is stopped: its messages wait, and it is told once by mail', async () => {
  const office = await anOffice()
  const readers = []
  for (const email of ['a@harbor.test', 'b@harbor.test', 'c@harbor.test']) readers.push(await aReader(office, email))
  const { id: customerId } = await aCustomer(office.request, { email: 'next@harbor.test' })
  const contract = await aContract(office.request, { customerId })
  for (const { link } of readers.slice(0, 2)) await report(link, 'unwanted')
  // The same reader once more is no third complaint.
  const [first] = readers
  await report(first?.link ?? '', 'fraud')
  expect(await office.stop()).toBeNull()
  await report(readers[2]?.link ?? '', 'unknown_sender')
  expect(await office.stop()).toMatchObject({ complaints: 3, mails: 3, contact: 'owner@traxx.test' })
  expect(await office.notices()).toContain('Messages to your customers are paused')
  await expect(sendReminder(office.request, contract)).rejects.toMatchObject({ key: 'MAIL_STOPPED' })

  office.received.length = 0
  office.fail(noMailServer())
  await tellOfStops(office.ctx)
  office.fail()
  await tellOfStops(office.ctx)
  await tellOfStops(office.ctx)
  expect(office.received.map(({ to, subject }) => [...to, subject])).toEqual([
    [office.request.caller?.email, 'Messages to your customers are paused'],
    ['owner@traxx.test', 'Customer emails of an account were paused'],
  ])
})

/** Its mail is paused, and nobody has been told. */
async function aStoppedOffice() {
  const office = await anOffice()
  await office.run(
    `insert into mail_stops (account_id, stopped_at, complaints, mails) values (${office.accountId}, now(), 3, 3)`,
  )
  return office
}

test('the operator is told once of a stop whose owner has no verified address', async () => {
  const office = await aStoppedOffice()
  await world.db.system.query(`update accounts set email = ''`)
  for (let turn = 0; turn < 2; turn += 1) await tellOfStops(office.ctx)
  expect(office.received.map(({ to }) => to)).toEqual([['owner@traxx.test']])
  expect(office.received[0]?.text).toContain(`Account ${office.accountId}, without a verified email address:`)
  expect(office.received[0]?.text).toContain(`npm run operator -- lift-stop ${office.accountId}`)
})

test('and of one whose owner has an address that takes no mail', async () => {
  const office = await aStoppedOffice()
  office.fail(refusedMessage(), (to) => to === office.request.caller?.email)
  for (let turn = 0; turn < 2; turn += 1) await tellOfStops(office.ctx)
  expect(office.received.map(({ to }) => to)).toEqual([['owner@traxx.test']])
})

test('what waits for a stop is sent when it is lifted, and skipped for it when it is too late', async () => {
  const office = await anOffice()
  const { id: customerId } = await aCustomer(office.request, { email: 'next@harbor.test' })
  await aContract(office.request, { customerId, renewalDate: '2026-03-24' })
  await office.run(`update contracts set reminders_since = '2026-01-01'`)
  await office.run(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
  await office.run(
    `insert into mail_stops (account_id, stopped_at, complaints, mails) values (${office.accountId}, now(), 3, 3)`,
  )
  await planReminders(office.ctx)
  await sendReminders(office.ctx)
  const toCustomer = async () => (await ledgerOf(office.request)).find(({ recipient }) => recipient === 'customer')
  expect(await toCustomer()).toMatchObject({ state: 'planned', attempts: 0 })
  expect(office.received.map(({ to }) => to[0])).toEqual([office.request.caller?.email])
  const listed = await listReminders(requireReader(office.request), ListReminders.parse({ state: 'planned' }))
  expect(listed.rows).toMatchObject([{ obstacle: 'Mail to customers was paused' }])

  expect(await liftStop(office.ctx, office.accountId, office.ctx.services.now())).toBe(true)
  expect(await liftStop(office.ctx, office.accountId, office.ctx.services.now())).toBe(false)
  await sendReminders(office.ctx)
  expect(await toCustomer()).toMatchObject({ state: 'sent' })
  expect(await office.stop()).toBeNull()
})

test('a message that waits for a stop until it is too late says so', async () => {
  const office = await anOffice()
  const { id: customerId } = await aCustomer(office.request, { email: 'next@harbor.test' })
  await aContract(office.request, { customerId, renewalDate: '2026-03-24' })
  await office.run(`update contracts set reminders_since = '2026-01-01'`)
  await office.run(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
  await office.run(
    `insert into mail_stops (account_id, stopped_at, complaints, mails) values (${office.accountId}, now(), 3, 3)`,
  )
  await planReminders(office.ctx)
  await sendReminders(office.ctx)
  office.pass(15 * 86_400_000)
  await sendReminders(office.ctx)
  const rows = (await ledgerOf(office.request)).filter(({ recipient }) => recipient === 'customer')
  expect(rows).toMatchObject([{ state: 'skipped', reason: 'mail_stopped' }])
})

test.each([
  ['first', 1, expect.objectContaining({ complaints: 2 })],
  ['later', 40, null],
])('two complaints about an account whose %s payment failed', async (_which, daysSinceTrial, stop) => {
  const office = await anOffice()
  const readers = [await aReader(office, 'a@harbor.test'), await aReader(office, 'b@harbor.test')]
  await office.run(
    `update subscriptions set status = 'past_due', past_due_since = '2026-03-09',
      trial_end = timestamptz '2026-03-09' - interval '${daysSinceTrial} days'`,
  )
  for (const { link } of readers) await report(link, 'unwanted')
  expect(await office.stop()).toEqual(stop)
})

test('in a trial two complaints are enough, and what was before a stop was lifted counts no more', async () => {
  const office = await anOffice('trialing')
  const readers = []
  for (const email of ['a@harbor.test', 'b@harbor.test', 'c@harbor.test']) readers.push(await aReader(office, email))
  await report(readers[0]?.link ?? '', 'unwanted')
  expect(await office.stop()).toBeNull()
  await report(readers[1]?.link ?? '', 'unwanted')
  expect(await office.stop()).toMatchObject({ complaints: 2 })
  await liftStop(office.ctx, office.accountId, office.ctx.services.now())
  await report(readers[2]?.link ?? '', 'unwanted')
  expect(await office.stop()).toBeNull()
})

test('messages that an archive has brought, and complaints about them, do not count', async () => {
  const office = await anOffice('trialing')
  const readers = [await aReader(office, 'a@harbor.test'), await aReader(office, 'b@harbor.test')]
  await report(readers[0]?.link ?? '', 'unwanted')
  await office.run(`update reminders set message_id = null where address = 'a@harbor.test'`)
  await report(readers[1]?.link ?? '', 'unwanted')
  expect(await office.run('select 1 from complaints')).toHaveLength(2)
  expect(await office.stop()).toBeNull()
})

test('a stop and its lifting are in the security log once, without anything of the reader', async () => {
  const office = await anOffice('trialing')
  const readers = [await aReader(office, 'a@harbor.test'), await aReader(office, 'b@harbor.test')]
  const messageId = office.received[1]?.messageId.slice(1, -1) ?? ''
  lines.length = 0
  await report(readers[0]?.link ?? '', 'fraud')
  const payload = signedMailEvent({ event: 'complained', messageId })
  expect(await call(server, { method: 'POST', url: '/mail/webhook', payload })).toMatchObject({ status: 200 })
  for (let turn = 0; turn < 2; turn += 1) await tellOfStops(office.ctx)
  await liftStop(office.ctx, office.accountId, office.ctx.services.now())
  for (let turn = 0; turn < 2; turn += 1) await tellOfStops(office.ctx)
  const whole = lines.filter((line) => line.includes('"security"'))
  const common = { account: office.accountId }
  expect(whole.map((line) => JSON.parse(line))).toMatchObject([
    { ...common, name: 'message.reported', actor: `customer:${readers[0]?.customerId}`, id: 1, reason: 'fraud' },
    { ...common, name: 'mail.stopped', actor: 'mail-provider', complaints: 2, mails: 2 },
    { ...common, name: 'mail.resumed', actor: 'operator' },
  ])
  expect(whole).toHaveLength(3)
  expect(whole.join('')).not.toContain('harbor')
})
