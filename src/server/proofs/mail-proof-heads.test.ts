import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { call, useApp } from '#support/app.ts'
import { aMailbox, noMailServer, refusedMessage } from '#support/mailbox.ts'
import { proofsOf } from '#support/proofs.ts'
import { fakeServices, NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { mailProofHeads } from './mail-proof-heads.ts'
import { getProofHead, saveProofHead } from './proof-head.service.ts'

const world = useWorld()
const server = useApp(world)
const DAY_MS = 86_400_000

/** An account whose customers have been sent a reminder each, and the job so many days later. */
async function anAccountWithProofs(count = 1) {
  const { mailer, received, fail } = aMailbox()
  const request = await anAccount(world, { services: { mailer } })
  const remind = async (name: string) => {
    const { id: customerId } = await aCustomer(request, { name, email: `${name}@harbor.test` })
    await sendReminder(request, await aContract(request, { customerId }))
  }
  for (let index = 0; index < count; index += 1) await remind(`customer-${index}`)
  const runAfter = (days: number) => {
    const services = fakeServices({ mailer, now: () => new Date(NOON.getTime() + days * DAY_MS) })
    const log = Fastify({ logger: false }).log
    return mailProofHeads({ db: world.db, services, log, signal: new AbortController().signal })
  }
  const ownersMail = () => received.filter(({ to }) => to.includes(request.caller?.email ?? ''))
  return { request, remind, runAfter, ownersMail, fail }
}

test('the head is mailed a week after the first record, with what compares it', async () => {
  const { request, runAfter, ownersMail } = await anAccountWithProofs(2)
  await runAfter(6.9)
  expect(ownersMail()).toEqual([])
  await runAfter(7)
  const last = (await proofsOf(request)).at(-1)
  expect(ownersMail()).toMatchObject([{ subject: 'Proof of your emails and answers: 2 records' }])
  for (const said of [last?.hash, last?.signature, `--head 2:${last?.hash}`])
    expect(ownersMail()[0]?.text).toContain(said)
})

test('it is mailed again a week later only if there is more', async () => {
  const { remind, runAfter, ownersMail } = await anAccountWithProofs()
  await runAfter(7)
  await runAfter(7.1)
  await runAfter(14)
  expect(ownersMail()).toHaveLength(1)
  await remind('another')
  await runAfter(20.9)
  expect(ownersMail()).toHaveLength(1)
  await runAfter(21)
  expect(ownersMail()).toHaveLength(2)
})

test('it is not mailed to who has turned it off, and is mailed after it was turned on', async () => {
  const { request, runAfter, ownersMail } = await anAccountWithProofs()
  await asSubscriber(request, (ctx) => saveProofHead(ctx, { weekly: false }))
  await runAfter(7)
  expect(ownersMail()).toEqual([])
  await asSubscriber(request, (ctx) => saveProofHead(ctx, { weekly: true }))
  await runAfter(8)
  expect(ownersMail()).toHaveLength(1)
})

test('where the mail server is away, it is tried again a day later', async () => {
  const { runAfter, ownersMail, fail } = await anAccountWithProofs()
  fail(noMailServer())
  await runAfter(7)
  fail()
  await runAfter(7.9)
  expect(ownersMail()).toEqual([])
  await runAfter(8)
  expect(ownersMail()).toHaveLength(1)
})

test('where the mail server refuses it, it is mailed the week after', async () => {
  const { runAfter, ownersMail, fail } = await anAccountWithProofs()
  fail(refusedMessage())
  await runAfter(7)
  fail()
  await runAfter(8)
  expect(ownersMail()).toEqual([])
  await runAfter(14)
  expect(ownersMail()).toHaveLength(1)
})

test('an owner whose address bounced gets it once that works', async () => {
  const { request, runAfter, ownersMail } = await anAccountWithProofs()
  const { accountId, caller } = requireReader(request)
  await world.db.writeAs(accountId, (em) =>
    em.execute('insert into bounced_addresses (account_id, address, bounced_at) values (?, ?, now())', [
      accountId,
      caller.email,
    ]),
  )
  await runAfter(7)
  expect(ownersMail()).toEqual([])
  await world.db.writeAs(accountId, (em) => em.execute('update bounced_addresses set cleared_at = now()'))
  await runAfter(14)
  expect(ownersMail()).toHaveLength(1)
})

test('the head is each account its own, and there is none before the first record', async () => {
  const [one, other] = [await anAccountWithProofs(2), await anAccountWithProofs(0)]
  const head = (await proofsOf(one.request)).at(-1)
  expect(await getProofHead(requireReader(one.request))).toMatchObject({
    head: { number: 2, hash: head?.hash, signature: head?.signature },
    weekly: true,
  })
  expect(await getProofHead(requireReader(other.request))).toEqual({ head: null, weekly: true })
})

test('programs read it, and turn the emails off', async () => {
  const { request } = await anAccountWithProofs()
  const headers = { authorization: `Bearer session:${request.caller?.clerkUserId}` }
  const read = () => call(server, { url: '/account/proof-head', headers })
  expect(await read()).toMatchObject({ status: 200, body: { head: { number: 1 }, weekly: true } })
  const { body } = await read()
  const payload = { ...Object(body), weekly: false }
  const saved = await call(server, { method: 'PUT', url: '/account/proof-head', headers, payload })
  expect(saved).toMatchObject({ status: 200, body: { head: { number: 1 }, weekly: false } })
  expect(await read()).toMatchObject({ body: { weekly: false } })
})
