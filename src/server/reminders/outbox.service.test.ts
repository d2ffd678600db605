import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { DEFAULT_SETTINGS, REMINDER_REASONS, type MessageKey } from '#shared/schemas/reminders.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { checking } from '#server/db/rows.ts'
import { aReminderKey } from '#support/reminder-key.ts'
import { bounceAll, ledgerOf } from '#support/ledger.ts'
import { aMailbox, lostConnection, noMailServer, refusedMessage } from '#support/mailbox.ts'
import { NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { clearOwnBounce } from '#server/deliverability/bounces.service.ts'
import { contractReminders, saveContractSettings } from './contract-reminders.service.ts'
import { sendReminder } from './manual-reminders.service.ts'
import { sendReminderNow, skipReminder, snoozeReminder, undoSkippedReminder } from './outbox-actions.service.ts'
import { listComing, listReminders, listUnreachable } from './outbox.service.ts'
import { planAccounts } from './plan-reminders.ts'
import { sendReminders } from './sending/send-reminders.ts'
import { saveSettings } from '#server/reminder-settings/settings.service.ts'

const world = useWorld()
const DAY_MS = 86_400_000

/** An account whose contract renews in 24 days: its reminders of 14, 7 and 1 days are to come. */
async function anOutbox(customer: object = { email: 'orders@harbor.test' }) {
  const mailbox = aMailbox()
  let now = NOON
  const request = await anAccount(world, { services: { mailer: mailbox.mailer, now: () => now } })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Bakery', ...customer })
  const contract = await aContract(request, { customerId, renewalDate: '2026-04-03', amount: 120 })
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(`update contracts set reminders_since = '2026-01-01', created_at = '2026-01-01'`),
  )
  const key: MessageKey = aReminderKey({ contractId: contract.id, renewalDate: contract.renewalDate })
  const run = async () => {
    await planAccounts(request, [request.caller?.id ?? 0])
    await sendReminders({ ...request, signal: new AbortController().signal })
  }
  const later = (days: number) => void (now = new Date(now.getTime() + days * DAY_MS))
  return { ...mailbox, request, contract, customerId, key, run, later }
}

