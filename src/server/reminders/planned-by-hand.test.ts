import { describe, expect, test } from 'vitest'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { EndContract } from '#shared/schemas/renewals.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { addContact } from '#server/contacts/contacts.service.ts'
import { endContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { readDashboard } from '#server/dashboard/dashboard.service.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { previewReminder } from './contract-reminders.service.ts'
import { planReminder, sendReminder, undoReminder } from './manual-reminders.service.ts'
import { planReminders } from './plan-reminders.ts'
import { nextDueWithin, sendReminders } from './sending/send-reminders.ts'

const world = useWorld()

/** An account with a contract of a customer who can be written to; `pass` moves its clock on. */
async function aSender() {
  const mailbox = aMailbox()
  let now = NOON
  const request = await anAccount(world, { services: { mailer: mailbox.mailer, now: () => now } })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId, renewalDate: '2026-03-24', amount: 120 })
  const job = { ...request, signal: new AbortController().signal }
  return {
    ...mailbox,
    request,
    contract,
    pass: (ms: number) => {
      now = new Date(now.getTime() + ms)
    },
    /** Plans what is due today, as if the contract had long been there. */
    planToday: async () => {
      await world.db.writeAs(request.caller?.id ?? 0, async (em) => {
        await em.execute(`update contracts set reminders_since = '2026-01-01'`)
        await em.execute(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
      })
      await planReminders(job)
    },
    runJob: () => sendReminders(job),
    sendWith: (mailer: Mailer) => sendReminders({ ...job, services: { ...job.services, mailer } }),
    nextDue: () => nextDueWithin(job, 15_000),
    plan: () => planReminder(request, contract),
    undo: () => asSubscriber(request, (ctx) => undoReminder(ctx, contract)),
  }
}

const refused = (refusal: string) => expect.objectContaining({ key: refusal })

