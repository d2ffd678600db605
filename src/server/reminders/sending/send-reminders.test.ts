import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import type { Database } from '#server/db/database.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { notificationsOf } from '#support/notifications.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox, deferredMessage, lostConnection, noMailServer, refusedMessage } from '#support/mailbox.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { claim } from './claim.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { sendReminderNow } from '#server/reminders/outbox-actions.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendBatch, sendReminders } from './send-reminders.ts'
import { saveSettings } from '#server/reminder-settings/settings.service.ts'

const world = useWorld()
const MINUTE = 60_000

/** An account with a contract of which a reminder is due today, a mail server, and a clock. */
async function aServer() {
  let now = new Date('2026-03-10T08:00:00Z')
  const mailbox = aMailbox()
  const services = fakeServices({ mailer: mailbox.mailer, now: () => now, billingNow: () => now })
  const ctx = { db: world.db, services, log: Fastify().log, signal: new AbortController().signal }
  const request = await anAccount(world, { services })
  const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId, renewalDate: '2026-03-24' })
  const run = (text: string) => world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(text))
  await run(`update contracts set reminders_since = '2026-01-01'`)
  await run(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
  return {
    ...mailbox,
    ctx,
    request,
    customerId,
    contract,
    run,
    plan: () => planReminders(ctx),
    send: () => sendReminders(ctx),
    pass: (ms: number) => void (now = new Date(now.getTime() + ms)),
    toCustomer: async () => (await ledgerOf(request)).filter(({ recipient }) => recipient === 'customer'),
    mailToCustomer: () => mailbox.received.filter(({ to }) => to.includes('orders@harbor.test')),
  }
}

test('what is due is planned and sent by itself, to the customer and the owner, once', async () => {
  const server = await aServer()
  await server.plan()
  await server.send()
  await server.plan()
  await server.send()
  expect(server.received.map(({ subject }) => subject).toSorted()).toEqual([
    'Acme Ltd renews in 14 days',
    'Your contract is due for renewal on March 24, 2026',
  ])
  expect((await ledgerOf(server.request)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
})

test('an account that cannot be planned leaves the others to be planned', async () => {
  const broken = await aServer()
  const server = await aServer()
  const id = broken.request.caller?.id ?? 0
  await world.db.system.query(`update accounts set time_zone = 'Nowhere' where id = $1`, [id])
  await server.plan()
  expect(await ledgerOf(server.request)).toHaveLength(3)
  expect(await ledgerOf(broken.request)).toEqual([])
})

test('two senders at once send nothing twice', async () => {
  const server = await aServer()
  await server.plan()
  await Promise.all([server.send(), server.send(), server.send()])
  expect(server.received).toHaveLength(2)
})

test('what the mail server takes long over, nobody else sends meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await aServer()
  await server.plan()
  const taken = Promise.withResolvers<void>()
  const { mailer } = server.ctx.services
  const send = vi.fn<Mailer['send']>(async (message) => {
    await taken.promise
    return mailer.send(message)
  })
  const first = sendReminders({ ...server.ctx, services: { ...server.ctx.services, mailer: { ...mailer, send } } })
  await expect.poll(() => send.mock.calls.length).toBe(2)
  for (let minute = 0; minute < 10; minute += 1) {
    const [before] = await server.toCustomer()
    server.pass(MINUTE)
    vi.advanceTimersByTime(MINUTE)
    await expect.poll(async () => (await server.toCustomer())[0]?.nextAttemptAt).not.toEqual(before?.nextAttemptAt)
  }
  await server.send()
  expect(server.received).toEqual([])
  taken.resolve()
  await first
  expect(server.mailToCustomer()).toHaveLength(1)
  expect(await server.toCustomer()).toMatchObject([{ state: 'sent', attempts: 1, repeats: 0 }])
})

test('a lease that is put off late does not move the next attempt', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await aServer()
  await server.plan()
  const lost = Promise.withResolvers<never>()
  const send = vi.fn<Mailer['send']>(() => lost.promise)
  const mailer = { ...server.ctx.services.mailer, send }
  const answers = Promise.withResolvers<void>()
  const renewals: Promise<unknown>[] = []
  let isSlow = false
  let writes = 0
  const writeAs: Database['writeAs'] = (accountId, work) => {
    writes += 1
    if (!isSlow) return world.db.writeAs(accountId, work)
    const renewal = answers.promise.then(() => world.db.writeAs(accountId, work))
    renewals.push(renewal)
    return renewal
  }
  const slowly = { ...server.ctx, db: { ...world.db, writeAs }, services: { ...server.ctx.services, mailer } }
  const first = sendReminders(slowly)
  await expect.poll(() => send.mock.calls.length).toBe(2)
  isSlow = true
  vi.advanceTimersByTime(MINUTE)
  await expect.poll(() => renewals.length).toBe(2)
  isSlow = false
  const before = writes
  lost.reject(lostConnection())
  // Whoever did not wait for the database would begin to write down the next attempt at once.
  await setImmediate()
  expect(writes).toBe(before)
  answers.resolve()
  await Promise.all([first, ...renewals])
  expect(await server.toCustomer()).toMatchObject([{ state: 'sending', nextAttemptAt: '2026-03-10 08:01:00+00' }])
})

