import Fastify from 'fastify'
import pg from 'pg'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { centsFromAmount } from '#shared/domain/money.ts'
import { sha256 } from '#shared/domain/proof-key.ts'
import { receiveMailEvent } from '#server/deliverability/mail-events.service.ts'
import { removeRows } from '#server/deletion/account-data.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { ledgerOf } from '#support/ledger.ts'
import { signedMailEvent, type MailEvent } from '#support/mail-event.ts'
import { aMailbox } from '#support/mailbox.ts'
import { chainVerdict, factOf, proofsOf } from '#support/proofs.ts'
import { fakeServices, NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { afterEarlierProofs, appendProof } from './append-proof.ts'

const world = useWorld()

/** An account whose customer has been sent a reminder by hand. */
async function aSentReminder() {
  const mailbox = aMailbox()
  const request = await anAccount(world, { services: { mailer: mailbox.mailer }, timeZone: 'America/New_York' })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId, amount: 1200.5, renewalDate: '2026-03-24' })
  await sendReminder(request, contract)
  const tell = async (event: MailEvent) => {
    const messageId = (await ledgerOf(request))[0]?.messageId?.slice(1, -1) ?? ''
    return receiveMailEvent(request, Buffer.from(JSON.stringify(signedMailEvent({ messageId, ...event }))))
  }
  return { ...mailbox, request, contract, tell, accountId: request.caller?.id ?? 0 }
}