describe('a reminder from the screen', () => {
  test('is in the ledger at once, and goes out after 10 seconds by the job alone', async () => {
    const { plan, pass, runJob, received, request, contract } = await aSender()
    const goesOutAt = new Date(NOON.getTime() + UNDO_MS)
    await expect(plan()).resolves.toEqual({ customerName: 'Harbor Bakery', goesOutAt })
    await expect(ledgerOf(request)).resolves.toMatchObject([{ kind: 'manual', state: 'planned', attempts: 0 }])
    expect((await readDashboard(requireReader(request))).plannedReminders).toEqual([
      { contractId: contract.id, goesOutAt },
    ])
    pass(UNDO_MS - 1)
    await runJob()
    expect(received).toHaveLength(0)
    pass(1)
    await runJob()
    expect(received).toMatchObject([{ to: ['orders@harbor.test'] }])
    await expect(ledgerOf(request)).resolves.toMatchObject([{ kind: 'manual', state: 'sent', attempts: 1 }])
    const after = await readDashboard(requireReader(request))
    expect([after.plannedReminders, after.remindedToday]).toEqual([[], [contract.id]])
  })

  test('counts as on its way while it is being sent, as another is refused', async () => {
    const { plan, pass, request, contract, mailer, sendWith } = await aSender()
    await plan()
    pass(UNDO_MS)
    const seen = Promise.withResolvers<number[]>()
    await sendWith({
      ...mailer,
      send: async (message) => {
        const { plannedReminders } = await readDashboard(requireReader(request))
        seen.resolve(plannedReminders.map(({ contractId }) => contractId))
        await expect(plan()).rejects.toEqual(refused('REMINDER_ON_ITS_WAY'))
        return mailer.send(message)
      },
    })
    await expect(seen.promise).resolves.toEqual([contract.id])
  })

  test('is planned once, however often it is asked for, also at once over REST', async () => {
    const { plan, pass, runJob, received, request, contract } = await aSender()
    await plan()
    await expect(plan()).rejects.toEqual(refused('REMINDER_ON_ITS_WAY'))
    await expect(sendReminder(request, contract)).rejects.toEqual(refused('REMINDER_ON_ITS_WAY'))
    pass(UNDO_MS)
    await runJob()
    expect(received).toHaveLength(1)
    await expect(plan()).rejects.toEqual(refused('REMINDER_SENT_TODAY'))
  })

  test('is not sent once it is undone, and can be planned or sent again', async () => {
    const { plan, undo, pass, runJob, received, request, contract } = await aSender()
    await plan()
    await undo()
    pass(UNDO_MS)
    await runJob()
    expect(received).toHaveLength(0)
    await expect(ledgerOf(request)).resolves.toMatchObject([{ state: 'skipped', reason: 'by_hand' }])
    await plan()
    await undo()
    await sendReminder(request, contract)
    expect(received).toHaveLength(1)
  })

  test('keeps away a reminder of its day that a decision had skipped, which comes back if it is undone', async () => {
    const { plan, undo, pass, runJob, planToday, received, request, contract } = await aSender()
    await planToday()
    const toCustomer = async () =>
      (await ledgerOf(request)).filter(({ recipient, kind }) => recipient === 'customer' && kind === 'reminder')
    expect(await toCustomer()).toMatchObject([{ state: 'planned' }])
    await asSubscriber(request, (ctx) =>
      endContract(ctx, EndContract.parse({ id: contract.id, reason: 'Price', on: '2026-03-24' })),
    )
    await plan()
    await asSubscriber(request, (ctx) => undoDecision(ctx, { id: contract.id }))
    expect(await toCustomer()).toMatchObject([{ state: 'planned' }])
    await runJob()
    expect(received.filter(({ to }) => to.includes('orders@harbor.test'))).toEqual([])
    expect(await toCustomer()).toMatchObject([{ state: 'skipped', reason: 'manual' }])
    await undo()
    pass(UNDO_MS)
    await runJob()
    expect(received.filter(({ to }) => to.includes('orders@harbor.test'))).toHaveLength(1)
    expect(await toCustomer()).toMatchObject([{ state: 'sent' }])
  })

  test.each([
    ['planned', true, 'too_late'],
    ['not planned yet', false, 'superseded'],
  ])(
    'that the servers were down for more than a day does not replace a reminder that was %s',
    async (_what, isPlanned, reason) => {
      const { plan, planToday, pass, runJob, received, request, contract } = await aSender()
      if (isPlanned) {
        await planToday()
        await asSubscriber(request, (ctx) =>
          endContract(ctx, EndContract.parse({ id: contract.id, reason: 'Price', on: '2026-03-24' })),
        )
      }
      await plan()
      if (isPlanned) await asSubscriber(request, (ctx) => undoDecision(ctx, { id: contract.id }))
      pass(26 * 3_600_000)
      await planToday()
      await runJob()
      expect(received.filter(({ to }) => to.includes('orders@harbor.test'))).toHaveLength(1)
      const toCustomer = (await ledgerOf(request)).filter(({ recipient }) => recipient === 'customer')
      expect(toCustomer.map(({ kind, state, reason }) => `${kind} ${state} ${reason}`).toSorted()).toEqual([
        `manual skipped ${reason}`,
        'reminder sent null',
      ])
    },
  )

  test('cannot be undone once it was sent', async () => {
    const { plan, undo, pass, runJob } = await aSender()
    await expect(undo()).rejects.toEqual(refused('REMINDER_DECIDED'))
    await plan()
    pass(UNDO_MS)
    await runJob()
    await expect(undo()).rejects.toEqual(refused('REMINDER_DECIDED'))
  })

  test('tells the job when to look next, and nothing else does', async () => {
    const { plan, undo, nextDue, pass } = await aSender()
    await expect(nextDue()).resolves.toBeUndefined()
    await plan()
    pass(4000)
    await expect(nextDue()).resolves.toBe(6000)
    await undo()
    await expect(nextDue()).resolves.toBeUndefined()
  })

  test('brings back what was skipped because of it, where it is undone', async () => {
    const { plan, undo, request, contract } = await aSender()
    await plan()
    await world.db.writeAs(request.caller?.id ?? 0, (em) =>
      em.execute(
        `insert into reminders (account_id, contract_id, customer_name, renewal_date, kind, offset_days, due_on, recipient,
          channel, state, reason, planned_at, ended_at)
        values (?, ?, 'Harbor Bakery', '2026-03-24', 'reminder', 14, '2026-03-10', 'customer', 'email', 'skipped', 'manual',
          ?, ?)`,
        [request.caller?.id, contract.id, NOON, NOON],
      ),
    )
    await undo()
    const states = (await ledgerOf(request)).map(({ kind, state }) => `${kind} ${state}`)
    expect(states).toEqual(['manual skipped', 'reminder planned'])
  })
})

describe('the preview of a reminder', () => {
  test('is the email that is then sent, but for its links', async () => {
    const { request, contract, received } = await aSender()
    const preview = await previewReminder(requireReader(request), contract)
    expect(preview).toMatchObject({ customerName: 'Harbor Bakery', to: 'orders@harbor.test' })
    await sendReminder(request, contract)
    const withoutLink = (text: string | undefined) => text?.replaceAll(/(unsubscribe|report|answer)\/\S+/g, '')
    expect(received).toMatchObject([{ subject: preview.subject }])
    expect(withoutLink(received[0]?.text)).toBe(withoutLink(preview.text))
    expect(preview.text).toContain('/unsubscribe/example')
  })

  test('names each contact that gets it, and why others do not', async () => {
    const { request, contract } = await aSender()
    for (const [name, email, reminders] of [
      ['Ada', 'ada@harbor.test', true],
      ['Bob', 'ORDERS@harbor.test', true],
      ['Eve', 'eve@harbor.test', false],
    ] as const)
      await asSubscriber(request, (ctx) =>
        addContact(ctx, AddContact.parse({ id: contract.customerId, name, email, reminders })),
      )
    expect((await previewReminder(requireReader(request), contract)).readers).toEqual([
      { name: null, email: 'orders@harbor.test', obstacle: null },
      { name: 'Ada', email: 'ada@harbor.test', obstacle: null },
      { name: 'Bob', email: 'ORDERS@harbor.test', obstacle: 'Another contact of the customer has the same address' },
    ])
  })

  test('of another account’s contract is not found', async () => {
    const { contract } = await aSender()
    const stranger = requireReader(await anAccount(world))
    await expect(previewReminder(stranger, contract)).rejects.toEqual(refused('CONTRACT_NOT_FOUND'))
  })
})
