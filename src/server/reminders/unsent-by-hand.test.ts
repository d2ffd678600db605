import { describe, expect, test } from 'vitest'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { restoreFromTrash } from '#server/trash/trash.service.ts'
import { notificationsOf } from '#support/notifications.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox, noMailServer, refusedMessage } from '#support/mailbox.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { liftStop } from '#server/deliverability/mail-stops.service.ts'
import { planReminder, sendReminder } from './manual-reminders.service.ts'
import { planReminders } from './plan-reminders.ts'
import { sendReminders } from './sending/send-reminders.ts'
import { unsubscribe } from '#server/deliverability/unsubscribe.service.ts'

const world = useWorld()
const HOUR = 3_600_000
const NOT_SENT = 'The reminder to Harbor Bakery was not sent'

/** On March 10, the owner has asked on the screen for a reminder of a contract that renews two days later. */
async function anAskedReminder() {
  const mailbox = aMailbox()
  let now = new Date('2026-03-10T12:00:00Z')
  const services = { mailer: mailbox.mailer, now: () => now, mailLimits: { toAddress: 1, ofTrial: 50, ofPaying: 50 } }
  const request = await anAccount(world, { services })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId, renewalDate: '2026-03-12' })
  const accountId = request.caller?.id ?? 0
  const job = { ...request, signal: new AbortController().signal }
  await planReminder(request, contract)
  return {
    ...mailbox,
    request,
    accountId,
    contract,
    job,
    run: (text: string) => world.db.writeAs(accountId, (em) => em.execute(text)),
    /** The job looks every hour. */
    wait: async (hours: number) => {
      for (let hour = 0; hour < hours; hour += 1) {
        now = new Date(now.getTime() + HOUR)
        await sendReminders(job)
      }
    },
    send: () => {
      now = new Date(now.getTime() + UNDO_MS)
      return sendReminders(job)
    },
    now: () => now,
    row: async () => (await ledgerOf(request)).find(({ kind }) => kind === 'manual'),
    notices: async () => (await notificationsOf(request)).map(({ title, message }) => `${title}: ${message}`),
  }
}

describe('a reminder that was asked for on the screen', () => {
  test('is tried for a day while the mail server is away, and not sent days later', async () => {
    const asked = await anAskedReminder()
    asked.fail(noMailServer())
    await asked.wait(23)
    expect(await asked.row()).toMatchObject({ state: 'planned' })
    await asked.wait(2)
    expect(await asked.row()).toMatchObject({ state: 'skipped', reason: 'too_late' })
    expect(await asked.notices()).toEqual([`${NOT_SENT}: It was too late to send it.`])
    asked.fail()
    await asked.wait(24)
    expect(asked.received).toEqual([])
  })

  test('is sent where the mail server is back within the day', async () => {
    const asked = await anAskedReminder()
    asked.fail(noMailServer())
    await asked.wait(20)
    asked.fail()
    await asked.wait(2)
    expect(await asked.row()).toMatchObject({ state: 'sent' })
    expect(await asked.notices()).toEqual([])
  })

  test('waits a day at most where mail is paused, and does not go out weeks later', async () => {
    const asked = await anAskedReminder()
    await asked.run(`insert into mail_stops (account_id, stopped_at, complaints, mails)
      values (${asked.accountId}, '2026-03-10T12:00:05Z', 5, 20)`)
    await asked.wait(26)
    expect(await asked.row()).toMatchObject({ state: 'skipped', reason: 'mail_stopped' })
    expect(await asked.notices()).toEqual([`${NOT_SENT}: Mail to customers was paused.`])
    await liftStop({ db: world.db }, asked.accountId, asked.now())
    await asked.wait(1)
    expect(asked.received).toEqual([])
  })

  test('goes out on the day until which it was put off, and not after that', async () => {
    const asked = await anAskedReminder()
    await asked.run(`update reminders set due_on = '2026-03-12', next_attempt_at = '2026-03-12T08:00:00Z'`)
    asked.fail(noMailServer())
    await asked.wait(48)
    expect(await asked.row()).toMatchObject({ state: 'planned' })
    await asked.wait(14)
    expect(await asked.row()).toMatchObject({ state: 'skipped', reason: 'too_late' })
  })
})