describe('what is to come', () => {
  test('is listed by day, a line for each recipient and channel', async () => {
    const { request } = await anOutbox()
    const { rows, next } = await listComing(requireReader(request), { limit: 20 })
    expect(next).toBeNull()
    expect(rows).toHaveLength(18)
    expect(rows.slice(0, 4).map(({ day, offset, recipient, channel }) => [day, offset, recipient, channel])).toEqual([
      ['2026-03-20', 14, 'customer', 'email'],
      ['2026-03-20', 14, 'owner', 'email'],
      ['2026-03-20', 14, 'owner', 'in_app'],
      ['2026-03-27', 7, 'customer', 'email'],
    ])
  })

  test('says why a message would not be sent', async () => {
    const { request } = await anOutbox({ email: null })
    const { rows } = await listComing(requireReader(request), { limit: 20 })
    expect(rows[0]).toMatchObject({ recipient: 'customer', contactId: 0, obstacle: REMINDER_REASONS.no_address })
    expect(rows[1]).toMatchObject({ recipient: 'owner', contactId: 0, obstacle: null })
  })

  test('comes in pages that miss and repeat nothing', async () => {
    const { request, customerId } = await anOutbox()
    for (const day of ['2026-04-03', '2026-04-10', '2026-05-20']) {
      await aContract(request, { customerId, renewalDate: day })
    }
    const whole = await listComing(requireReader(request), { limit: 100 })
    const paged = []
    for (let cursor: string | undefined; ;) {
      const page = await listComing(requireReader(request), { limit: 4, cursor })
      paged.push(...page.rows)
      if (page.next === null) break
      cursor = page.next
    }
    expect(paged).toEqual(whole.rows)
    expect(new Set(paged.map((row) => JSON.stringify(row))).size).toBe(paged.length)
  })

  describe('of an account with thousands of contracts', () => {
    const MANY = 2000

    /** So many contracts that renew on some of the next 90 days, and how many statements a page takes. */
    async function aLargeOutbox() {
      const outbox = await anOutbox()
      const { request, customerId } = outbox
      await world.db.writeAs(request.caller?.id ?? 0, (em) =>
        em.execute(
          `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status,
            created_at, reminders_since)
          select account_id, id, 100, '2026-01-01', 'monthly', date '2026-03-15' + n % 90, 'active', '2026-01-01',
            '2026-01-01' from customers, generate_series(1, ?) n where id = ?`,
          [MANY, customerId],
        ),
      )
      const ctx = requireReader(request)
      let statements = 0
      const read = checking((statement) => {
        statements += 1
        return ctx.read(statement)
      })
      const page = async (cursor?: string) => {
        statements = 0
        return { ...(await listComing({ ...ctx, read }, { limit: 20, cursor })), statements }
      }
      return { ...outbox, page }
    }

    const off = { ...DEFAULT_SETTINGS, enableNotifications: false }

    test('is empty at once where notifications are off', async () => {
      const { request, page } = await aLargeOutbox()
      await asSubscriber(request, (ctx) => saveSettings(ctx, off))
      expect(await page()).toEqual({ rows: [], next: null, statements: 2 })
    })

    test('has the contracts that want them all the same', async () => {
      const { request, page, contract } = await aLargeOutbox()
      await asSubscriber(request, (ctx) => saveSettings(ctx, off))
      const own = { enableNotifications: true, reminderDays: [7], followUpDays: [], email: false, inApp: false }
      await asSubscriber(request, (ctx) => saveContractSettings(ctx, { id: contract.id, ...own }))
      const { rows, next, statements } = await page()
      expect(rows).toMatchObject([{ contractId: contract.id, offset: 7 }])
      expect([next, statements]).toEqual([null, 2])
    })

    test('is looked for a bounded time, and goes on after the cursor', async () => {
      const { request, page } = await aLargeOutbox()
      // The clock of the database is far ahead of the tests': before today nothing counts for these.
      await world.db.writeAs(request.caller?.id ?? 0, (em) =>
        em.execute('update contracts set reminders_since = now()'),
      )
      const first = await page()
      expect(first).toMatchObject({ rows: [], next: expect.any(String), statements: 5 })
      const second = await page(first.next ?? '')
      expect(second).toMatchObject({ rows: [], next: expect.any(String), statements: 5 })
      expect(second.next).not.toBe(first.next)
    })

    test('has nothing further to look for where no days are chosen', async () => {
      const { request, page } = await aLargeOutbox()
      const none = { ...DEFAULT_SETTINGS, reminderDays: [], followUpDays: [] }
      await asSubscriber(request, (ctx) => saveSettings(ctx, none))
      expect(await page()).toEqual({ rows: [], next: null, statements: 2 })
    })
  })

  test('is refused where the cursor is made up', async () => {
    const { request } = await anOutbox()
    await expect(listComing(requireReader(request), { limit: 4, cursor: 'x' })).rejects.toMatchObject({
      key: 'CURSOR_INVALID',
    })
  })
})

describe('a skipped message', () => {
  test('is written down with its reason, and never sent', async () => {
    const { request, key, run, later, received } = await anOutbox()
    await asSubscriber(request, (ctx) => skipReminder(ctx, key))
    later(10)
    await run()
    const customers = (await ledgerOf(request)).filter(({ recipient }) => recipient === 'customer')
    expect(customers).toMatchObject([{ state: 'skipped', reason: 'by_hand', dueOn: '2026-03-20', offset: 14 }])
    expect(received.map(({ to }) => to)).toEqual([[request.caller?.email]])
  })

  test('keeps none of the others from being sent', async () => {
    const { request, key, run, later, received } = await anOutbox()
    await asSubscriber(request, (ctx) => skipReminder(ctx, key))
    later(17)
    await run()
    expect(received.map(({ to }) => to)).toContainEqual(['orders@harbor.test'])
  })

  test('can be one that waits for the mail server, but none that has been sent', async () => {
    const { request, key, run, later, fail } = await anOutbox()
    later(10)
    fail(noMailServer())
    await run()
    await asSubscriber(request, (ctx) => skipReminder(ctx, key))
    expect((await ledgerOf(request))[0]).toMatchObject({ state: 'skipped', reason: 'by_hand', nextAttemptAt: null })
    fail()
    await run()
    const owners = { ...key, recipient: 'owner', contactId: 0, channel: 'in_app' } as const
    await expect(asSubscriber(request, (ctx) => skipReminder(ctx, owners))).rejects.toMatchObject({
      key: 'REMINDER_DECIDED',
    })
  })
})

