import { Readable } from 'node:stream'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#server/boot/open-database.ts'
import type { RequestContext } from '#server/context.ts'
import type { Database } from '#server/db/database.ts'
import { attachLogo } from '#server/company/logo.service.ts'
import { importFile } from '#server/imports/import-file.ts'
import { BULK_UPLOADS } from '#shared/schemas/imports.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { useHeavyWork } from '#support/heavy-work.ts'
import { aPng } from '#support/pictures.ts'
import { aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const begin = useHeavyWork()

let impatient: Database | undefined
function opened(): Database {
  if (!impatient) throw new Error('The database opens with the first test')
  return impatient
}
beforeAll(async () => {
  impatient = await openDatabase({ ...world.connection, connectionTimeoutMillis: 1000 })
})
afterAll(() => opened().close())

/** A server that waits a second for a connection. */
const hurried = useApp({
  get connection() {
    return world.connection
  },
  get db() {
    return opened()
  },
})

/** Lets nobody read customers until it is called. */
async function lockCustomers(): Promise<() => Promise<void>> {
  const owner = new pg.Client(world.connection)
  await owner.connect()
  await owner.query('begin; lock table customers')
  return () => owner.end()
}

async function count(text: string): Promise<number> {
  return (await world.db.system.query(text)).rowCount
}

const SLOTS = `select from rate_limits where key like 'listsAtOnce:%'`

const list = (who: RequestContext, url = '/customers') => call(server, { url, headers: bearer(who) })

test('whole lists of an account are four at once, until they are sent', async () => {
  const request = await anAccount(world)
  await aCustomer(request)
  const unlock = await lockCustomers()
  const held = Array.from({ length: 4 }, () => list(request))
  await expect.poll(() => count(SLOTS)).toBe(4)
  expect(await list(request)).toMatchObject({
    status: 429,
    body: { refusal: 'TOO_MANY_AT_ONCE' },
    headers: { 'retry-after': '5' },
  })
  await unlock()
  for (const answer of await Promise.all(held)) expect(answer).toMatchObject({ status: 200, body: [{ id: 1 }] })
  await expect.poll(() => count(SLOTS)).toBe(0)
  expect(await list(request)).toMatchObject({ status: 200 })
})

test('whole lists of an account are counted together, and neither its pages nor other accounts with them', async () => {
  const [request, other] = [await anAccount(world), await anAccount(world)]
  for (let begun = 0; begun < 4; begun += 1) await begin(request.limits, 'lists', requireReader(request).accountId)
  for (const path of ['/customers', '/contracts', '/reminders', '/notifications', '/imports']) {
    expect(await list(request, path)).toMatchObject({ status: 429 })
    expect(await list(request, `${path}?limit=5`)).toMatchObject({ status: 200 })
    expect(await list(other, path)).toMatchObject({ status: 200 })
  }
})

test('pages of messages that are not planned yet, which look at very many contracts, are counted with them', async () => {
  const [request, other] = [await anAccount(world), await anAccount(world)]
  for (let begun = 0; begun < 4; begun += 1) await begin(request.limits, 'lists', requireReader(request).accountId)
  for (const path of ['/reminders/coming', '/notices?limit=5', '/notices/incomplete?limit=5']) {
    expect(await list(request, path)).toMatchObject({ status: 429, body: { refusal: 'TOO_MANY_AT_ONCE' } })
    expect(await list(other, path)).toMatchObject({ status: 200 })
  }
})

test('a whole list that fails is no longer under way', async () => {
  const headers = bearer(await anAccount(world))
  for (let asked = 0; asked < 5; asked += 1) {
    expect(await call(server, { url: '/customers?cursor=wrong', headers })).toMatchObject({ status: 400 })
  }
  await expect.poll(() => count(SLOTS)).toBe(0)
})

const CSV = {
  kind: 'customers',
  fileName: 'customers.csv',
  answers: BULK_UPLOADS.customers.parse({ again: true }),
} as const
const { signal } = new AbortController()

test.each([
  ['logos', aPng(10, 10), attachLogo],
  [
    'files to import',
    Buffer.from('Name\nAcme\n'),
    (request: RequestContext, bytes: AsyncIterable<Uint8Array>) => importFile(request, { ...CSV, bytes, signal }),
  ],
])('%s of an account are taken four at once, and of a fifth no byte', async (_what, content, take) => {
  const [request, other] = [await anAccount(world), await anAccount(world)]
  const { promise: free, resolve: release } = Promise.withResolvers<void>()
  let begun = 0
  async function* slow() {
    begun += 1
    await free
    yield content
  }
  const held = Array.from({ length: 4 }, () => take(request, slow()))
  await expect.poll(() => begun).toBe(4)
  await expect(Promise.race([take(request, slow()), ...held])).rejects.toMatchObject({ key: 'TOO_MANY_AT_ONCE' })
  expect(begun).toBe(4)
  await take(other, Readable.from([content]))
  release()
  await Promise.all(held)
  await take(request, Readable.from([content]))
})

test('whoever finds every connection taken is told that the server is busy, by REST and tRPC', async () => {
  const ids: number[] = []
  for (let made = 0; made < 8; made += 1) ids.push(requireReader(await anAccount(world)).accountId)
  const headers = bearer(await anAccount(world))
  const { promise: free, resolve: release } = Promise.withResolvers<void>()
  let begun = 0
  const held = ids.map((accountId) =>
    opened().writeAs(accountId, async (em) => {
      await em.execute('select 1')
      begun += 1
      await free
    }),
  )
  await expect.poll(() => begun).toBe(8)
  const busy = { 'retry-after': '10' }
  const payload = { name: 'Acme' }
  expect(await call(hurried, { method: 'POST', url: '/customers', headers, payload })).toMatchObject({
    status: 503,
    body: { error: 'The server is very busy. Please try again in a few seconds', refusal: 'SERVER_BUSY' },
    headers: busy,
  })
  const asked = { method: 'POST', url: '/trpc/customers.create', headers, payload: { json: payload } } as const
  const answer = await hurried.app.inject(asked)
  expect(answer).toMatchObject({ statusCode: 503, headers: busy })
  expect(answer.json()).toMatchObject({
    error: { json: { data: { refusal: 'SERVER_BUSY', retryAfterSeconds: 10 } } },
  })
  release()
  await Promise.all(held)
  expect(await hurried.app.inject(asked)).toMatchObject({ statusCode: 200 })
})