describe('the owner is told of one that is not sent', () => {
  test('because the contract was closed meanwhile', async () => {
    const asked = await anAskedReminder()
    await asSubscriber(asked.request, (ctx) => updateContract(ctx, { id: asked.contract.id, status: 'cancelled' }))
    await asked.send()
    expect(await asked.row()).toMatchObject({ state: 'skipped', reason: 'closed' })
    expect(await asked.notices()).toEqual([`${NOT_SENT}: The contract is no longer open.`])
  })

  test('because its reader has unsubscribed meanwhile', async () => {
    const asked = await anAskedReminder()
    await unsubscribeBakery(asked)
    await asked.send()
    expect(await asked.row()).toMatchObject({ state: 'skipped', reason: 'unsubscribed' })
    expect(await asked.notices()).toContain(`${NOT_SENT}: This person unsubscribed.`)
  })

  test('because of a limit, and not that it waits', async () => {
    const asked = await anAskedReminder()
    const { id: customerId } = await aCustomer(asked.request, { name: 'Cafe', email: 'orders@harbor.test' })
    await sendReminder(asked.request, await aContract(asked.request, { customerId }))
    await asked.send()
    expect(await asked.row()).toMatchObject({ state: 'skipped', reason: 'limited' })
    expect(await asked.notices()).toEqual([`${NOT_SENT}: The daily email limit kept it from being sent in time.`])
  })

  test('because an automatic one took its place', async () => {
    const asked = await anAskedReminder()
    await asked.run(`update contracts set reminders_since = '2026-01-01'`)
    await asked.run(`update reminder_schedules set planned_through = '2026-03-10', next_plan_at = '2026-03-11'`)
    asked.fail(noMailServer())
    await asked.wait(22)
    await planReminders(asked.job)
    expect(await asked.row()).toMatchObject({ state: 'skipped', reason: 'superseded' })
    expect(await asked.notices()).toContain(`${NOT_SENT}: Another message replaced it.`)
  })

  test('because the mail server refused it', async () => {
    const asked = await anAskedReminder()
    asked.fail(Object.assign(refusedMessage(), { command: 'DATA', code: 'EMESSAGE' }))
    await asked.send()
    expect(await asked.row()).toMatchObject({ state: 'failed', reason: 'refused' })
    expect(await asked.notices()).toEqual([
      'Email to Harbor Bakery failed: A reminder could not be sent. The mail server refused the message: 550 no such user.',
    ])
  })

  test('but not of one that was answered at once', async () => {
    const asked = await anAskedReminder()
    await asked.send()
    asked.fail(noMailServer())
    const { id: customerId } = await aCustomer(asked.request, { name: 'Mill', email: 'mill@example.test' })
    const contract = await aContract(asked.request, { customerId })
    await expect(sendReminder(asked.request, contract)).rejects.toMatchObject({ key: 'REMINDER_FAILED' })
    expect(await asked.notices()).toEqual([])
  })
})

/** The reader unsubscribes by the link of another message to the same address. */
async function unsubscribeBakery({ request }: Awaited<ReturnType<typeof anAskedReminder>>) {
  const mailbox = aMailbox()
  const services = { ...request.services, mailer: mailbox.mailer }
  const { id: customerId } = await aCustomer(request, { name: 'Cafe', email: 'orders@harbor.test' })
  await sendReminder({ ...request, services }, await aContract(request, { customerId }))
  const [link = ''] = mailbox.received[0]?.unsubscribe ?? []
  await unsubscribe(request, link.replace('http://localhost:3000/unsubscribe/', ''))
}

test('a reminder by hand that was skipped as its contract was deleted is not sent once that is restored', async () => {
  const asked = await anAskedReminder()
  const { id } = asked.contract
  await asSubscriber(asked.request, (ctx) => removeContract(ctx, { id }))
  await asked.send()
  expect(await asked.row()).toMatchObject({ state: 'skipped', reason: 'contract_deleted' })
  await asSubscriber(asked.request, (ctx) => restoreFromTrash(ctx, { contracts: [id], customers: [] }))
  await asked.send()
  expect(await asked.row()).toMatchObject({ state: 'skipped', reason: 'contract_deleted' })
  expect(asked.received).toEqual([])
})