describe('a skip that is undone', () => {
  test('leaves a message of the coming days as if nothing had been', async () => {
    const { request, key, run, later, received } = await anOutbox()
    const before = await listComing(requireReader(request), { limit: 20 })
    await asSubscriber(request, (ctx) => skipReminder(ctx, key))
    await asSubscriber(request, (ctx) => undoSkippedReminder(ctx, key))
    expect(await ledgerOf(request)).toEqual([])
    expect(await listComing(requireReader(request), { limit: 20 })).toEqual(before)
    later(10)
    await run()
    expect(received.map(({ to }) => to)).toContainEqual(['orders@harbor.test'])
  })

  test('has one that was waiting tried again', async () => {
    const { request, key, run, later, fail, received } = await anOutbox()
    later(10)
    fail(noMailServer())
    await run()
    await asSubscriber(request, (ctx) => skipReminder(ctx, key))
    await asSubscriber(request, (ctx) => undoSkippedReminder(ctx, key))
    expect((await ledgerOf(request))[0]).toMatchObject({ state: 'planned', reason: null })
    fail()
    await run()
    expect(received.map(({ to }) => to)).toContainEqual(['orders@harbor.test'])
  })

  test('leaves one that was put off on the day that was chosen', async () => {
    const { request, key, run, later, received } = await anOutbox()
    await asSubscriber(request, (ctx) => snoozeReminder(ctx, { ...key, until: toDay('2026-03-23') }))
    later(1)
    await asSubscriber(request, (ctx) => skipReminder(ctx, key))
    await asSubscriber(request, (ctx) => undoSkippedReminder(ctx, key))
    expect(await ledgerOf(request)).toMatchObject([{ state: 'planned', dueOn: '2026-03-23' }])
    later(11)
    await run()
    expect(received.map(({ to }) => to)).not.toContainEqual(['orders@harbor.test'])
    later(1)
    await run()
    expect(received.map(({ to }) => to)).toContainEqual(['orders@harbor.test'])
  })

  test('also counts where its day was planned meanwhile', async () => {
    const { request, key, run, later, received } = await anOutbox()
    await asSubscriber(request, (ctx) => skipReminder(ctx, key))
    later(10)
    await run()
    expect(received.map(({ to }) => to)).not.toContainEqual(['orders@harbor.test'])
    await asSubscriber(request, (ctx) => undoSkippedReminder(ctx, key))
    await run()
    expect(received.map(({ to }) => to)).toContainEqual(['orders@harbor.test'])
  })

  test('must have been one: neither a message that was never skipped, nor somebody else’s', async () => {
    const { request, key } = await anOutbox()
    await expect(asSubscriber(request, (ctx) => undoSkippedReminder(ctx, key))).rejects.toMatchObject({
      key: 'REMINDER_NOT_SKIPPED',
    })
    await asSubscriber(request, (ctx) => skipReminder(ctx, key))
    const other = await anAccount(world)
    await expect(asSubscriber(other, (ctx) => undoSkippedReminder(ctx, key))).rejects.toMatchObject({
      key: 'REMINDER_NOT_FOUND',
    })
    expect(await ledgerOf(request)).toMatchObject([{ state: 'skipped', reason: 'by_hand' }])
  })
})

