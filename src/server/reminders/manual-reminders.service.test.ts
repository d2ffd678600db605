import { describe, expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { removeCustomer } from '#server/customers/customers.service.ts'
import { readDashboard } from '#server/dashboard/dashboard.service.ts'
import { removeCustomerForGood } from '#server/trash/trash.service.ts'
import { bounceAll, ledgerOf, withoutLinks } from '#support/ledger.ts'
import { aMailbox, deferredMessage, lostConnection, noMailServer, refusedMessage } from '#support/mailbox.ts'
import {
  aContract,
  aCustomer,
  anAccount,
  asSubscriber,
  requireReader,
  useWorld,
  type AccountOptions,
} from '#support/world.ts'
import { sendReminder } from './manual-reminders.service.ts'

const world = useWorld()

/** An account with a mail server, and a contract of a customer who can be written to. */
async function aSender({ services, ...options }: AccountOptions = {}, changes: object = {}) {
  const mailbox = aMailbox()
  const request = await anAccount(world, { ...options, services: { mailer: mailbox.mailer, ...services } })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId, renewalDate: '2026-03-24', amount: 120, ...changes })
  return { ...mailbox, request, customerId, contract }
}

describe('a reminder by hand', () => {
  test('goes to the customer, and says so', async () => {
    const { request, contract, received } = await aSender()
    expect(await sendReminder(request, contract)).toEqual({
      success: true,
      message: 'Reminder sent to orders@harbor.test',
    })
    expect(received).toMatchObject([
      {
        to: ['orders@harbor.test'],
        from: 'Alder Supplies <reminders@traxx.test>',
        replyTo: request.caller?.email,
        subject: 'Your contract is due for renewal on March 24, 2026',
        text: expect.stringContaining('is due for renewal in 14 days, on March 24, 2026'),
        html: expect.stringContaining('Harbor Bakery'),
      },
    ])
  })

  test('is written down with its text, its address and the Message-ID that it went under', async () => {
    const { request, contract, received } = await aSender()
    await sendReminder(request, contract)
    const [row] = await ledgerOf(request)
    expect(row).toMatchObject({
      contractId: contract.id,
      customerName: 'Harbor Bakery',
      renewalDate: '2026-03-24',
      kind: 'manual',
      offset: 14,
      state: 'sent',
      address: 'orders@harbor.test',
      sentOn: '2026-03-10',
      attempts: 1,
      repeats: 0,
      nextAttemptAt: null,
    })
    expect(row?.messageId).toBe(received[0]?.messageId)
    expect(row?.messageId).toMatch(/^<reminder-\d+\.[0-9a-f]{32}@traxx\.test>$/)
    expect(row?.body).toBe(withoutLinks(received[0]?.text))
  })

  test('comes under the name, and is answered to the address, that the account has chosen', async () => {
    const { request, contract, received } = await aSender()
    await world.db.writeAs(request.caller?.id ?? 0, (em) =>
      em.execute(
        `update companies set name = 'Mill & Sons', reply_to = 'office@mill.test', reply_to_confirmed_at = now()`,
      ),
    )
    await sendReminder(request, contract)
    expect(received).toMatchObject([{ from: 'Mill & Sons <reminders@traxx.test>', replyTo: 'office@mill.test' }])
    expect(received[0]?.text).toContain('your contract with Mill & Sons')
  })

  test('after the renewal date is a follow-up', async () => {
    const { request, contract, received } = await aSender({}, { renewalDate: '2026-03-07' })
    await sendReminder(request, contract)
    expect(received[0]?.subject).toBe('Your contract was due for renewal on March 7, 2026')
    expect(await ledgerOf(request)).toMatchObject([{ kind: 'manual', offset: -3 }])
  })
})

