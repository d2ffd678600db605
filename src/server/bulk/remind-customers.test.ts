import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { addContact } from '#server/contacts/contacts.service.ts'
import { requireReader, type RequestContext, type Services } from '#server/context.ts'
import { getContract } from '#server/contracts/contracts.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld, type AccountOptions } from '#support/world.ts'
import { getBulk, startBulk, undoBulk } from './bulk.service.ts'
import { previewBulk } from './preview-bulk.service.ts'
import { runBulkChanges } from './run-bulk-changes.ts'

const world = useWorld()

/** An account with the customers Harbor, which has two contracts, Mill, and Cafe, which has no address. */
async function anAccountWithCustomers(options: AccountOptions = {}) {
  const mailbox = aMailbox()
  let now = NOON
  const services = { mailer: mailbox.mailer, now: () => now, ...options.services }
  const request = await anAccount(world, { ...options, services })
  const ids: number[] = []
  for (const [name, email] of CUSTOMERS) {
    const { id: customerId } = await aCustomer(request, { name, email })
    ids.push((await aContract(request, { customerId, amount: 100 })).id)
    if (name === 'Harbor') ids.push((await aContract(request, { customerId, amount: 50 })).id)
  }
  const job = { ...request, signal: new AbortController().signal }
  return {
    ...callsOf(request),
    ...mailbox,
    request,
    ids,
    pass: (ms: number) => {
      now = new Date(now.getTime() + ms)
    },
    send: async () => {
      now = new Date(now.getTime() + UNDO_MS)
      await sendReminders(job)
    },
  }
}

const CUSTOMERS = [
  ['Harbor', 'orders@harbor.test'],
  ['Mill', 'office@mill.test'],
  ['Cafe', null],
] as const

function callsOf(request: RequestContext) {
  const remind = (ids: number[]) => BulkChange.parse({ action: 'remind', contracts: { ids } })
  return {
    preview: (ids: number[]) => previewBulk(requireReader(request), remind(ids)),
    start: (ids: number[]) => asSubscriber(request, (ctx) => startBulk(ctx, remind(ids))),
    look: (id: number) => getBulk(requireReader(request), { id }),
    undo: (id: number) => asSubscriber(request, (ctx) => undoBulk(ctx, { id })),
    run: async (services: Partial<Services> = {}) => {
      const faults: unknown[] = []
      await runBulkChanges({
        db: world.db.as('job:bulk-changes'),
        services: { ...request.services, ...services },
        log: { ...Fastify().log, error: (fault: unknown) => void faults.push(fault) },
        signal: new AbortController().signal,
      })
      return faults.length
    },
  }
}