describe('a message that is put off', () => {
  test('is sent on the chosen day, and on its own day nothing is', async () => {
    const { request, key, run, later, received } = await anOutbox()
    await asSubscriber(request, (ctx) => snoozeReminder(ctx, { ...key, until: toDay('2026-03-22') }))
    later(10)
    await run()
    expect(received.filter(({ to }) => to[0] === 'orders@harbor.test')).toEqual([])
    later(2)
    await run()
    expect(received.filter(({ to }) => to[0] === 'orders@harbor.test')).toMatchObject([
      { subject: 'Your contract is due for renewal on April 3, 2026', text: expect.stringContaining('in 12 days') },
    ])
  })

  test('that is a notice comes then as well', async () => {
    const { request, key, run, later } = await anOutbox()
    const notice = { ...key, recipient: 'owner', contactId: 0, channel: 'in_app' } as const
    await asSubscriber(request, (ctx) => snoozeReminder(ctx, { ...notice, until: toDay('2026-03-22') }))
    later(12)
    await run()
    const [row] = await ledgerOf(request)
    expect(row).toMatchObject({ channel: 'in_app', state: 'sent', sentOn: '2026-03-22', subject: 'Renewal in 12 days' })
    const notices = await requireReader(request).read(
      sql`select title from notifications where account_id = ${request.caller?.id ?? 0}`,
    )
    expect(notices).toEqual([{ title: 'Renewal in 12 days' }])
  })

  test.each([
    { planned: 'also on the day of the older', waits: [17, 2] },
    { planned: 'on its own day alone', waits: [19] },
  ])('is not followed by an older one, nor joined by it: planned $planned', async ({ waits }) => {
    const { request, key, run, later, received } = await anOutbox()
    await asSubscriber(request, (ctx) => snoozeReminder(ctx, { ...key, until: toDay('2026-03-29') }))
    const toCustomer = async (days: number) => {
      later(days)
      await run()
      return received.filter(({ to }) => to[0] === 'orders@harbor.test').length
    }
    const counts = []
    for (const days of [...waits, 1, 3]) counts.push(await toCustomer(days))
    expect(counts.slice(-3)).toEqual([1, 1, 2])
    expect(counts.slice(0, -3)).toEqual(waits.slice(1).map(() => 0))
  })

  test('until the day of another takes its place, so that one is sent', async () => {
    const { request, key, run, later, received } = await anOutbox()
    const until = toDay('2026-04-01')
    await asSubscriber(request, (ctx) => snoozeReminder(ctx, { ...key, offset: 7, until }))
    await asSubscriber(request, (ctx) => snoozeReminder(ctx, { ...key, until }))
    later(22)
    await run()
    const mail = received.filter(({ to }) => to.includes('orders@harbor.test'))
    expect(mail).toHaveLength(1)
    const rows = (await ledgerOf(request)).filter(({ recipient }) => recipient === 'customer')
    expect(rows.slice(0, 2)).toMatchObject([
      { offset: 7, state: 'skipped', reason: 'superseded' },
      { offset: 14, state: 'sent' },
    ])
  })

  test('leaves the way free for a reminder by hand', async () => {
    const { request, key, contract } = await anOutbox()
    await asSubscriber(request, (ctx) => snoozeReminder(ctx, { ...key, until: toDay('2026-03-22') }))
    await expect(sendReminder(request, contract)).resolves.toMatchObject({ success: true })
  })

  test('says that it will not be sent once its contract has another renewal date, and can be skipped', async () => {
    const { request, key, contract } = await anOutbox()
    await asSubscriber(request, (ctx) => snoozeReminder(ctx, { ...key, until: toDay('2026-03-30') }))
    const waiting = async () => (await listReminders(requireReader(request), { limit: 2, skip: 0 })).rows
    expect(await waiting()).toMatchObject([{ state: 'planned', obstacle: null }])
    await asSubscriber(request, (ctx) => updateContract(ctx, { id: contract.id, renewalDate: toDay('2026-09-01') }))
    expect(await waiting()).toMatchObject([{ obstacle: REMINDER_REASONS.date_changed }])
    await expect(sendReminderNow(request, key)).rejects.toMatchObject({ key: 'REMINDER_DATE_CHANGED' })
    await asSubscriber(request, (ctx) => skipReminder(ctx, key))
    expect(await waiting()).toMatchObject([{ state: 'skipped', reason: REMINDER_REASONS.by_hand, obstacle: null }])
    expect(await ledgerOf(request)).toMatchObject([{ renewalDate: '2026-04-03' }])
  })

  test('that is skipped while it is sent by hand is not sent, and no fault', async () => {
    const { request, key } = await anOutbox()
    let writes = 0
    const writeAs: typeof request.db.writeAs = async (...given) => {
      writes += 1
      if (writes === 2) await asSubscriber(request, (ctx) => skipReminder(ctx, key))
      return request.db.writeAs(...given)
    }
    const sending = sendReminderNow({ ...request, db: { ...request.db, writeAs } }, key)
    await expect(sending).rejects.toMatchObject({ key: 'REMINDER_DECIDED' })
  })

  test.each(['2026-03-10', '2026-03-01', '2026-04-04'])('cannot be until %s', async (until) => {
    const { request, key } = await anOutbox()
    await expect(
      asSubscriber(request, (ctx) => snoozeReminder(ctx, { ...key, until: toDay(until) })),
    ).rejects.toMatchObject({ key: 'REMINDER_SNOOZE_DAY' })
  })
})

