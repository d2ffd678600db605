import Fastify, { type FastifyBaseLogger } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import type { MailLimits } from '#shared/domain/mail-limits.ts'
import type { RequestContext } from '#server/context.ts'
import { removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { removeCustomer } from '#server/customers/customers.service.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { notificationsOf } from '#support/notifications.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox, deferredMessage, lostConnection, noMailServer } from '#support/mailbox.ts'
import { fakeServices } from '#support/services.ts'
import {
  aContract,
  aCustomer,
  anAccount,
  asSubscriber,
  requestOf,
  requireReader,
  useWorld,
  type AccountOptions,
} from '#support/world.ts'
import { STORAGE } from '#server/limits/quotas.ts'
import { getMailLimits, sweepMailCounts } from './mail-limits.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { sendReminderNow } from '#server/reminders/outbox-actions.service.ts'
import { listReminders } from '#server/reminders/outbox.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'

const world = useWorld()
const HOUR = 3_600_000
const DAY = 24 * HOUR
const FOREVER = { toAddress: 1000, ofTrial: 1000, ofPaying: 1000 }

/** A mail server and a clock, for as many accounts and processes as a test needs. */
function aServer(limits: Partial<MailLimits> = {}, log: FastifyBaseLogger = Fastify().log) {
  let now = new Date('2026-03-10T08:00:00Z')
  const mailbox = aMailbox()
  const services = fakeServices({
    mailer: mailbox.mailer,
    now: () => now,
    billingNow: () => now,
    mailLimits: { ...FOREVER, ...limits },
  })
  const contextOf = (db: typeof world.db) => ({
    db,
    services,
    log,
    signal: new AbortController().signal,
  })
  return {
    ...mailbox,
    services,
    account: (options: Omit<AccountOptions, 'services'> = {}) => anAccount(world, { ...options, services }),
    plan: () => planReminders(contextOf(world.db)),
    send: () => sendReminders(contextOf(world.db)),
    sweep: () => sweepMailCounts(contextOf(world.db)),
    sendAs: (db: typeof world.db) => sendReminders(contextOf(db)),
    pass: (ms: number) => void (now = new Date(now.getTime() + ms)),
    to: (address: string) => mailbox.received.filter(({ to }) => to.includes(address)),
    toCustomers: () => mailbox.received.filter(({ to }) => to.some((one) => !one.startsWith('user_'))),
  }
}

function run(request: RequestContext, text: string) {
  return world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(text))
}

