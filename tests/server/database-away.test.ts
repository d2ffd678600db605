import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '#server/boot/build-app.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { requireAccount, type RequestContext } from '#server/context.ts'
import { commitUnclear, isCommitUnclear } from '#server/db/connections/failover.ts'
import type { Database } from '#server/db/database.ts'
import { openCallers } from '#server/identity/callers.ts'
import { onceRunning } from '#server/idempotency/once.ts'
import { anAnswerable, PAGE, postAnswer } from '#support/answering.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { startDatabaseProxy, type DatabaseProxy } from '#support/database-proxy.ts'
import { fakeServices } from '#support/services.ts'
import { aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()

let opened: { proxy: DatabaseProxy; db: Database } | undefined
function away() {
  if (!opened) throw new Error('The proxy starts with the first test')
  return opened
}
beforeAll(async () => {
  const proxy = await startDatabaseProxy(world.connection)
  opened = { proxy, db: await openDatabase(proxy.connection) }
})
beforeEach(() => away().proxy.conduct('pass'))
afterAll(async () => {
  await away().db.close()
  await away().proxy.stop()
})

/** A server whose connections to the database the proxy lets fail. */
const server = useApp({
  get connection() {
    return world.connection
  },
  get db() {
    return away().db
  },
})

const create = (who: RequestContext, name: string, headers: Record<string, string> = {}) =>
  call(server, { method: 'POST', url: '/customers', headers: { ...bearer(who), ...headers }, payload: { name } })

/** The same on a server that soon takes a silent database for one that is gone. */
function useSilenced() {
  let started: { app: FastifyInstance; db: Database; proxy: DatabaseProxy } | undefined
  beforeAll(async () => {
    const proxy = await startDatabaseProxy(world.connection)
    const db = await openDatabase(proxy.connection, undefined, { patienceMs: 1000, answerMs: 1000 })
    const services = fakeServices()
    const app = await buildApp({
      db,
      services,
      callers: openCallers(db, services),
      origins: ['http://localhost:3000'],
      logLevel: 'silent',
      pages: { folder: undefined, text: async (file) => file },
      plugins: [],
    })
    started = { app, db, proxy }
  })
  afterAll(async () => {
    await started?.app.close()
    await started?.db.close()
    await started?.proxy.stop()
  })
  return () => {
    if (!started) throw new Error('The proxy starts with the first test')
    return started
  }
}

const createAt = (app: FastifyInstance, who: RequestContext, name: string) =>
  call({ app }, { method: 'POST', url: '/customers', headers: bearer(who), payload: { name } })

async function customersNamed(who: RequestContext, name: string): Promise<number> {
  const read = world.db.readAs(requireReader(who).accountId)
  return (await read(sql`select from customers where name = ${name}`)).length
}

test('calls wait for a database that cannot be reached, and are carried out once it can be', async () => {
  const request = await anAccount(world)
  const { proxy } = away()
  proxy.conduct('refuse')
  const before = proxy.refused()
  const calls = [
    create(request, 'Acme'),
    create(request, 'Harbor', { 'idempotency-key': randomUUID() }),
    call(server, { url: '/customers', headers: bearer(request) }),
  ]
  await expect.poll(() => proxy.refused()).toBeGreaterThan(before + calls.length)
  proxy.conduct('pass')
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([201, 201, 200])
})

test('what a lost connection has not committed is done again', async () => {
  const request = await anAccount(world)
  await aCustomer(request)
  // The account is known then, and only the work itself meets the loss.
  await call(server, { url: '/customers', headers: bearer(request) })
  const { proxy } = away()
  for (const [status, asked] of [
    [200, () => call(server, { url: '/customers', headers: bearer(request) })],
    [201, () => create(request, 'Acme')],
  ] as const) {
    const before = proxy.held()
    proxy.conduct('freeze')
    const answer = asked()
    await expect.poll(() => proxy.held()).toBeGreaterThan(before)
    proxy.conduct('refuse')
    proxy.conduct('pass')
    expect(await answer).toMatchObject({ status })
  }
  expect(await customersNamed(request, 'Acme')).toBe(1)
})

test('a database that stays away, or never answers, is told of after some seconds, by REST and by tRPC', async () => {
  const request = await anAccount(world)
  const { proxy } = away()
  for (const conduct of ['refuse', 'freeze'] as const) {
    // So that none is left whose answer would be waited for.
    proxy.conduct('refuse')
    proxy.conduct(conduct)
    const [byRest, byTrpc, byLink] = await Promise.all([
      create(request, 'Acme'),
      server.app.inject({ url: '/trpc/customers.list', headers: bearer(request) }),
      postAnswer(server, '/answer/1.a1.x', { choice: 'renew', page: 'x', words: 'Gladly' }),
    ])
    expect(byRest).toMatchObject({
      status: 503,
      body: { error: 'The database does not respond', refusal: 'DATABASE_UNAVAILABLE' },
      headers: { 'retry-after': '5' },
    })
    expect(byTrpc).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
    expect(byTrpc.json()).toMatchObject({
      error: { json: { data: { refusal: 'DATABASE_UNAVAILABLE', retryAfterSeconds: 5 } } },
    })
    expect(byLink).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
    expect(byLink.body).toContain('<input type="hidden" name="words" value="Gladly">')
  }
})

test('an answer of a customer that may have been committed is kept to be sent again, and counts once', async () => {
  const { link, answers } = await anAnswerable(world, server)
  const { body } = await server.app.inject({ url: `${link}/change` })
  const fields = { choice: 'change', page: PAGE.exec(body)?.[1] ?? '', words: 'Less, please' }
  away().proxy.conduct('cut at commit')
  const unclear = await postAnswer(server, link, fields)
  expect(unclear).toMatchObject({ statusCode: 503, body: expect.stringContaining('It is not known whether') })
  expect(unclear.body).toContain('<input type="hidden" name="words" value="Less, please">')
  expect(await answers()).toHaveLength(1)
  expect(await postAnswer(server, link, fields)).toMatchObject({ statusCode: 303 })
  expect(await answers()).toMatchObject([{ words: 'Less, please' }])
})

test('a write that may have been committed is repeated only with an Idempotency-Key', async () => {
  const request = await anAccount(world)
  const { proxy } = away()
  proxy.conduct('cut at commit')
  const refused = await create(request, 'Acme')
  expect(refused).toMatchObject({ status: 503, body: { refusal: 'WRITE_UNCLEAR' } })
  expect(refused.headers).not.toHaveProperty('retry-after')
  expect(await customersNamed(request, 'Acme')).toBe(1)
  proxy.conduct('cut at commit')
  expect(await create(request, 'Harbor', { 'idempotency-key': randomUUID() })).toMatchObject({ status: 201 })
  expect(await customersNamed(request, 'Harbor')).toBe(1)
})

describe('a database that falls silent', () => {
  // Open connections say nothing, and new ones neither.
  const quick = useSilenced()

  test('is told of, and calls are carried out again when it answers', async () => {
    const request = await anAccount(world)
    const { app, proxy } = quick()
    expect((await createAt(app, request, 'Acme')).status).toBe(201)
    const before = proxy.held()
    proxy.conduct('freeze')
    const asked = ['read', 'write'].map((kind) =>
      kind === 'read'
        ? call({ app }, { url: '/customers', headers: bearer(request) })
        : createAt(app, request, 'Harbor'),
    )
    for (const answer of await Promise.all(asked))
      expect(answer).toMatchObject({
        status: 503,
        body: { refusal: 'DATABASE_UNAVAILABLE' },
        headers: { 'retry-after': '5' },
      })
    expect(proxy.held()).toBeGreaterThan(before)
    proxy.conduct('pass')
    await expect.poll(async () => (await createAt(app, request, 'Mill')).status).toBe(201)
    expect([await customersNamed(request, 'Acme'), await customersNamed(request, 'Harbor')]).toEqual([1, 0])
  })

  test('during a commit leaves it unclear', async () => {
    const request = await anAccount(world)
    const { app, proxy } = quick()
    proxy.conduct('freeze at commit')
    expect(await createAt(app, request, 'Acme')).toMatchObject({ status: 503, body: { refusal: 'WRITE_UNCLEAR' } })
    proxy.conduct('pass')
    expect(await customersNamed(request, 'Acme')).toBe(1)
  })
})

test('a key whose own commit is unclear is the call that took it', async () => {
  const request = await anAccount(world)
  const { proxy } = away()
  const ctx = requireAccount({ ...request, db: away().db })
  const repeatable = { key: randomUUID(), digest: async () => Buffer.alloc(32) }
  proxy.conduct('cut at commit')
  let runs = 0
  const run = () =>
    onceRunning(ctx, repeatable, async () => {
      runs += 1
      return { runs }
    })
  expect(await run()).toEqual({ runs: 1 })
  expect(await run()).toEqual({ runs: 1 })
})

test('work of several transactions that may have been committed is not carried out again with its key', async () => {
  const ctx = requireAccount(await anAccount(world))
  const repeatable = { key: randomUUID(), digest: async () => Buffer.alloc(32) }
  let runs = 0
  const run = () =>
    onceRunning(ctx, repeatable, async () => {
      runs += 1
      throw commitUnclear(new Error('Connection terminated unexpectedly'))
    })
  await expect(run()).rejects.toSatisfy(isCommitUnclear)
  await expect(run()).rejects.toMatchObject({ key: 'IDEMPOTENCY_KEY_RUNNING' })
  expect(runs).toBe(1)
})