describe('a message that is sent now', () => {
  test('is sent once, and not again on its own day', async () => {
    const { request, key, run, later, received } = await anOutbox()
    expect(await sendReminderNow(request, key)).toEqual({
      success: true,
      message: 'Reminder sent to orders@harbor.test',
    })
    later(10)
    await run()
    expect(received.filter(({ to }) => to[0] === 'orders@harbor.test')).toHaveLength(1)
  })

  test('is refused on a day on which the customer was written to already', async () => {
    const { request, key, contract } = await anOutbox()
    await sendReminder(request, contract)
    await expect(sendReminderNow(request, key)).rejects.toMatchObject({ key: 'REMINDER_SENT_TODAY' })
  })

  test('is refused where the customer has no address', async () => {
    const { request, key } = await anOutbox({ email: null })
    await expect(sendReminderNow(request, key)).rejects.toMatchObject({ key: 'REMINDER_NO_ADDRESS' })
  })

  test('that does not get through says so, and is tried again', async () => {
    const { request, key, fail } = await anOutbox()
    fail(noMailServer())
    await expect(sendReminderNow(request, key)).rejects.toMatchObject({
      key: 'REMINDER_WAITS',
      details: { success: false },
    })
    expect(await ledgerOf(request)).toMatchObject([{ state: 'planned', attempts: 1 }])
    fail()
    await expect(sendReminderNow(request, key)).resolves.toMatchObject({ success: true })
  })

  test('that may have got through is tried again as well, and one that was refused is not', async () => {
    const { request, key, fail } = await anOutbox()
    fail(lostConnection())
    await expect(sendReminderNow(request, key)).rejects.toMatchObject({ key: 'REMINDER_WAITS' })
    fail(refusedMessage())
    const owners = { ...key, recipient: 'owner' } as const
    await expect(sendReminderNow(request, owners)).rejects.toMatchObject({
      key: 'REMINDER_FAILED',
      details: { success: false },
    })
    expect(await ledgerOf(request)).toMatchObject([{ state: 'sending' }, { state: 'failed' }])
  })

  test('is refused, not a fault, where the sender skips it for a later one that was sent', async () => {
    const { request, key } = await anOutbox()
    const owners = { ...key, recipient: 'owner' } as const
    await sendReminderNow(request, { ...owners, offset: 7 })
    // As after the account has moved to a time zone in which it is still the day before.
    await world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(`update reminders set due_on = '2026-03-11'`))
    await expect(sendReminderNow(request, owners)).rejects.toMatchObject({
      key: 'REMINDER_SKIPPED',
      code: 'CONFLICT',
      message: 'The message was not sent: Another message replaced it',
      details: { success: false },
    })
  })

  test('can be one that was skipped', async () => {
    const { request, key } = await anOutbox()
    await asSubscriber(request, (ctx) => skipReminder(ctx, key))
    await expect(sendReminderNow(request, key)).resolves.toMatchObject({ success: true })
    expect(await ledgerOf(request)).toMatchObject([{ state: 'sent', reason: null }])
  })

  test('is refused with the reason where it would only be skipped, and stays as it was', async () => {
    const { request, key, contract, run, later } = await anOutbox()
    const owners = { ...key, recipient: 'owner' } as const
    await asSubscriber(request, (ctx) => skipReminder(ctx, owners))
    const settings = { ...DEFAULT_SETTINGS, notificationMethods: { email: false, inApp: true } }
    await asSubscriber(request, (ctx) => saveSettings(ctx, settings))
    await expect(sendReminderNow(request, owners)).rejects.toMatchObject({ key: 'REMINDER_OFF' })
    await asSubscriber(request, (ctx) => saveSettings(ctx, DEFAULT_SETTINGS))
    later(25)
    await expect(sendReminderNow(request, owners)).rejects.toMatchObject({
      key: 'REMINDER_TOO_LATE',
      details: { success: false },
    })
    await asSubscriber(request, (ctx) => updateContract(ctx, { id: contract.id, status: 'cancelled' }))
    await expect(sendReminderNow(request, owners)).rejects.toMatchObject({ key: 'REMINDER_CONTRACT_CLOSED' })
    await run()
    expect(await ledgerOf(request)).toMatchObject([{ state: 'skipped', reason: 'by_hand' }])
  })

  test("is refused in words of one's own address where that bounced, until it works again", async () => {
    const { request, key, received } = await anOutbox()
    const owners = { ...key, recipient: 'owner' } as const
    await sendReminderNow(request, owners)
    await bounceAll(request)
    await expect(sendReminderNow(request, { ...owners, offset: 7 })).rejects.toMatchObject({
      key: 'REMINDER_OWN_ADDRESS_BOUNCED',
    })
    expect(received).toHaveLength(1)
    await asSubscriber(request, clearOwnBounce)
    await sendReminderNow(request, { ...owners, offset: 7 })
    expect(received).toHaveLength(2)
  })

  test('can be a notice', async () => {
    const { request, key } = await anOutbox()
    const notice = { ...key, recipient: 'owner', contactId: 0, channel: 'in_app' } as const
    await expect(sendReminderNow(request, notice)).resolves.toMatchObject({ message: 'Notification added' })
  })
})