/** A contract with its own customer and a reminder that is due today. */
async function aDueContract(request: RequestContext, email: string, name = 'Acme Ltd') {
  const { id: customerId } = await aCustomer(request, { email, name })
  const contract = await aContract(request, { customerId, renewalDate: '2026-03-24' })
  await run(request, `update contracts set reminders_since = '2026-01-01'`)
  await run(request, `update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
  return { ...contract, customerId }
}

async function toCustomer(request: RequestContext) {
  return (await ledgerOf(request)).filter(({ recipient }) => recipient === 'customer')
}

function notices(request: RequestContext) {
  return notificationsOf(request).then((all) => all.filter(({ title }) => title.endsWith('waiting')))
}

describe('an address gets at most so many emails a day, from all accounts together', () => {
  const SPELLINGS = ['v@victim.test', 'V@Victim.Test', 'v+1@victim.test', 'v+2@victim.test', 'V+x@VICTIM.test']

  test('also where three servers send at once, and each account spells it differently', async () => {
    const server = aServer({ toAddress: 5 })
    const accounts: RequestContext[] = []
    for (let n = 0; n < 12; n += 1) {
      const account = await server.account()
      accounts.push(account)
      await aDueContract(account, SPELLINGS[n % SPELLINGS.length] ?? '')
    }
    await server.plan()
    const others = await Promise.all([openDatabase(world.connection), openDatabase(world.connection)])
    onTestFinished(async () => void (await Promise.all(others.map((db) => db.close()))))
    await Promise.all([world.db, ...others].map((db) => server.sendAs(db)))
    expect(server.toCustomers()).toHaveLength(5)
    const rows = (await Promise.all(accounts.map(toCustomer))).flat()
    expect(rows.filter(({ state }) => state === 'sent')).toHaveLength(5)
    expect(rows.filter(({ state }) => state === 'planned')).toHaveLength(7)
  })

  test('and what is over it goes out on the next day, at the account’s hour', async () => {
    const server = aServer({ toAddress: 1 })
    const [first, second] = [await server.account(), await server.account()]
    await aDueContract(first, 'v@victim.test')
    await aDueContract(second, 'v@victim.test')
    await server.plan()
    await server.send()
    server.pass(23 * HOUR)
    await server.send()
    expect(server.to('v@victim.test')).toHaveLength(1)
    server.pass(HOUR)
    await server.send()
    expect(server.to('v@victim.test')).toHaveLength(2)
  })

  test('and the security log says once a day that messages wait, without an address', async () => {
    const lines: Record<string, unknown>[] = []
    const { log } = Fastify({
      logger: { level: 'warn', stream: { write: (line) => void lines.push(JSON.parse(line)) } },
    })
    const server = aServer({ toAddress: 1 }, log)
    const account = await server.account()
    await aDueContract(account, 'v@victim.test', 'A')
    await server.plan()
    await server.send()
    await aDueContract(account, 'V@victim.test', 'B')
    for (let run = 0; run < 2; run += 1) {
      await server.plan()
      await server.send()
      server.pass(HOUR)
    }
    const met = { event: 'security', name: 'limit.met', limit: 'address_limit', account: account.caller?.id }
    expect(lines).toEqual([expect.objectContaining(met)])
    expect(JSON.stringify(lines)).not.toContain('victim')
  })

  test('however often contract, customer and account are made anew', async () => {
    const server = aServer({ toAddress: 2 })
    const account = await server.account()
    for (let n = 0; n < 2; n += 1) {
      const contract = await aDueContract(account, 'v@victim.test')
      await sendReminder(account, contract)
      await asSubscriber(account, (ctx) => removeContract(ctx, contract))
      await asSubscriber(account, (ctx) => removeCustomer(ctx, { id: contract.customerId }))
    }
    await expect(sendReminder(account, await aDueContract(account, 'v@victim.test'))).rejects.toMatchObject({
      key: 'REMINDER_ADDRESS_LIMIT',
      code: 'TOO_MANY_REQUESTS',
    })
    const another = await server.account()
    const contract = await aDueContract(another, 'v@victim.test')
    await expect(sendReminder(another, contract)).rejects.toThrow(
      "This address has reached today's limit of 2 emails. Please try again tomorrow",
    )
    expect(await toCustomer(another)).toEqual([])
    expect(server.toCustomers()).toHaveLength(2)
  })
})

describe('an account sends at most so many emails to customers a day', () => {
  async function anAccountWith(server: ReturnType<typeof aServer>, count: number, status = 'trialing') {
    const account = await server.account({ status })
    for (let n = 0; n < count; n += 1) await aDueContract(account, `c${n}@customers.test`, `Customer ${n}`)
    await server.plan()
    return account
  }

  test('in trial fewer than one that pays', async () => {
    const server = aServer({ ofTrial: 2, ofPaying: 4 })
    await anAccountWith(server, 6)
    await server.send()
    expect(server.toCustomers()).toHaveLength(2)
    await anAccountWith(server, 6, 'active')
    await server.send()
    expect(server.toCustomers()).toHaveLength(6)
  })

  test('also where three servers send at once', async () => {
    const server = aServer({ ofTrial: 7 })
    const account = await anAccountWith(server, 20)
    const others = await Promise.all([openDatabase(world.connection), openDatabase(world.connection)])
    onTestFinished(async () => void (await Promise.all(others.map((db) => db.close()))))
    await Promise.all([world.db, ...others].map((db) => server.sendAs(db)))
    expect(server.toCustomers()).toHaveLength(7)
    expect(await getMailLimits(requireReader(account))).toMatchObject({ sentToday: 7, limit: 7 })
  })

  test('the rest waits, says so, and the owner is told once a day', async () => {
    const server = aServer({ ofTrial: 1, ofPaying: 1000 })
    const account = await anAccountWith(server, 3)
    await server.send()
    const { rows } = await listReminders(requireReader(account), { state: 'planned', limit: 10, skip: 0 })
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({
      waitsFor: 'You have reached the daily limit of emails to customers',
      waitsUntil: new Date('2026-03-11T08:00:00Z'),
    })
    const contract = await aDueContract(account, 'late@customers.test')
    await expect(sendReminder(account, contract)).rejects.toMatchObject({ key: 'REMINDER_ACCOUNT_LIMIT' })
    expect(await notices(account)).toMatchObject([
      { message: expect.stringContaining('limit of 1 email to customers (1,000 with a paid plan)') },
    ])
    server.pass(DAY)
    await server.send()
    expect(await notices(account)).toHaveLength(2)
  })

  test('with the same owner an account that is made anew counts on', async () => {
    const server = aServer({ ofTrial: 1 })
    const account = await anAccountWith(server, 1)
    await server.send()
    const email = account.caller?.email ?? ''
    for (const table of ['reminders', 'contracts', 'customers']) await run(account, `delete from ${table}`)
    await world.db.system.query('select remove_proofs($1, 1000)', [account.caller?.id])
    await world.db.system.query('delete from accounts where id = $1', [account.caller?.id])
    const again = await server.account({ status: 'trialing' })
    await world.db.system.query('update accounts set email = $1 where id = $2', [email, again.caller?.id])
    const { id: customerId } = await aCustomer(again, { email: 'new@customers.test' })
    const contract = await aContract(again, { customerId })
    await expect(sendReminder(again, contract)).rejects.toMatchObject({ key: 'REMINDER_ACCOUNT_LIMIT' })
  })

  test('what the mail server did not take does not count, and what may have been sent does', async () => {
    const server = aServer({ ofTrial: 1 })
    const account = await anAccountWith(server, 1)
    for (const failure of [noMailServer(), deferredMessage(), lostConnection()]) {
      server.fail(failure)
      await server.send()
      server.pass(HOUR)
    }
    server.fail()
    expect(await getMailLimits(requireReader(account))).toMatchObject({ sentToday: 1 })
    expect(await toCustomer(account)).toMatchObject([{ state: 'sending', attempts: 3 }])
    await server.send()
    expect(await toCustomer(account)).toMatchObject([{ state: 'failed', reason: 'unknown' }])
    expect(server.toCustomers()).toEqual([])
  })

  test('the limit of zero stops all', async () => {
    const server = aServer({ ofTrial: 0 })
    await anAccountWith(server, 1)
    await server.send()
    expect(server.toCustomers()).toEqual([])
  })
})

describe('a message that waits for a limit', () => {
  async function aWaitingMessage() {
    const server = aServer({ ofPaying: 0 })
    const account = await server.account()
    const contract = await aDueContract(account, 'c@customers.test')
    await server.plan()
    await server.send()
    expect(await toCustomer(account)).toMatchObject([{ state: 'planned' }])
    return { server, account, contract }
  }

  test('is skipped as limited once its renewal date has passed', async () => {
    const { server, account } = await aWaitingMessage()
    for (let days = 0; days < 15; days += 1) {
      server.pass(DAY)
      await server.send()
    }
    expect(await toCustomer(account)).toMatchObject([{ state: 'skipped', reason: 'limited' }])
  })

  test('and once a newer one takes its place', async () => {
    const { server, account } = await aWaitingMessage()
    server.pass(7 * DAY)
    await server.plan()
    expect(await toCustomer(account)).toMatchObject([
      { state: 'skipped', reason: 'limited' },
      { state: 'planned', offset: 7 },
    ])
  })

  test.each([
    ['limited', { renewalDate: toDay('2026-06-01') }],
    ['limited', { status: 'expired' }],
  ] as const)('and once its contract is decided: %s', async (reason, changes) => {
    const { server, account, contract } = await aWaitingMessage()
    await asSubscriber(account, (ctx) => updateContract(ctx, { id: contract.id, ...changes }))
    server.pass(DAY)
    await server.send()
    expect(await toCustomer(account)).toMatchObject([{ state: 'skipped', reason }])
  })

  test('sent now by its owner, waits on and says so', async () => {
    const { account, contract } = await aWaitingMessage()
    const key = { contractId: contract.id, renewalDate: toDay('2026-03-24'), kind: 'reminder', offset: 14 } as const
    await expect(
      sendReminderNow(account, { ...key, recipient: 'customer', contactId: 0, channel: 'email' }),
    ).rejects.toMatchObject({
      key: 'REMINDER_WAITS_FOR_LIMIT',
      code: 'TOO_MANY_REQUESTS',
    })
    expect(await toCustomer(account)).toMatchObject([{ state: 'planned' }])
  })
})

test('counts of days that are long over are removed', async () => {
  const server = aServer({ toAddress: 1 })
  const account = await server.account()
  await sendReminder(account, await aDueContract(account, 'v@victim.test'))
  const days = async () => (await world.db.system.query('select day from mail_counts')).rowCount
  await server.sweep()
  expect(await days()).toBeGreaterThan(0)
  server.pass(7 * DAY)
  await server.sweep()
  expect(await days()).toBeGreaterThan(0)
  server.services.storage = { ...STORAGE, keptDays: { ...STORAGE.keptDays, mailCounts: 6 } }
  await server.sweep()
  expect(await days()).toBe(0)
})

test('an account sees its own count, and no other’s', async () => {
  const server = aServer({ ofTrial: 50, ofPaying: 1000 })
  const [account, other] = [await server.account({ status: 'trialing' }), await server.account()]
  await sendReminder(account, await aDueContract(account, 'c@customers.test'))
  expect(await getMailLimits(requireReader(account))).toEqual({
    sentToday: 1,
    limit: 50,
    limitPerAddress: 1000,
    limitWithPaidPlan: 1000,
    resetsAt: new Date('2026-03-11T00:00:00Z'),
  })
  const seen = await requestOf(world, other.caller?.clerkUserId ?? '', server.services)
  expect(await getMailLimits(requireReader(seen))).toMatchObject({ sentToday: 0, limitWithPaidPlan: null })
})
