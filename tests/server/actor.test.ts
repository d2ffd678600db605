import sql from 'sql-template-tag'
import { createHmac } from 'node:crypto'
import Fastify from 'fastify'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runBulkChanges } from '#server/bulk/run-bulk-changes.ts'
import { startJobs } from '#server/jobs.ts'
import { readRows } from '#server/db/rows.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { archiveOf, importArchive } from '#support/archives.ts'
import { aMailbox } from '#support/mailbox.ts'
import { recordActors } from '#support/recorded-actors.ts'
import { fakeServices, NOON } from '#support/services.ts'
import { upload } from '#support/upload.ts'
import { aContract, aCustomer, anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const { mailer, received } = aMailbox()
const server = useApp(world, { mailer })
const OPERATOR = 'token-of-the-operator'
const operated = useApp(world, { mailer }, { operatorToken: OPERATOR })
const { forget, writes, reads } = recordActors(world)

/** An account with a contract whose customer can be written to, and nothing recorded so far. */
async function ready() {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
  const { id: contractId } = await aContract(request, { customerId, renewalDate: '2026-03-17' })
  const key = await anApiKey(request)
  await forget()
  received.length = 0
  const send =
    (headers: Record<string, string>) =>
    async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
      const answer = await call(server, { method, url, headers, ...(payload && { payload }) })
      expect(answer.status).toBeLessThan(300)
    }
  return {
    request,
    person: `person:${request.caller?.id}`,
    customerId,
    contractId,
    key,
    bySession: send(bearer(request)),
    byKey: send({ authorization: `Bearer ${key}` }),
    byNobody: send({}),
  }
}

/** Who wrote, and to which tables, besides TRAXX counting requests. */
async function actors(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name, actor } of await writes()) {
    if (name !== 'rate_limits' || actor !== 'traxx') (found[actor ?? 'unset'] ??= []).push(name)
  }
  return found
}

test('somebody signed in is named by every REST call that writes', async () => {
  const { bySession, person, customerId, contractId } = await ready()
  await bySession('POST', '/customers', { name: 'New' })
  await bySession('PUT', `/contracts/${contractId}`, { amount: 5 })
  await bySession('PUT', '/account/time-zone', { timeZone: 'Europe/Berlin' })
  await bySession('POST', '/api-keys', { name: 'Another' })
  await bySession('DELETE', '/api-keys/1')
  await bySession('POST', `/contracts/${contractId}/reminder`)
  await bySession('POST', '/notifications/clear')
  await bySession('DELETE', `/contracts/${contractId}`)
  await bySession('DELETE', `/customers/${customerId}`)
  expect(received).toHaveLength(1)
  const found = await actors()
  expect(Object.keys(found)).toEqual([person])
  expect(found[person]).toEqual(expect.arrayContaining(['accounts', 'api_keys', 'contracts', 'customers', 'reminders']))
})

test('and by every tRPC call', async () => {
  const { request, bySession, person, customerId } = await ready()
  const input = (json: object) => ({ json })
  await bySession('POST', '/trpc/customers.update', input({ id: customerId, name: 'Renamed' }))
  await bySession('POST', '/trpc/identity.setTimeZone', input({ timeZone: 'Asia/Tokyo' }))
  await bySession('POST', '/trpc/notifications.markAllRead', {})
  expect(Object.keys(await actors())).toEqual([`person:${request.caller?.id}`])
  expect((await actors())[person]).toEqual(expect.arrayContaining(['accounts', 'customers']))
})

/** Who has read, and from which tables, besides TRAXX that finds the caller and counts requests. */
async function readers(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name, actor } of await reads()) {
    if (actor !== 'traxx' || !OF_TRAXX.includes(name)) (found[actor ?? 'unset'] ??= []).push(name)
  }
  return found
}

const OF_TRAXX = ['accounts', 'api_keys', 'rate_limits', 'subscriptions']

test('whoever reads is named as well', async () => {
  const { bySession, byKey, person, contractId } = await ready()
  const READ = expect.arrayContaining(['contracts', 'customers'])
  for (const path of ['/customers', `/contracts/${contractId}`, '/dashboard']) await bySession('GET', path)
  expect(await readers()).toEqual({ [person]: READ })
  await forget()
  await bySession(
    'GET',
    `/trpc/contracts.get?input=${encodeURIComponent(JSON.stringify({ json: { id: contractId } }))}`,
  )
  expect(await readers()).toEqual({ [person]: READ })
  await forget()
  await byKey('GET', '/contracts')
  expect(await readers()).toEqual({ 'key:1': READ })
})

test('an API key is named by its id, and noting its use is the work of TRAXX', async () => {
  const { byKey, customerId } = await ready()
  await byKey('PUT', `/customers/${customerId}`, { name: 'By script' })
  await byKey('POST', '/trpc/customers.create', { json: { name: 'By script too' } })
  expect(await actors()).toMatchObject({ traxx: ['api_keys'], 'key:1': expect.arrayContaining(['customers']) })
  expect(Object.keys(await actors()).toSorted()).toEqual(['key:1', 'traxx'])
})

test('an import is named by what it brings, and its uploader by the record of it', async () => {
  const { request, person } = await ready()
  const content = 'Name\nImported\n\n'
  const { body } = await upload(server, request, { url: '/customers/bulk-upload', content })
  const found = await actors()
  expect(found[`import:${body.importId}`]).toEqual(expect.arrayContaining(['customers', 'imports']))
  expect(found[person]).toEqual(['imports'])
  expect(Object.keys(found)).toHaveLength(2)
})