describe('a sender that was frozen until somebody else took its message', () => {
  test.each([
    ['sent', undefined],
    ['deferred', deferredMessage()],
    ['refused', refusedMessage()],
    ['lost', lostConnection()],
  ])('changes nothing of it any more, though its own attempt was %s', async (_outcome, failure) => {
    const server = await aServer()
    await server.plan()
    const [row] = await server.toCustomer()
    const batch = { accountId: server.request.caller?.id ?? 0, ids: [row?.id ?? 0] }
    const { mailer } = server.ctx.services
    const send: Mailer['send'] = async (message) => {
      server.pass(6 * MINUTE)
      expect((await claim(server.ctx, batch)).mails).toHaveLength(1)
      if (failure) throw failure
      return mailer.send(message)
    }
    const before = 'state, sending_at, next_attempt_at, attempts, repeats, answer'
    const services = { ...server.ctx.services, mailer: { ...mailer, send } }
    await sendBatch({ ...server.ctx, services }, batch)
    const now = await server.run(`select ${before} from reminders where id = ${row?.id}`)
    expect(now).toMatchObject([
      {
        state: 'sending',
        sending_at: '2026-03-10 08:06:00+00',
        next_attempt_at: '2026-03-10 08:11:00+00',
        attempts: 2,
        repeats: 1,
        answer: null,
      },
    ])
  })

  test('is not taken for one where a second passes while a message is sent by hand', async () => {
    const server = await aServer()
    const { services } = server.request
    const now = () => {
      server.pass(1000)
      return services.now()
    }
    await sendReminder({ ...server.request, services: { ...services, now } }, server.contract)
    expect(await server.toCustomer()).toMatchObject([{ kind: 'manual', state: 'sent' }])
  })
})

describe('where the mail server is away', () => {
  test('a message waits and is tried again, ever less often', async () => {
    const server = await aServer()
    await server.plan()
    server.fail(noMailServer())
    for (const minutes of [0, 1, 4, 10]) {
      server.pass(minutes * MINUTE)
      await server.send()
    }
    expect(await server.toCustomer()).toMatchObject([{ state: 'planned', attempts: 3 }])
    server.fail()
    server.pass(15 * MINUTE)
    await server.send()
    expect(await server.toCustomer()).toMatchObject([{ state: 'sent', attempts: 4, repeats: 0 }])
    expect(server.mailToCustomer()).toHaveLength(1)
  })

  test('until it is too late, which is written down', async () => {
    const server = await aServer()
    await server.plan()
    server.fail(noMailServer())
    await server.send()
    server.fail()
    server.pass(15 * 24 * 60 * MINUTE)
    await server.send()
    expect(await server.toCustomer()).toMatchObject([{ state: 'skipped', reason: 'too_late' }])
    expect(server.received).toEqual([])
  })
})

test('messages that the mail server does not take for now hold up no other', async () => {
  const server = await aServer()
  for (let i = 0; i < 25; i++) {
    const { id: customerId } = await aCustomer(server.request, { email: `full${i}@harbor.test` })
    await aContract(server.request, { customerId, renewalDate: '2026-03-24' })
  }
  await server.run(`update contracts set reminders_since = '2026-01-01'`)
  await server.plan()
  server.fail(deferredMessage(), (to) => to.startsWith('full'))
  await server.send()
  expect(server.mailToCustomer()).toHaveLength(1)
  const customers = await server.toCustomer()
  expect(customers.filter(({ state, attempts }) => state === 'planned' && attempts === 1)).toHaveLength(25)
})

