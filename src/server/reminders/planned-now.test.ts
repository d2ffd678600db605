import { describe, expect, test } from 'vitest'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { toDay } from '#shared/domain/day.ts'
import type { MessageKey } from '#shared/schemas/reminders.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { skipReminder, snoozeReminder } from './outbox-actions.service.ts'
import { listComing } from './outbox.service.ts'
import { planReminders } from './plan-reminders.ts'
import { planReminderNow, undoPlannedNow } from './planned-now.service.ts'
import { sendReminders } from './sending/send-reminders.ts'

const world = useWorld()

interface Given {
  at?: Date
  renewsOn?: string
  /** In place of one that stands still. */
  clock?: () => Date
}

/** An account whose contract renews in 24 days, and the message to its customer of 14 days before. */
async function anOutbox({ at = NOON, renewsOn = '2026-04-03', clock }: Given = {}) {
  const mailbox = aMailbox()
  let now = at
  const request = await anAccount(world, { services: { mailer: mailbox.mailer, now: clock ?? (() => now) } })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  const { id: contractId, renewalDate } = await aContract(request, { customerId, renewalDate: renewsOn })
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(`update contracts set reminders_since = '2026-01-01', created_at = '2026-01-01'`),
  )
  const line = { recipient: 'customer', contactId: 0, channel: 'email' } as const
  const key: MessageKey = { contractId, renewalDate, kind: 'reminder', offset: 14, ...line }
  const pass = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1000)
    return { ...request, signal: new AbortController().signal }
  }
  const send = (seconds: number) => sendReminders(pass(seconds))
  const plan = (seconds: number) => planReminders(pass(seconds))
  const undo = (before: Awaited<ReturnType<typeof planReminderNow>>['before']) =>
    asSubscriber(request, (ctx) => undoPlannedNow(ctx, { ...key, before }))
  return { ...mailbox, request, key, send, plan, undo }
}

describe('a message that is sent from the screen', () => {
  test('is not lost if its day is planned just before it is put back', async () => {
    const at = new Date('2026-03-10T07:59:55Z')
    const { request, key, plan, undo } = await anOutbox({ at, renewsOn: '2026-03-24' })
    await world.db.writeAs(request.caller?.id ?? 0, (em) =>
      em.execute(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10T08:00:00Z'`),
    )
    await planReminderNow(request, key)
    await plan(7)
    await undo(null)
    await plan(60)
    const rows = (await ledgerOf(request)).filter(({ recipient, offset }) => recipient === 'customer' && offset === 14)
    expect(rows).toMatchObject([{ state: 'planned', dueOn: '2026-03-10' }])
  })

  test('is not put back unless it is on its way', async () => {
    const { undo, key } = await anOutbox()
    const before = { day: key.renewalDate, at: new Date('2020-01-01T00:00:00Z') }
    await expect(undo(before)).rejects.toMatchObject({ key: 'REMINDER_DECIDED' })
    await expect(undo(null)).rejects.toMatchObject({ key: 'REMINDER_DECIDED' })
  })

  test('goes out 10 seconds later, and is on its way until then', async () => {
    const { request, key, send, received, undo } = await anOutbox()
    expect(await planReminderNow(request, key)).toEqual({
      goesOutAt: new Date(NOON.getTime() + UNDO_MS),
      before: null,
    })
    await expect(planReminderNow(request, key)).rejects.toMatchObject({ key: 'REMINDER_ON_ITS_WAY' })
    await send(9)
    expect(received).toEqual([])
    await send(1)
    expect(received).toMatchObject([{ to: ['orders@harbor.test'] }])
    await expect(undo(null)).rejects.toMatchObject({ key: 'REMINDER_DECIDED' })
  })

  test('is to come on its day again after Undo', async () => {
    const { request, key, send, received, undo } = await anOutbox()
    const { before } = await planReminderNow(request, key)
    await undo(before)
    await send(60)
    expect(received).toEqual([])
    expect(await ledgerOf(request)).toEqual([])
    const { rows } = await listComing(requireReader(request), { limit: 20 })
    expect(rows).toContainEqual(expect.objectContaining({ offset: 14, recipient: 'customer', day: '2026-03-20' }))
  })

  test('is to come on its day again after Undo, also where planning it took some time', async () => {
    let now = NOON.getTime()
    const { request, undo, key } = await anOutbox({ clock: () => new Date((now += 3)) })
    const { before } = await planReminderNow(request, key)
    await undo(before)
    expect(await ledgerOf(request)).toEqual([])
    const { rows } = await listComing(requireReader(request), { limit: 20 })
    expect(rows).toContainEqual(expect.objectContaining({ offset: 14, recipient: 'customer', day: '2026-03-20' }))
  })

  test('is back on the day until which it was put off', async () => {
    const { request, key, send, received, undo } = await anOutbox()
    await asSubscriber(request, (ctx) => snoozeReminder(ctx, { ...key, until: toDay('2026-03-22') }))
    const [snoozed] = await ledgerOf(request)
    const { before } = await planReminderNow(request, key)
    await undo(before)
    await send(60)
    expect(received).toEqual([])
    expect(await ledgerOf(request)).toEqual([snoozed])
  })

  test('is skipped again if it was', async () => {
    const { request, key, send, received, undo } = await anOutbox()
    await asSubscriber(request, (ctx) => skipReminder(ctx, key))
    await send(60)
    const { before } = await planReminderNow(request, key)
    await undo(before)
    await send(60)
    expect(received).toEqual([])
    expect(await ledgerOf(request)).toMatchObject([{ state: 'skipped', reason: 'by_hand' }])
  })

  test('is not put off beyond its renewal date by Undo', async () => {
    const { request, key, undo } = await anOutbox()
    await planReminderNow(request, key)
    const late = { day: toDay('2026-04-04'), at: new Date('2026-04-04T08:00:00Z') }
    await expect(undo(late)).rejects.toMatchObject({ key: 'REMINDER_SNOOZE_DAY' })
  })
})