describe('a message that is not there', () => {
  test.each([
    { offset: 3 },
    { kind: 'follow_up', offset: 30 },
    { renewalDate: toDay('2026-04-04') },
    { contractId: 999 },
  ] as const)('is not found: %o', async (changes) => {
    const { request, key } = await anOutbox()
    await expect(asSubscriber(request, (ctx) => skipReminder(ctx, { ...key, ...changes }))).rejects.toMatchObject({
      key: 'REMINDER_NOT_FOUND',
    })
    expect(await ledgerOf(request)).toEqual([])
  })

  test("nor is another account's", async () => {
    const { key } = await anOutbox()
    const other = await anAccount(world)
    await expect(asSubscriber(other, (ctx) => skipReminder(ctx, key))).rejects.toMatchObject({
      key: 'REMINDER_NOT_FOUND',
    })
  })
})

test('the ledger is listed the latest first, by state where one is chosen, and says how each message went', async () => {
  const { request, run, later } = await anOutbox()
  later(10)
  await run()
  const everything = await listReminders(requireReader(request), { limit: 2, skip: 0 })
  expect(everything).toMatchObject({ total: 3, rows: [{ state: 'sent' }, { state: 'sent' }] })
  const rest = await listReminders(requireReader(request), { limit: 2, skip: 0, after: everything.last ?? '' })
  expect(rest.rows).toMatchObject([
    { customerName: 'Harbor Bakery', address: 'orders@harbor.test', sentAt: request.services.now() },
  ])
  const failed = await listReminders(requireReader(request), { limit: 10, skip: 0, state: 'failed' })
  expect(failed).toMatchObject({ total: 0, rows: [] })
})