test('a message that the mail server refuses for good has failed, with its words', async () => {
  const server = await aServer()
  await server.plan()
  server.fail(refusedMessage())
  await server.send()
  expect(await server.toCustomer()).toMatchObject([{ state: 'failed', reason: 'refused', answer: '550 no such user' }])
})

test('the owner is told of messages that were given up', async () => {
  const server = await aServer()
  await server.plan()
  server.fail(refusedMessage())
  await server.send()
  const message = 'A reminder could not be sent. The mail server refused the message: 550 no such user.'
  const actionUrl = '/reminders?tab=ledger&state=failed'
  const titles = ['Email to Acme Ltd failed', 'Email to your address failed']
  const notices = await notificationsOf(server.request)
  const told = notices.filter(({ type }) => type === 'other')
  expect(told.toSorted((one, other) => (one.title < other.title ? -1 : 1))).toMatchObject(
    titles.map((title) => ({ title, message, actionUrl })),
  )
})

describe('where nobody can tell whether a message was sent', () => {
  test('it is sent once more under the same Message-ID, and the ledger says so', async () => {
    const server = await aServer()
    await server.plan()
    server.fail(lostConnection())
    await server.send()
    const [before] = await server.toCustomer()
    expect(before).toMatchObject({ state: 'sending', repeats: 0 })
    server.fail()
    server.pass(MINUTE)
    await server.send()
    expect(await server.toCustomer()).toMatchObject([{ state: 'sent', repeats: 1, messageId: before?.messageId }])
  })

  test('it is not sent a third time', async () => {
    const server = await aServer()
    await server.plan()
    server.fail(lostConnection())
    for (let n = 0; n < 4; n += 1) {
      await server.send()
      server.pass(60 * MINUTE)
    }
    expect(await server.toCustomer()).toMatchObject([{ state: 'failed', reason: 'unknown', attempts: 2, repeats: 1 }])
    const notices = await notificationsOf(server.request)
    const says = expect.stringContaining('We could not tell whether the message was sent')
    expect(notices.filter(({ title }) => title === 'Email to Acme Ltd failed')).toMatchObject([{ message: says }])
  })

  test('its owner can send it again after it was given up, however often', async () => {
    const server = await aServer()
    await server.plan()
    const { id: contractId, renewalDate } = server.contract
    const line = { recipient: 'customer', contactId: 0, channel: 'email' } as const
    const key = { contractId, renewalDate, kind: 'reminder', offset: 14, ...line } as const
    server.fail(lostConnection())
    for (let n = 0; n < 3; n += 1) {
      await server.send()
      server.pass(60 * MINUTE)
    }
    expect(await server.toCustomer()).toMatchObject([{ state: 'failed', reason: 'unknown', repeats: 1 }])
    server.fail()
    expect(await sendReminderNow(server.request, key)).toMatchObject({ success: true })
    expect(await server.toCustomer()).toMatchObject([{ state: 'sent', repeats: 1 }])
  })

  test('a crash between sending and writing it down is such a case, after five minutes', async () => {
    const server = await aServer()
    await server.plan()
    const [row] = await server.toCustomer()
    await claim(server.ctx, { ids: [row?.id ?? 0], accountId: server.request.caller?.id ?? 0 })
    await server.send()
    expect(server.mailToCustomer()).toEqual([])
    server.pass(5 * MINUTE)
    await server.send()
    expect(server.mailToCustomer()).toHaveLength(1)
    expect(await server.toCustomer()).toMatchObject([{ state: 'sent', repeats: 1 }])
  })
})