describe('no reminder is sent by hand', () => {
  test.each([
    [{ email: null }, {}, 'This customer has no email address'],
    [{ sendNotifications: false }, {}, 'Notifications are turned off for this customer'],
    [{}, { status: 'expired' }, 'Only pending and active contracts have reminders'],
    [{}, { status: 'cancelled' }, 'Only pending and active contracts have reminders'],
  ])('to a customer with %o, for a contract with %o', async (customer, terms, text) => {
    const { request, received } = await aSender()
    const { id: customerId } = await aCustomer(request, { email: 'shop@mill.test', ...customer })
    const contract = await aContract(request, { customerId, ...terms })
    await expect(sendReminder(request, contract)).rejects.toThrow(text)
    expect(received).toEqual([])
    expect(await ledgerOf(request)).toEqual([])
  })

  test('twice on a day, also where both are asked for at once', async () => {
    const { request, contract, received } = await aSender()
    const both = await Promise.allSettled([sendReminder(request, contract), sendReminder(request, contract)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(sendReminder(request, contract)).rejects.toMatchObject({ key: 'REMINDER_SENT_TODAY' })
    expect(received).toHaveLength(1)
  })

  test('on the day on which one has gone out, even where the renewal date was changed since', async () => {
    const { request, contract } = await aSender()
    await sendReminder(request, contract)
    await asSubscriber(request, (ctx) => updateContract(ctx, { id: contract.id, renewalDate: toDay('2026-05-01') }))
    await expect(sendReminder(request, contract)).rejects.toMatchObject({ key: 'REMINDER_SENT_TODAY' })
  })

  test('on that day, also where a clock that was ahead has sent one since', async () => {
    let now = new Date('2026-03-13T12:00:00Z')
    const { request, contract, received } = await aSender({ services: { now: () => now } })
    await sendReminder(request, contract)
    now = new Date('2026-03-10T12:00:00Z')
    await sendReminder(request, contract)
    await asSubscriber(request, (ctx) => updateContract(ctx, { id: contract.id, renewalDate: toDay('2026-05-01') }))
    await expect(sendReminder(request, contract)).rejects.toMatchObject({ key: 'REMINDER_SENT_TODAY' })
    expect(received).toHaveLength(2)
  })

  test('to an address from which mail bounced', async () => {
    const { request, contract } = await aSender()
    await sendReminder(request, contract)
    await bounceAll(request)
    await expect(sendReminder(request, contract)).rejects.toMatchObject({ key: 'REMINDER_ADDRESS_BOUNCED' })
  })

  test('by somebody who may only read', async () => {
    const { request, contract } = await aSender()
    await world.db.system.query(`update subscriptions set status = 'unpaid'`)
    request.callers.forget(request.caller?.clerkUserId ?? '')
    const caller = await request.callers.find(`session:${request.caller?.clerkUserId}`)
    await expect(sendReminder({ ...request, caller }, contract)).rejects.toMatchObject({ key: 'PAYMENT_OVERDUE' })
  })
})

describe('a mail server that does not take it', () => {
  test.each([
    [refusedMessage(), 'refused'],
    [deferredMessage(), 'deferred'],
    [noMailServer(), 'unreachable'],
    [lostConnection(), 'unknown'],
  ])('is said, and written down: %s', async (error, reason) => {
    const { request, contract, fail } = await aSender()
    fail(error)
    await expect(sendReminder(request, contract)).rejects.toThrow('Failed to send reminder')
    expect(await ledgerOf(request)).toMatchObject([{ state: 'failed', reason, answer: error.message, sentOn: null }])
  })

  test('can be tried again the same day, under the same Message-ID', async () => {
    const { request, contract, received, fail } = await aSender()
    fail(noMailServer())
    await expect(sendReminder(request, contract)).rejects.toThrow('Failed to send reminder')
    fail()
    await sendReminder(request, contract)
    const rows = await ledgerOf(request)
    expect(rows).toMatchObject([{ state: 'sent', reason: null, attempts: 2 }])
    expect(rows[0]?.messageId).toBe(received[0]?.messageId)
  })

  test.each([
    [lostConnection(), 1],
    [noMailServer(), 0],
  ])('is recorded as possibly sent twice only where the mail server may have taken it: %s', async (error, repeats) => {
    const { request, contract, fail } = await aSender()
    fail(error)
    await expect(sendReminder(request, contract)).rejects.toThrow('Failed to send reminder')
    fail()
    await sendReminder(request, contract)
    expect(await ledgerOf(request)).toMatchObject([{ state: 'sent', attempts: 2, repeats }])
  })
})

test('what was sent stays on record when the contract and its customer are deleted for good', async () => {
  const { request, contract, customerId } = await aSender()
  await sendReminder(request, contract)
  await asSubscriber(request, (ctx) => removeContract(ctx, contract))
  await asSubscriber(request, (ctx) => removeCustomer(ctx, { id: customerId }))
  await asSubscriber(request, (ctx) => removeCustomerForGood(ctx, { id: customerId }))
  expect(await ledgerOf(request)).toMatchObject([{ contractId: null, customerName: 'Harbor Bakery', state: 'sent' }])
})

test('the dashboard knows to whose customers a reminder went today', async () => {
  const { request, contract, customerId } = await aSender()
  await aContract(request, { customerId, renewalDate: '2026-03-20' })
  expect((await readDashboard(requireReader(request))).remindedToday).toEqual([])
  await sendReminder(request, contract)
  expect((await readDashboard(requireReader(request))).remindedToday).toEqual([contract.id])
})
