import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { companyNameFault } from '#shared/domain/company-name.ts'
import { updateCompany } from '#server/company/company.service.ts'
import { emailWaitingOwners } from '#server/company/email-waiting-owners.ts'
import { notificationsOf } from '#support/notifications.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox, deferredMessage } from '#support/mailbox.ts'
import { fakeServices } from '#support/services.ts'
import { requireAccount } from '#server/context.ts'
import { refreshAccount } from '#server/identity/accounts.service.ts'
import { openCallers } from '#server/identity/callers.ts'
import { aClerk } from '#support/person-at-clerk.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requestOf, requireReader, useWorld } from '#support/world.ts'
import { sendReminder } from './manual-reminders.service.ts'
import { sendReminderNow } from './outbox-actions.service.ts'
import { planReminders } from './plan-reminders.ts'
import { sendReminders } from './sending/send-reminders.ts'
import { previewText, sendTestText } from '#server/reminder-settings/texts.service.ts'

const world = useWorld()
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** An account, without a company name unless one is given, with a contract of which a reminder is due today. */
async function aServer({
  company = null,
  renewalDate = '2026-03-24',
}: { company?: string | null; renewalDate?: string } = {}) {
  let now = new Date('2026-03-10T08:00:00Z')
  const mailbox = aMailbox()
  const services = fakeServices({ mailer: mailbox.mailer, now: () => now, billingNow: () => now })
  const ctx = { db: world.db, services, log: Fastify().log, signal: new AbortController().signal }
  const request = await anAccount(world, { services, company })
  const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId, startDate: '2026-01-01', renewalDate })
  await world.db.writeAs(request.caller?.id ?? 0, async (em) => {
    await em.execute(`update contracts set reminders_since = '2026-01-01'`)
    await em.execute(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
  })
  return {
    ...mailbox,
    ctx,
    request,
    contract,
    run: async () => {
      await planReminders(ctx)
      await sendReminders(ctx)
      await emailWaitingOwners(ctx)
    },
    pass: (ms: number) => void (now = new Date(now.getTime() + ms)),
    name: (name: string) => asSubscriber(request, (subscriber) => updateCompany(subscriber, { name })),
    mailToCustomer: () => mailbox.received.filter(({ to }) => to.includes('orders@harbor.test')),
    aboutWaiting: () =>
      mailbox.received.filter(
        ({ subject }) => subject === 'Enter your company name to send messages to your customers',
      ),
    toCustomer: async () => (await ledgerOf(request)).filter(({ recipient }) => recipient === 'customer'),
  }
}

test('without a company name a message to a customer waits, and the owner has theirs', async () => {
  const server = await aServer()
  await server.run()
  expect(server.mailToCustomer()).toEqual([])
  expect(server.received.map(({ subject }) => subject)).toContain('Acme Ltd renews in 14 days')
  expect(await server.toCustomer()).toMatchObject([{ state: 'planned', reason: null, attempts: 0 }])
})

test('with the name, what has waited is sent under it in the next run', async () => {
  const server = await aServer()
  await server.run()
  await server.name('Mill & Sons')
  await server.run()
  expect(server.mailToCustomer()).toMatchObject([
    { from: 'Mill & Sons <reminders@traxx.test>', text: expect.stringContaining('your contract with Mill & Sons') },
  ])
  expect(server.mailToCustomer()[0]?.text).not.toContain(server.request.caller?.email)
  expect(await server.toCustomer()).toMatchObject([{ state: 'sent' }])
})

test('the owner is mailed and notified once, however long it takes', async () => {
  const server = await aServer()
  for (let days = 0; days < 4; days += 1) {
    await server.run()
    server.pass(DAY)
  }
  const told = server.aboutWaiting()
  expect(told).toMatchObject([{ to: [server.request.caller?.email], from: 'TRAXX <reminders@traxx.test>' }])
  expect(told[0]?.text).toContain('http://localhost:3000/company')
  const notifications = await notificationsOf(server.request)
  const waiting = notifications.filter(({ title }) => title === 'Messages to your customers are waiting')
  expect(waiting).toMatchObject([{ actionUrl: '/company' }])
})

test('an owner whose mail server is away for a while is told later', async () => {
  const server = await aServer()
  server.fail(deferredMessage())
  await server.run()
  expect(server.aboutWaiting()).toEqual([])
  server.fail()
  await server.run()
  await server.run()
  expect(server.aboutWaiting()).toHaveLength(1)
})

test('it is skipped with a plain reason once it is too late', async () => {
  const server = await aServer({ renewalDate: '2026-03-11' })
  await server.run()
  expect(await server.toCustomer()).toMatchObject([{ state: 'planned' }])
  server.pass(2 * DAY)
  await world.db.writeAs(server.request.caller?.id ?? 0, (em) =>
    em.execute(`update reminder_preferences set follow_up_days = '{}'`),
  )
  await sendReminders(server.ctx)
  expect(await server.toCustomer()).toMatchObject([{ state: 'skipped', reason: 'no_company' }])
})