describe('the reminders of a contract', () => {
  test('are its history and what is to come', async () => {
    const { request, contract, run, later } = await anOutbox()
    later(10)
    await run()
    const { history, next } = await contractReminders(requireReader(request), contract)
    expect(history.map(({ offset, state }) => [offset, state])).toEqual([
      [14, 'sent'],
      [14, 'sent'],
      [14, 'sent'],
    ])
    expect(next).toHaveLength(15)
    expect(next[0]).toMatchObject({ offset: 7, day: '2026-03-27' })
  })

  test('follow what the contract wants otherwise, and the account again where it wants nothing', async () => {
    const { request, contract } = await anOutbox()
    const none = { enableNotifications: null, reminderDays: null, followUpDays: null, email: null, inApp: null }
    const own = { ...none, reminderDays: [3], followUpDays: [], email: false }
    const saved = await asSubscriber(request, (ctx) => saveContractSettings(ctx, { id: contract.id, ...own }))
    expect(saved.own).toEqual(own)
    expect(saved.next.map(({ offset, channel }) => [offset, channel])).toEqual([
      [3, 'email'],
      [3, 'in_app'],
    ])
    const back = await asSubscriber(request, (ctx) => saveContractSettings(ctx, { id: contract.id, ...none }))
    expect(back.next).toHaveLength(18)
  })

  test('are not found for somebody else', async () => {
    const { contract } = await anOutbox()
    await expect(contractReminders(requireReader(await anAccount(world)), contract)).rejects.toMatchObject({
      key: 'CONTRACT_NOT_FOUND',
    })
  })
})

test('customers without a usable address are listed with what their contracts are worth', async () => {
  const { request, customerId } = await anOutbox({ email: null })
  await aContract(request, { customerId, renewalDate: '2026-03-20', amount: 80.5 })
  await aContract(request, { customerId, renewalDate: '2026-03-20', status: 'expired' })
  await aContract(request, { customerId, renewalDate: '2026-12-20' })
  await aCustomer(request, { name: 'Reachable', email: 'a@b.test' })
  expect(await listUnreachable(requireReader(request))).toEqual({
    total: 1,
    revenue: 200.5,
    customers: [
      {
        customerId,
        customerName: 'Harbor Bakery',
        email: null,
        reason: 'no_address',
        contracts: 2,
        revenue: 200.5,
        renewalDate: '2026-03-20',
      },
    ],
  })
  expect(await listUnreachable(requireReader(await anAccount(world)))).toMatchObject({ total: 0, customers: [] })
})

test('a customer whose notifications are turned off does not lack an address', async () => {
  const { request } = await anOutbox({ email: null, sendNotifications: false })
  expect(await listUnreachable(requireReader(request))).toMatchObject({ total: 0, customers: [] })
  const { rows } = await listComing(requireReader(request), { limit: 20 })
  expect(rows[0]).toMatchObject({ recipient: 'customer', contactId: 0, obstacle: REMINDER_REASONS.opted_out })
})

test('of a customer who unsubscribed before mail bounced, the reason is the first', async () => {
  const { request } = await anOutbox({ email: 'orders@harbor.test' })
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(
      `insert into bounced_addresses (account_id, address, bounced_at) values (?, 'orders@harbor.test', now())`,
      [request.caller?.id],
    ),
  )
  const reasons = async () => (await listUnreachable(requireReader(request))).customers.map(({ reason }) => reason)
  expect(await reasons()).toEqual(['address_bounced'])
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(
      `insert into closed_addresses (account_id, address, reason, closed_at)
        values (?, 'orders@harbor.test', 'unsubscribed', now())`,
      [request.caller?.id],
    ),
  )
  expect(await reasons()).toEqual(['unsubscribed'])
})
