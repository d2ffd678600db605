import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { openCallers } from '#server/identity/callers.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { routesOf } from '#support/fuzz/call-server.ts'
import { addRecords } from '#support/fuzz/fuzz-records.ts'
import { everyProcedure, everyRoute } from '#support/fuzz/hostile-calls.ts'
import { plainInput } from '#support/fuzz/plain-values.ts'
import { aClerk } from '#support/person-at-clerk.ts'
import { fakeServices, NOON } from '#support/services.ts'
import { upload } from '#support/upload.ts'
import { anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const TERMS = { amount: 1, renewalCycle: 'monthly', startDate: '2026-01-01', renewalDate: '2026-02-01' }
const OWN = { enableNotifications: true, reminderDays: null, followUpDays: null, email: null, inApp: null }

/** A cached caller whose account another process has deleted. */
async function removedElsewhere(statement = 'delete from accounts where id = $1') {
  const request = await anAccount(world)
  expect((await call(server, { url: '/customers', headers: bearer(request) })).status).toBe(200)
  await world.db.system.query(statement, [request.caller?.id])
  return request
}

describe('an account that another process has deleted is nobody for a write', () => {
  test.each([
    ['POST', '/customers', { name: 'Acme' }],
    ['POST', '/contracts', { customerId: 1, status: 'active', ...TERMS }],
    ['POST', '/imports/sample'],
    ['POST', '/api-keys', { name: 'Script' }],
    ['PUT', '/account/time-zone', { timeZone: 'Asia/Tokyo' }],
    ['POST', '/trpc/identity.adoptTimeZone', { json: { timeZone: 'Asia/Tokyo' } }],
    ['PUT', '/account/company', { name: 'Acme', replyTo: null, postalAddress: null }],
    ['DELETE', '/account/company/logo'],
    ['DELETE', '/account/bounce'],
    ['PUT', '/notifications/settings', { ...DEFAULT_SETTINGS, hour: 17 }],
    ['PUT', '/notifications/texts/reminder', { subject: 'Hello', body: 'Hello' }],
    ['DELETE', '/notifications/texts/reminder'],
    ['POST', '/trpc/notifications.markAllRead', {}],
    ['POST', '/trpc/notifications.clear', {}],
    ['PUT', '/contracts/1/reminders', OWN],
    ['PUT', '/customers/1', { name: 'Acme' }],
    ['PUT', '/contracts/1', TERMS],
    ['DELETE', '/contracts/1'],
  ] as const)('%s %s', async (method, url, payload?: object) => {
    const headers = bearer(await removedElsewhere())
    const { status } = await call(server, { method, url, headers, ...(payload && { payload }) })
    expect(status).toBe(401)
  })

  test('whatever the call, none of which is a fault, by REST and tRPC', async () => {
    const owner = new pg.Client(world.connection)
    await owner.connect()
    const records = await addRecords(owner, (await anAccount(world)).caller?.id ?? 0, NOON)
    await owner.end()
    // An export has begun by the time that it finds no account, and then ends.
    const routes = (await routesOf(world.connection)).filter(({ forPrograms, url }) => forPrograms && url !== '/export')
    const answers: { name: string; isRead: boolean; status: number }[] = []
    for (const { name, schema, callWith } of [...everyRoute(routes), ...everyProcedure()]) {
      const { method, path, headers, body } = callWith(plainInput(schema, name, records))
      const { authorization } = bearer(await removedElsewhere())
      const sent = { url: path, headers: { ...headers, authorization }, ...(body && { payload: body }) }
      const { statusCode: status } = await server.app.inject({ ...sent, method: httpMethod(method) })
      answers.push({ name, isRead: method === 'GET' || method === 'HEAD', status })
    }
    expect(answers.filter(({ isRead, status }) => !isRead && status < 400)).toEqual([])
    // Nobody answers as Clerk here.
    const ofClerk = ['identity.refresh', 'identity.sessions', 'identity.signOutOthers']
    const wanted = ofClerk.map((name) => expect.objectContaining({ name, status: 502 }))
    expect(answers.filter(({ status }) => status >= 500)).toEqual(wanted)
    expect(answers.filter(({ isRead, status }) => !isRead && status === 401).length).toBeGreaterThan(80)
  })

  test('nor while it is being deleted', async () => {
    const request = await removedElsewhere('update accounts set deleting_at = now() where id = $1')
    const headers = bearer(request)
    const timeZone = { method: 'PUT', url: '/account/time-zone', payload: { timeZone: 'Asia/Tokyo' } } as const
    const customer = { method: 'POST', url: '/customers', payload: { name: 'Acme' } } as const
    for (const write of [timeZone, customer]) {
      expect(await call(server, { ...write, headers })).toMatchObject({ status: 401 })
    }
  })

  test('an import is refused before anything is written', async () => {
    const request = await removedElsewhere()
    const answer = await upload(server, request, { url: '/customers/bulk-upload', content: 'Name\nAcme\n' })
    expect(answer).toMatchObject({ status: 401, body: { error: 'You are not logged in' } })
  })
})

test('within five seconds neither a session nor a key of such an account opens anything', async () => {
  const request = await anAccount(world)
  const { userId, find } = await rememberedElsewhere(request)
  expect(await find()).toMatchObject([{ id: request.caller?.id }, { id: request.caller?.id }])
  await world.db.system.query('delete from accounts')
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 5001)
  // With a new account of the same person: somebody signed in, who has nothing of what there was.
  await world.db.system.query(`insert into accounts (clerk_user_id, email) values ($1, 'new@example.com')`, [userId])
  const subscription = null
  await expect.poll(find).toMatchObject([null, { email: 'new@example.com', subscription }])
  clock.mockRestore()
})

describe('while the identity provider is out of reach', () => {
  test('a key of a deleted account that is still cached is nobody, and the provider is not asked', async () => {
    const request = await anAccount(world)
    await using provider = await aClerk(() => undefined)
    const callers = openCallers(world.db, { ...fakeServices(), clerk: provider.clerk })
    const key = await anApiKey(request)
    expect(await callers.identify(key, '198.51.100.1')).toMatchObject({ caller: { id: request.caller?.id } })
    await expect.poll(provider.asked).toBeGreaterThan(0)
    const asked = provider.asked()
    await world.db.system.query('delete from accounts')
    callers.forget(request.caller?.clerkUserId ?? '')
    expect(await callers.identify(key, '198.51.100.1')).toMatchObject({ caller: null })
    expect(provider.asked()).toBe(asked)
  })

  test('nor is it for the session of somebody whose account is being deleted', async () => {
    const request = await anAccount(world)
    await world.db.system.query('update accounts set deleting_at = now()')
    await using provider = await aClerk(() => undefined)
    const callers = openCallers(world.db, { ...fakeServices(), clerk: provider.clerk })
    expect(await callers.find(`session:${request.caller?.clerkUserId}`)).toBeNull()
    expect(provider.asked()).toBe(0)
  })
})

/** What another process would know of a key and a session of this account. */
async function rememberedElsewhere(request: RequestContext) {
  const userId = request.caller?.clerkUserId ?? ''
  const key = await anApiKey(request)
  const callers = openCallers(world.db, fakeServices())
  return { userId, find: () => Promise.all([key, `session:${userId}`].map((token) => callers.find(token))) }
}

function httpMethod(method: string) {
  const known = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const
  const found = known.find((one) => one === method)
  if (!found) throw new Error(`No call is a ${method}`)
  return found
}