describe('a message that waits', () => {
  test.each([
    ['closed', { status: 'expired' }],
    ['date_changed', { renewalDate: toDay('2026-05-01') }],
  ] as const)('is not sent any more: %s', async (reason, changes) => {
    const server = await aServer()
    await server.plan()
    await asSubscriber(server.request, (ctx) => updateContract(ctx, { id: server.contract.id, ...changes }))
    await server.send()
    expect(server.received).toEqual([])
    expect(await server.toCustomer()).toMatchObject([{ state: 'skipped', reason }])
  })

  test('is not sent any more once its contract is deleted', async () => {
    const server = await aServer()
    await server.plan()
    await asSubscriber(server.request, (ctx) => removeContract(ctx, server.contract))
    await server.send()
    expect(await server.toCustomer()).toMatchObject([{ state: 'skipped', reason: 'contract_deleted' }])
  })

  test('is not sent any more once the subscription has ended', async () => {
    const server = await aServer()
    await server.plan()
    await server.run(`update subscriptions set status = 'canceled', ended_at = '2026-03-10'`)
    await server.send()
    expect(server.received).toEqual([])
    expect(await server.toCustomer()).toMatchObject([{ state: 'skipped', reason: 'no_access' }])
  })

  test('goes to the address that the customer has by then', async () => {
    const server = await aServer()
    await server.plan()
    await asSubscriber(server.request, (ctx) =>
      updateCustomer(ctx, { id: server.customerId, email: 'new@harbor.test' }),
    )
    await server.send()
    expect(await server.toCustomer()).toMatchObject([{ state: 'sent', address: 'new@harbor.test' }])
  })
})

describe('a message that waited until the day of the next', () => {
  const DAY = 24 * 60 * MINUTE

  test('is overtaken by it, also before its hour has struck', async () => {
    const server = await aServer()
    await server.plan()
    server.fail(noMailServer())
    await server.send()
    server.fail()
    server.pass(7 * DAY - MINUTE)
    await server.send()
    expect(await server.toCustomer()).toMatchObject([{ state: 'skipped', reason: 'superseded' }])
    server.pass(MINUTE)
    await server.plan()
    await server.send()
    expect(server.mailToCustomer()).toHaveLength(1)
  })

  test('is the only one of that day, also where the next is only asked for after it was sent', async () => {
    const server = await aServer()
    await server.plan()
    server.fail(noMailServer())
    await server.send()
    server.fail()
    const without = { ...DEFAULT_SETTINGS, reminderDays: [14] }
    await asSubscriber(server.request, (ctx) => saveSettings(ctx, without))
    server.pass(7 * DAY)
    await server.send()
    expect(server.mailToCustomer()).toHaveLength(1)
    const settings = { ...DEFAULT_SETTINGS, reminderDays: [14, 7] }
    await asSubscriber(server.request, (ctx) => saveSettings(ctx, settings))
    await server.plan()
    await server.send()
    expect(await server.toCustomer()).toMatchObject([{ state: 'sent' }, { offset: 7, reason: 'superseded' }])
  })

  test('is not repeated, where it may have been sent', async () => {
    const server = await aServer()
    await server.plan()
    server.fail(lostConnection())
    await server.send()
    server.fail()
    server.pass(7 * DAY)
    await server.plan()
    await server.send()
    expect(await server.toCustomer()).toMatchObject([
      { state: 'failed', reason: 'unknown' },
      { state: 'sent', offset: 7 },
    ])
    expect(server.mailToCustomer()).toHaveLength(1)
  })

  test('is not repeated, where it was sent by hand and may have got through', async () => {
    const server = await aServer()
    await server.plan()
    await server.send()
    server.pass(DAY)
    const lost = Promise.withResolvers<never>()
    const mailer = { ...server.ctx.services.mailer, send: () => lost.promise }
    const stopped = sendReminder({ ...server.request, services: { ...server.ctx.services, mailer } }, server.contract)
    await expect.poll(async () => (await server.toCustomer()).map(({ kind }) => kind)).toContain('manual')
    server.pass(6 * DAY)
    await server.plan()
    await server.send()
    expect(await server.toCustomer()).toMatchObject([
      { state: 'sent', offset: 14 },
      { kind: 'manual', state: 'failed', reason: 'unknown' },
      { state: 'sent', offset: 7 },
    ])
    expect(server.mailToCustomer()).toHaveLength(2)
    lost.reject(lostConnection())
    await expect(stopped).rejects.toThrow('Failed to send reminder')
  })

  test('is overtaken by it, also where that one waits for the mail server', async () => {
    const server = await aServer()
    await server.plan()
    server.fail(lostConnection())
    await server.send()
    server.pass(DAY)
    server.fail(deferredMessage())
    const { id: contractId, renewalDate } = server.contract
    const ofAWeek = { contractId, renewalDate, kind: 'reminder', offset: 7 } as const
    const toOwner = { ...ofAWeek, recipient: 'owner', contactId: 0, channel: 'email' } as const
    await expect(sendReminderNow(server.request, toOwner)).rejects.toMatchObject({ key: 'REMINDER_WAITS' })
    server.fail()
    await server.send()
    server.pass(MINUTE)
    await server.send()
    const rows = (await ledgerOf(server.request)).filter((row) => row.recipient === 'owner' && row.channel === 'email')
    expect(rows).toMatchObject([
      { offset: 14, state: 'failed', reason: 'unknown' },
      { offset: 7, state: 'sent' },
    ])
  })
})