describe('reminders about many contracts', () => {
  test('are announced, planned once, and sent, several to one address as one email', async () => {
    const { preview, start, look, run, send, received, request, ids } = await anAccountWithCustomers()
    expect(await preview(ids)).toEqual({
      count: 3,
      amountBefore: 250,
      amount: 250,
      emails: 2,
      customers: 2,
      leftOut: [{ reason: 'no_address', count: 1 }],
    })
    const { id } = await start(ids)
    await Promise.all([run(), run()])
    expect(await look(id)).toMatchObject({
      action: 'remind',
      state: 'done',
      changed: 3,
      leftOut: [{ reason: 'no_address', count: 1 }],
    })
    expect(await ledgerOf(request)).toMatchObject(
      ids.slice(0, 3).map((contractId) => ({ contractId, kind: 'manual', recipient: 'customer', state: 'planned' })),
    )
    expect(received).toEqual([])
    await send()
    expect(received).toHaveLength(2)
    expect(new Set(received.flatMap(({ to }) => to))).toEqual(new Set(['office@mill.test', 'orders@harbor.test']))
    expect(received.find(({ to }) => to[0] === 'orders@harbor.test')?.subject).toContain('2 contracts')
    expect((await ledgerOf(request)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
    await send()
    expect(received).toHaveLength(2)
  })

  test('reach the other contacts of a customer as well', async () => {
    const { preview, start, run, send, received, request, ids } = await anAccountWithCustomers()
    const { customerId } = await getContract(requireReader(request), { id: ids[2] ?? 0 })
    await asSubscriber(request, (ctx) =>
      addContact(ctx, AddContact.parse({ id: customerId, name: 'Ann', email: 'ann@mill.test', reminders: true })),
    )
    const mill = ids.slice(2, 3)
    expect(await preview(mill)).toMatchObject({ count: 1, emails: 2, customers: 1 })
    await start(mill)
    await run()
    await send()
    expect(new Set(received.flatMap(({ to }) => to))).toEqual(new Set(['ann@mill.test', 'office@mill.test']))
  })

  test('are sent at most once a day about a contract', async () => {
    const { preview, start, look, run, send, request, ids } = await anAccountWithCustomers()
    const [first = 0, second = 0, third = 0] = ids
    await sendReminder(request, { id: first })
    await start([second])
    await run()
    const leftOut = [
      { reason: 'on_its_way', count: 1 },
      { reason: 'sent_today', count: 1 },
    ]
    const ahead = await preview([first, second, third])
    expect({ ...ahead, leftOut: ahead.leftOut.toSorted((one, other) => (one.reason < other.reason ? -1 : 1)) }).toEqual(
      expect.objectContaining({ count: 1, emails: 1, customers: 1, leftOut }),
    )
    const { id } = await start([first, second, third])
    await run()
    expect(await look(id)).toMatchObject({ changed: 1, leftOut: expect.arrayContaining(leftOut) })
    await send()
    expect(await preview([first, second, third])).toMatchObject({
      count: 0,
      leftOut: [{ reason: 'sent_today', count: 3 }],
    })
  })

  test('stop at the limit of emails a day, counting those that wait', async () => {
    const mailLimits = { toAddress: 5, ofTrial: 1, ofPaying: 1 }
    const { preview, start, look, run, send, received, ids } = await anAccountWithCustomers({
      services: { mailLimits },
    })
    const [first = 0, second = 0, third = 0] = ids
    const leftOut = [{ reason: 'account_limit', count: 1 }]
    expect(await preview([first, second, third])).toMatchObject({ count: 2, emails: 1, leftOut })
    await start([first])
    await run()
    expect(await preview([second, third])).toMatchObject({ count: 1, leftOut })
    const { id } = await start([second, third])
    await run()
    expect(await look(id)).toMatchObject({ changed: 1, leftOut })
    await send()
    expect(received).toMatchObject([{ to: ['orders@harbor.test'], subject: expect.stringContaining('2 contracts') }])
  })

  test('stop at the limit of an address', async () => {
    const mailLimits = { toAddress: 1, ofTrial: 50, ofPaying: 50 }
    const { start, look, run, request, ids } = await anAccountWithCustomers({ services: { mailLimits } })
    const [first = 0, second = 0, third = 0] = ids
    await sendReminder(request, { id: first })
    const { id } = await start([second, third])
    await run()
    expect(await look(id)).toMatchObject({ changed: 1, leftOut: [{ reason: 'address_limit', count: 1 }] })
  })

  test('wait for the name of the company', async () => {
    const { preview, start, look, run, request, ids } = await anAccountWithCustomers({ company: null })
    const leftOut = [{ reason: 'no_company', count: 4 }]
    expect(await preview(ids)).toMatchObject({ count: 0, emails: 0, leftOut })
    const { id } = await start(ids)
    await run()
    expect(await look(id)).toMatchObject({ changed: 0, leftOut })
    expect(await ledgerOf(request)).toEqual([])
  })

  test('are neither lost nor repeated if the job is interrupted between two batches', async () => {
    const { look, run, request, ids } = await anAccountWithCustomers()
    await world.db.writeAs(Number(request.caller?.id), (em) =>
      em.execute(
        `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
          select account_id, customer_id, 100, start_date, renewal_cycle, renewal_date, status
          from contracts, generate_series(1, 497) where id = ?`,
        [ids[0]],
      ),
    )
    const { id, total } = await asSubscriber(request, (ctx) =>
      startBulk(ctx, BulkChange.parse({ action: 'remind', contracts: { filter: {} } })),
    )
    expect(total).toBe(501)
    let batches = 0
    const billingNow = () => {
      batches += 1
      if (batches > 1) throw new Error('The process ends')
      return NOON
    }
    expect(await run({ billingNow })).toBe(1)
    expect(await look(id)).toMatchObject({ state: 'running', changed: 499, waiting: 1 })
    expect(await ledgerOf(request)).toHaveLength(499)
    expect(await run()).toBe(0)
    expect(await look(id)).toMatchObject({ state: 'done', changed: 500, waiting: 0 })
    const rows = await ledgerOf(request)
    expect(new Set(rows.map(({ contractId }) => contractId)).size).toBe(500)
    expect(rows).toHaveLength(500)
  })

  test('cannot be undone', async () => {
    const { start, undo, look, run, ids } = await anAccountWithCustomers()
    const { id } = await start(ids)
    await run()
    await expect(undo(id)).rejects.toEqual(expect.objectContaining({ key: 'BULK_FINAL' }))
    expect(await look(id)).toMatchObject({ state: 'done', changed: 3 })
  })

  test("are never about another account's contracts", async () => {
    const { ids: theirs, request: other } = await anAccountWithCustomers()
    const { preview, start, look, run, request, ids } = await anAccountWithCustomers()
    expect(await preview(theirs)).toMatchObject({ count: 0, emails: 0, leftOut: [] })
    await expect(start(theirs)).rejects.toEqual(expect.objectContaining({ key: 'BULK_EMPTY' }))
    const { id } = await start([...theirs, ...ids])
    await run()
    expect(await look(id)).toMatchObject({ total: 4, changed: 3 })
    expect(await ledgerOf(other)).toEqual([])
    expect(await ledgerOf(request)).toHaveLength(3)
  })
})