test('without a verified address a message to a customer waits too, and is sent once there is one', async () => {
  const server = await aServer({ company: 'Mill & Sons' })
  await world.db.system.query(`update accounts set email = ''`)
  await server.run()
  expect(server.received).toEqual([])
  expect(await server.toCustomer()).toMatchObject([{ state: 'planned', reason: null, attempts: 0 }])
  await expect(sendReminder(server.request, server.contract)).rejects.toMatchObject({ key: 'EMAIL_UNVERIFIED' })
  const text = { kind: 'reminder', subject: 'Hello', body: 'Yours' } as const
  await expect(sendTestText(requireReader(server.request), text)).rejects.toMatchObject({ key: 'EMAIL_UNVERIFIED' })
  await world.db.system.query(`update accounts set email = 'ann@mill.test'`)
  server.pass(HOUR)
  await server.run()
  expect(server.mailToCustomer()).toMatchObject([{ replyTo: 'ann@mill.test' }])
})

test('what waits for a verified address is due at once when the server learns of it, and nothing before its day', async () => {
  const server = await aServer({ company: 'Mill & Sons' })
  await world.db.system.query(`update accounts set email = ''`)
  await server.run()
  let status = 'unverified'
  await using provider = await aClerk(() => ({ email: 'ann@mill.test', status }))
  const services = { ...server.ctx.services, clerk: provider.clerk }
  const asked = await requestOf(world, server.request.caller?.clerkUserId ?? '', services)
  expect(await refreshAccount(requireAccount(asked))).toMatchObject({ email: '' })
  await sendReminders(server.ctx)
  expect(server.mailToCustomer()).toEqual([])
  status = 'verified'
  expect(await refreshAccount(requireAccount(asked))).toMatchObject({ email: 'ann@mill.test' })
  await sendReminders(server.ctx)
  expect(server.mailToCustomer()).toMatchObject([{ replyTo: 'ann@mill.test' }])
})

test('so it is when the server asks by itself', async () => {
  const server = await aServer({ company: 'Mill & Sons' })
  await world.db.system.query(`update accounts set email = ''`)
  await server.run()
  await using provider = await aClerk(() => ({ email: 'ann@mill.test' }))
  const callers = openCallers(world.db, { ...server.ctx.services, clerk: provider.clerk })
  const find = () => callers.find(`session:${server.request.caller?.clerkUserId}`)
  await expect.poll(find).toMatchObject({ email: 'ann@mill.test' })
  await sendReminders(server.ctx)
  expect(server.mailToCustomer()).toMatchObject([{ replyTo: 'ann@mill.test' }])
})

test('what waits keeps no other account waiting', async () => {
  const waiting = await aServer()
  const named = await aServer({ company: 'Mill & Sons' })
  await waiting.run()
  expect(waiting.mailToCustomer()).toMatchObject([{ from: 'Mill & Sons <reminders@traxx.test>' }])
  expect(await named.toCustomer()).toMatchObject([{ state: 'sent' }])
  await world.db.writeAs(waiting.request.caller?.id ?? 0, async (em) => {
    const rows = await em.execute<{ wait: number }[]>(
      `select extract(epoch from next_attempt_at)::int as wait from reminders where state = 'planned'`,
    )
    expect(rows).toEqual([{ wait: (Date.parse('2026-03-10T08:00:00Z') + HOUR) / 1000 }])
  })
})

describe('by hand', () => {
  test('a reminder is refused until there is a name', async () => {
    const server = await aServer()
    await expect(sendReminder(server.request, server.contract)).rejects.toMatchObject({
      key: 'COMPANY_NAME_REQUIRED',
      details: { success: false },
    })
    const key = { contractId: server.contract.id, renewalDate: server.contract.renewalDate, offset: 14 }
    const message = { ...key, kind: 'reminder', recipient: 'customer', contactId: 0, channel: 'email' } as const
    await expect(sendReminderNow(server.request, message)).rejects.toMatchObject({ key: 'COMPANY_NAME_REQUIRED' })
    expect(await server.toCustomer()).toEqual([])
    await server.name('Mill & Sons')
    await expect(sendReminder(server.request, server.contract)).resolves.toMatchObject({ success: true })
  })

  test('a preview and a test to oneself never show the address of the account as the sender', async () => {
    const server = await aServer()
    const text = { kind: 'reminder', subject: 'From {{company}}', body: 'Yours, {{company}}' } as const
    expect(await previewText(requireReader(server.request), text)).toMatchObject({ subject: 'From Your company' })
    await sendTestText(requireReader(server.request), text)
    expect(server.received).toMatchObject([
      { from: 'TRAXX <reminders@traxx.test>', subject: 'Test: From Your company' },
    ])
  })
})

test.each(['demo@traxx.test', '\u200b', 'TRAXX Support'])(
  'a stored name that says nothing is none: %j',
  async (company) => {
    const server = await aServer({ company })
    await server.run()
    expect(server.mailToCustomer()).toEqual([])
  },
)

test.each(['Visit mill.example', '=?utf-8?q?Bank?=', '\u202eBank'])(
  'a stored name is made plain: %j',
  async (company) => {
    const server = await aServer({ company })
    await server.run()
    const [mail] = server.mailToCustomer()
    const sender = mail?.from.replace(' <reminders@traxx.test>', '') ?? ''
    expect(companyNameFault(sender)).toBeUndefined()
    expect(mail?.text).toContain(`your contract with ${sender}`)
  },
)