describe('a clock that was ahead', () => {
  const DAY = 24 * 60 * MINUTE

  test('leaves no account waiting until then', async () => {
    const server = await aServer()
    server.pass(100 * DAY)
    await server.plan()
    server.pass(-100 * DAY)
    await server.plan()
    await server.send()
    expect(server.mailToCustomer()).toHaveLength(1)
  })

  test('and no message that it left half-sent', async () => {
    const server = await aServer()
    await server.plan()
    const [row] = await server.toCustomer()
    server.pass(5 * DAY)
    await claim(server.ctx, { ids: [row?.id ?? 0], accountId: server.request.caller?.id ?? 0 })
    server.pass(-5 * DAY)
    await server.send()
    expect(await server.toCustomer()).toMatchObject([{ state: 'sent', repeats: 1 }])
  })

  test('and what it left half-sent of a day to come is only repeated on that day', async () => {
    const server = await aServer()
    await server.plan()
    await server.send()
    server.pass(7 * DAY)
    await server.plan()
    const row = (await server.toCustomer()).at(-1)
    await claim(server.ctx, { ids: [row?.id ?? 0], accountId: server.request.caller?.id ?? 0 })
    server.pass(-7 * DAY)
    await server.send()
    expect(server.mailToCustomer()).toHaveLength(1)
    server.pass(7 * DAY + 5 * MINUTE)
    await server.send()
    expect(await server.toCustomer()).toMatchObject([
      { state: 'sent', offset: 14, repeats: 0 },
      { state: 'sent', offset: 7, repeats: 1 },
    ])
    expect(server.mailToCustomer()).toHaveLength(2)
  })

  test('and a follow-up that it left half-sent is not repeated on the day of the reminder before it', async () => {
    const server = await aServer()
    const mails = () => server.received.filter(({ to }) => to.includes(server.request.caller?.email ?? ''))
    const toOwner = async () =>
      (await ledgerOf(server.request)).filter(({ recipient, channel }) => recipient === 'owner' && channel === 'email')
    server.pass(13 * DAY)
    await server.plan()
    await server.send()
    expect((await toOwner()).at(-1)).toMatchObject({ kind: 'reminder', offset: 1, state: 'sent' })
    // The day after the renewal date, by a clock that is two days ahead.
    server.pass(2 * DAY)
    await server.plan()
    const followUp = (await toOwner()).at(-1)
    await claim(server.ctx, { ids: [followUp?.id ?? 0], accountId: server.request.caller?.id ?? 0 })
    server.pass(-2 * DAY)
    await server.send()
    expect(mails()).toHaveLength(1)
    server.pass(2 * DAY + 5 * MINUTE)
    await server.send()
    expect((await toOwner()).at(-1)).toMatchObject({ kind: 'follow_up', offset: 1, state: 'sent', repeats: 1 })
    expect(mails()).toHaveLength(2)
  })

  test('and none that waits', async () => {
    const server = await aServer()
    await server.plan()
    server.fail(noMailServer())
    server.pass(5 * DAY)
    await server.plan()
    await server.send()
    server.fail()
    server.pass(-5 * DAY)
    await server.plan()
    await server.send()
    expect(server.mailToCustomer()).toHaveLength(1)
  })
})

test('a server that stops begins nothing more', async () => {
  const server = await aServer()
  await server.plan()
  await sendReminders({ ...server.ctx, signal: AbortSignal.abort() })
  expect(server.received).toEqual([])
})