describe('an email to a customer', () => {
  test('is proved word for word, with its contract and its time, but for the links of its reader', async () => {
    const { request, received } = await aSentReminder()
    const [proof] = await proofsOf(request)
    const [row] = await ledgerOf(request)
    const [mail] = received
    expect(proof).toMatchObject({ number: 1, reminderId: row?.id, record: { kind: 'sent', at: NOON.toISOString() } })
    const fact = (part: string, label: string) => factOf(proof?.record, part, label)
    expect(fact('parties', 'Sent to')).toBe('orders@harbor.test')
    expect(fact(`contract ${row?.contractId}`, 'Amount')).toMatch(/^\$1,200\.50 a /)
    expect(fact(`contract ${row?.contractId}`, 'Renewal date')).toBe('March 24, 2026')
    expect(fact('time', 'Local time')).toBe('March 10, 2026 at 8:00:00 AM EDT')
    expect(fact('message', 'SHA-256 of the text')).toBe(await sha256(mail?.text ?? ''))
    expect(fact('message', 'SHA-256 of the HTML')).toBe(await sha256(mail?.html ?? ''))
    const text = proof?.record.parts.find(({ name }) => name === 'message')?.text
    expect(mail?.text).toMatch(/\/unsubscribe\/[\w.-]{40}/)
    expect(text).toBe(mail?.text.replaceAll(/(\/(?:unsubscribe|report|answer))\/\S+/g, '$1/[hidden]'))
  })

  test('stays proved as it was when its contract changes', async () => {
    const { request, contract } = await aSentReminder()
    const before = await proofsOf(request)
    const change = { id: contract.id, amount: centsFromAmount(1) }
    await asSubscriber(request, (ctx) => updateContract(ctx, change))
    expect(await proofsOf(request)).toEqual(before)
  })

  test('is proved when a job sends it, and an email to the owner is not', async () => {
    const { mailer } = aMailbox()
    let now = new Date('2026-03-10T08:00:00Z')
    const services = fakeServices({ mailer, now: () => now, billingNow: () => now })
    const request = await anAccount(world, { services })
    const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
    await aContract(request, { customerId, renewalDate: '2026-03-24' })
    await world.db.writeAs(request.caller?.id ?? 0, async (em) => {
      await em.execute(`update contracts set reminders_since = '2026-01-01'`)
      await em.execute(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
    })
    const job = { db: world.db, services, log: Fastify().log, signal: new AbortController().signal }
    await planReminders(job)
    now = new Date('2026-03-10T08:01:00Z')
    await sendReminders(job)
    const ofCustomer = (await ledgerOf(request)).filter(({ recipient }) => recipient === 'customer')
    const proofs = await proofsOf(request)
    expect(proofs.map(({ reminderId }) => reminderId)).toEqual(ofCustomer.map(({ id }) => id))
    expect(proofs[0]?.record.at).toBe(now.toISOString())
  })

  test('that no mail server takes is not proved', async () => {
    const mailbox = aMailbox()
    const request = await anAccount(world, { services: { mailer: mailbox.mailer } })
    const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
    const contract = await aContract(request, { customerId })
    mailbox.fail(new Error('away'))
    await expect(sendReminder(request, contract)).rejects.toMatchObject({ key: 'REMINDER_FAILED' })
    expect(await proofsOf(request)).toEqual([])
  })
})

describe('what the mail provider reports', () => {
  test('is a record of its own, once', async () => {
    const { request, tell } = await aSentReminder()
    await tell({ event: 'delivered' })
    await tell({ event: 'delivered' })
    await tell({ event: 'failed', severity: 'permanent' })
    const proofs = await proofsOf(request)
    expect(proofs.map(({ record }) => record.kind)).toEqual(['sent', 'delivered', 'bounced'])
    expect(new Set(proofs.map(({ reminderId }) => reminderId)).size).toBe(1)
    expect(factOf(proofs[2]?.record, 'event', 'Mail server')).toBe('550 no such user')
    expect(await chainVerdict(request)).toMatchObject({ verdict: 'genuine', links: 3 })
  })

  test('is called a complaint if it is one', async () => {
    const { request, tell } = await aSentReminder()
    await tell({ event: 'complained' })
    expect((await proofsOf(request)).map(({ record }) => record.kind)).toEqual(['sent', 'complained'])
  })
})

describe('the chain', () => {
  test('has every record in one line, however many are added at once', async () => {
    const { request, accountId } = await aSentReminder()
    const { proofSigner } = request.services
    const proof = { accountId, reminderId: 1, kind: 'delivered', at: NOON, parts: [] } as const
    const adding = Array.from({ length: 12 }, () =>
      world.db.writeAs(accountId, (_em, write) => appendProof(write, proof, proofSigner)),
    )
    await Promise.all(adding)
    expect(await chainVerdict(request)).toMatchObject({ verdict: 'genuine', links: 13 })
  })

  test('is each account its own', async () => {
    const [one, other] = [await aSentReminder(), await aSentReminder()]
    for (const { request } of [one, other]) {
      expect(await chainVerdict(request)).toMatchObject({ verdict: 'genuine', links: 1 })
    }
    expect(await world.db.readAs(other.accountId)(sql`select from proofs`)).toHaveLength(1)
  })

  test.each([
    `update proofs set hash = previous_hash`,
    `delete from proofs`,
    `update proof_records set record = '{}'`,
    `delete from proof_records`,
    `truncate proof_records`,
    `select remove_proofs(1, 10)`,
  ])('is neither changed nor deleted by the server: %s', async (statement) => {
    const { accountId } = await aSentReminder()
    await expect(world.db.writeAs(accountId, (em) => em.execute(statement))).rejects.toThrow('permission denied')
  })

  test.each([
    `update proofs set hash = previous_hash`,
    `delete from proofs`,
    `update proof_records set record = '{}'`,
    `delete from proof_records`,
    `truncate proofs cascade`,
    `delete from accounts`,
  ])('is refused a change even in the name of its owner: %s', async (statement) => {
    const { request } = await aSentReminder()
    const client = new pg.Client(world.connection)
    await client.connect()
    try {
      await expect(client.query(statement)).rejects.toThrow('proofs are only ever added')
    } finally {
      await client.end()
    }
    expect(await chainVerdict(request)).toMatchObject({ verdict: 'genuine', links: 1 })
  })

  test('goes with its account alone', async () => {
    const [one, other] = [await aSentReminder(), await aSentReminder()]
    await removeRows(one.request, one.accountId)
    await world.db.system.query('delete from accounts where id = $1', [one.accountId])
    expect(await proofsOf(one.request)).toEqual([])
    expect(await proofsOf(other.request)).toHaveLength(1)
  })
})

test('work of an account waits for earlier work, others do not, and no more than was allowed waits', async () => {
  const { promise: free, resolve: release } = Promise.withResolvers<void>()
  const order: string[] = []
  const held = afterEarlierProofs(1, async () => {
    await free
    order.push('first')
    throw new Error('failed')
  })
  const waiting = afterEarlierProofs(1, async () => order.push('second'), 1)
  await expect(afterEarlierProofs(1, async () => order.push('third'), 1)).rejects.toMatchObject({
    key: 'TOO_MANY_AT_ONCE',
  })
  await afterEarlierProofs(2, async () => order.push('other'))
  release()
  await expect(held).rejects.toThrow('failed')
  await waiting
  expect(order).toEqual(['other', 'first', 'second'])
})