test('a customer is named where they follow the link in an email', async () => {
  const { bySession, contractId, customerId } = await ready()
  await bySession('POST', `/contracts/${contractId}/reminder`)
  await forget()
  const link = /http:\/\/localhost:3000(\/unsubscribe\/\S+)/.exec(received[0]?.text ?? '')?.[1] ?? ''
  const answer = await server.app.inject({ method: 'POST', url: link })
  expect(answer.statusCode).toBe(200)
  expect(await actors()).toEqual({ [`customer:${customerId}`]: ['closed_addresses', 'notifications'] })
  expect(await readers()).toEqual({
    link: expect.arrayContaining(['reminders']),
    [`customer:${customerId}`]: expect.arrayContaining(['customers']),
  })
})

test('the mail provider and the payment provider are named by their webhooks', async () => {
  const { bySession, byNobody, contractId } = await ready()
  await bySession('POST', `/contracts/${contractId}/reminder`)
  await forget()
  const [timestamp, token] = [String(NOON.getTime() / 1000), 'a'.repeat(50)]
  const signature = createHmac('sha256', 'key-test')
    .update(timestamp + token)
    .digest('hex')
  const message = { headers: { 'message-id': received[0]?.messageId.slice(1, -1) } }
  const data = { event: 'delivered', message, 'delivery-status': {} }
  await byNobody('POST', '/mail/webhook', { signature: { timestamp, token, signature }, 'event-data': data })
  const told = await actors()
  expect(Object.keys(told)).toEqual(['mail-provider'])
  expect(told['mail-provider']).toContain('reminders')

  await forget()
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'x', data: { object: { object: 'x' } } })
  const signed = Stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_test' })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signed }
  expect((await call(server, { method: 'POST', url: '/stripe/webhook', payload, headers })).status).toBe(200)
  expect(await actors()).toEqual({ stripe: ['stripe_events'] })
})

test('each job is named by what it does', async () => {
  const { request } = await ready()
  const run = (text: string) => world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(text))
  await run(`update contracts set reminders_since = '2026-01-01', renewal_date = '2026-03-24'`)
  await run(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
  await forget()
  const services = fakeServices({ mailer, now: () => new Date('2026-03-10T12:00:00Z') })
  const { log } = Fastify({ logger: { level: 'silent' } })
  const jobs = startJobs({ db: world.db, services, log })
  await expect.poll(async () => (await actors())['job:plan-reminders']).toContain('reminders')
  await jobs.stop()
  const again = startJobs({ db: world.db, services, log })
  await expect.poll(() => received.filter(({ to }) => to.includes('orders@harbor.test')).length).toBe(1)
  await again.stop()
  const found = await actors()
  expect(Object.keys(found).filter((actor) => !actor.startsWith('job:'))).toEqual([])
  expect(found['job:plan-reminders']).toEqual(expect.arrayContaining(['job_runs', 'reminder_schedules', 'reminders']))
  expect(found['job:send-reminders']).toEqual(expect.arrayContaining(['job_runs', 'reminders']))
  const read = await readers()
  expect(Object.keys(read).filter((actor) => !actor.startsWith('job:'))).toEqual([])
  expect(read['job:send-reminders']).toEqual(expect.arrayContaining(['contracts', 'customers', 'reminders']))
  const rows = await readRows(world.db.system, sql`select name from job_runs`, z.object({ name: z.string() }))
  expect(Object.keys(found).toSorted()).toEqual(rows.map(({ name }) => `job:${name}`).toSorted())
})

test('a change of many contracts is named by who asked for it, also where a job carries it out', async () => {
  const { bySession, person, contractId } = await ready()
  const price = { by: 'percent', value: 10 }
  await bySession('POST', '/bulk', { action: 'change_price', price, contracts: { ids: [contractId] } })
  expect(await actors()).toEqual({ [person]: ['bulk_changes', 'bulk_contracts'] })
  await forget()
  const { log } = Fastify({ logger: { level: 'silent' } })
  await runBulkChanges({ db: world.db, services: fakeServices(), log, signal: new AbortController().signal })
  const found = await actors()
  expect(Object.keys(found)).toEqual([person])
  expect(found[person]).toEqual(expect.arrayContaining(['contracts']))
})

test('an archive is named by who imports it', async () => {
  const archive = await archiveOf(server, (await ready()).request)
  const request = await anAccount(world)
  await forget()
  expect(await importArchive(server, request, archive)).toMatchObject({ status: 200 })
  const person = `person:${request.caller?.id}`
  expect(await actors()).toEqual({ [person]: expect.arrayContaining(['contracts', 'customers']) })
})

test('the operator is named by what they change in an account', async () => {
  const { request } = await ready()
  const headers = { authorization: `Bearer ${OPERATOR}` }
  for (const change of ['suspend', 'end-suspension', 'resume-mail']) {
    const url = `/operator/accounts/${request.caller?.id}/${change}`
    const payload = change === 'suspend' ? { reason: 'Complaints' } : {}
    const answer = await call(operated, { method: 'POST', url, headers, payload })
    expect(answer.status).toBe(200)
  }
  expect(await actors()).toEqual({ operator: expect.arrayContaining(['accounts', 'mail_stops']) })
})

test('deleting an account is named by its owner from the first step to the last', async () => {
  const { bySession, person, request } = await ready()
  await bySession('DELETE', '/account', { email: request.caller?.email })
  const found = await actors()
  expect(found).toEqual({ [person]: expect.arrayContaining(['accounts']) })
})
