import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { startExport } from '#server/exports/exports.service.ts'
import { AT_ONCE, type HeavyWork } from '#server/limits/allowances.ts'
import { openLimits } from '#server/limits/limits.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { importArchive } from '#support/archives.ts'
import { upload } from '#support/upload.ts'
import { aContract, anAccount, anApiKey, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const few = {
  account: 5,
  address: 12,
  wrongCredentials: 10,
  wrongKeys: 10,
  exports: 3,
  previews: 3,
  imports: 2,
  remindersByHand: 1,
  billingCalls: 3,
  identityCalls: 2,
  letters: 2,
}
const server = useApp(world, {}, { limits: few })
const others = [useApp(world, {}, { limits: few }), useApp(world, {}, { limits: few })]
const generous = useApp(world, {}, { limits: { ...few, account: 1000, address: 10_000 } })
/** The same again: a server remembers whom it has refused, and accounts of other tests have the same ids. */
const fresh = useApp(world, {}, { limits: { ...few, account: 1000, address: 10_000 } })
const plain = useApp(world)

/** A call that does such work. */
const HEAVY_CALLS: Record<HeavyWork, (request: RequestContext, contractId: number) => Promise<{ status: number }>> = {
  exports: async (request) => {
    const answer = await plain.app.inject({ url: '/customers/export.csv', headers: bearer(request) })
    return { status: answer.statusCode, body: answer.statusCode === 200 ? {} : answer.json() }
  },
  previews: (request, id) => call(plain, { url: `/contracts/${id}/reminder`, headers: bearer(request) }),
  letters: (request, id) => call(plain, { url: `/contracts/${id}/notice-letter`, headers: bearer(request) }),
  lists: (request) => call(plain, { url: '/notices', headers: bearer(request) }),
  pdfUploads: (request, id) => upload(plain, request, { url: `/contracts/${id}/pdf`, content: 'none', field: 'pdf' }),
  logoUploads: (request) => upload(plain, request, { url: '/account/company/logo', content: 'none', field: 'logo' }),
  imports: (request) => upload(plain, request, { url: '/customers/bulk-upload', content: 'Name\nAcme\n' }),
  archives: (request) => importArchive(plain, request, Buffer.from('none')),
}
const HEAVY_WORK = [
  'exports',
  'previews',
  'letters',
  'lists',
  'pdfUploads',
  'logoUploads',
  'imports',
  'archives',
] as const
const REFUSED = { error: expect.stringMatching(/^Too many requests\. Please try again in \d+ (second|minute|hour)/) }
const WAITING = { 'ratelimit-remaining': '0', 'retry-after': expect.stringMatching(/^\d+$/) }

async function* rows() {
  yield 'one row'
}

function procedure(name: string, values: object) {
  return `/trpc/reminders.${name}?input=${encodeURIComponent(JSON.stringify({ json: values }))}`
}

const TEXT = { subject: 'Your renewal', body: 'It renews soon.' }

let addresses = 0
/** Nobody else's, in this file. */
function anAddress() {
  addresses += 1
  return `192.0.2.${addresses}`
}

describe('the general limit', () => {
  test('of an account is told in every answer, and holds for REST and tRPC together', async () => {
    const request = await anAccount(world)
    const options = { headers: bearer(request), remoteAddress: anAddress() }
    const first = await call(server, { url: '/customers', ...options })
    expect(first).toMatchObject({
      status: 200,
      headers: { 'ratelimit-limit': '5', 'ratelimit-remaining': '4', 'ratelimit-reset': '60' },
    })
    const batch = await server.app.inject({ url: '/trpc/dashboard.get,customers.figures?batch=1', ...options })
    expect(batch).toMatchObject({ statusCode: 200, headers: { 'ratelimit-remaining': '2' } })
    expect(await call(server, { url: '/dashboard', ...options })).toMatchObject({ status: 200 })
    expect(await call(server, { url: '/contracts', ...options })).toMatchObject({ status: 200 })
    expect(await call(server, { url: '/contracts', ...options })).toMatchObject({
      status: 429,
      body: REFUSED,
      headers: { ...WAITING, 'ratelimit-limit': '5' },
    })
    const refused = await server.app.inject({ url: '/trpc/dashboard.get', ...options })
    expect(refused).toMatchObject({ statusCode: 429, headers: WAITING })
    expect(refused.json()).toMatchObject({
      error: { json: { data: { refusal: 'TOO_MANY_REQUESTS', retryAfterSeconds: expect.any(Number) } } },
    })
    const other = await anAccount(world)
    expect(await call(server, { url: '/customers', ...options, headers: bearer(other) })).toMatchObject({ status: 200 })
  })

  test.each([
    ['GET', ','],
    ['GET', '%2C'],
    ['GET', '%252C'],
    ['GET', '%252c'],
    ['POST', '%252C'],
  ] as const)('counts every call of a %s batch whose names stand between "%s"', async (method, separator) => {
    const remoteAddress = anAddress()
    const procedure = method === 'GET' ? 'customers.figures' : 'notifications.markAllRead'
    const batchOf = (calls: number) => `/trpc/${Array.from({ length: calls }, () => procedure).join(separator)}?batch=1`
    const json = { 'content-type': 'application/json' }
    const left = async (calls: number, headers: Record<string, string>) => {
      const payload = method === 'POST' ? { payload: '{}' } : {}
      const answer = await generous.app.inject({ method, url: batchOf(calls), headers, remoteAddress, ...payload })
      expect(answer.json()).toHaveLength(calls)
      return Number(answer.headers['ratelimit-remaining'])
    }
    const ofAddress = await left(1, json)
    expect(await left(7, json)).toBe(ofAddress - 7)
    const signedIn = { ...json, ...bearer(await anAccount(world)) }
    const ofAccount = await left(7, signedIn)
    expect(await left(7, signedIn)).toBe(ofAccount - 7)
  })

  test('counts requests that tRPC refuses or only acknowledges, and is told in the form of tRPC', async () => {
    const remoteAddress = anAddress()
    const names = Array.from({ length: 11 }, () => 'customers.figures')
    const ask = (method: 'GET' | 'HEAD' | 'POST', url: string) => server.app.inject({ method, url, remoteAddress })
    for (let asked = 0; asked < 4; asked += 1) {
      expect(await ask('GET', `/trpc/${names.join(',')}?batch=1`)).toMatchObject({ statusCode: 400 })
      expect(await ask('HEAD', '/trpc/customers.figures')).toMatchObject({ statusCode: 204 })
      expect(await ask('POST', '/trpc/customers.create')).toMatchObject({ statusCode: 415 })
    }
    const refused = await ask('GET', `/trpc/${names.join(',')}?batch=1`)
    expect(refused).toMatchObject({ statusCode: 429, headers: WAITING })
    expect(refused.json()).toMatchObject({ error: { json: { data: { refusal: 'TOO_MANY_REQUESTS' } } } })
  })

  test('of an address holds for whoever is there, an IPv6 network being one', async () => {
    const ask = (end: string) => call(server, { url: '/account', remoteAddress: `2001:db8:0:7::${end}` })
    for (let asked = 0; asked < 12; asked += 1) expect(await ask(asked.toString(16))).toMatchObject({ status: 401 })
    expect(await ask('ffff')).toMatchObject({ status: 429, body: REFUSED, headers: WAITING })
    expect(await call(server, { url: '/account', remoteAddress: '2001:db8:0:8::1' })).toMatchObject({ status: 401 })
  })

  test('shows the pages that need no script as pages', async () => {
    const remoteAddress = anAddress()
    for (let asked = 0; asked < 12; asked += 1) await server.app.inject({ url: '/contact', remoteAddress })
    for (const url of ['/contact', '/unsubscribe/x']) {
      const page = await server.app.inject({ url, remoteAddress })
      expect(page).toMatchObject({
        statusCode: 429,
        headers: { ...WAITING, 'content-type': 'text/html; charset=utf-8' },
      })
      expect(page.body).toContain('Too many requests. Please try again in')
    }
  })

  test('counts logos, and visits of the landing page that name a session; the page is shown without it', async () => {
    const remoteAddress = anAddress()
    const request = await anAccount(world)
    const visit = (token: string) =>
      server.app.inject({ url: '/', remoteAddress, headers: { cookie: `__client_uat=1; __session=${token}` } })
    for (let asked = 0; asked < 6; asked += 1) {
      expect(await server.app.inject({ url: '/logos/x.png', remoteAddress })).toMatchObject({ statusCode: 404 })
      expect(await visit('forged')).toMatchObject({ statusCode: 200 })
    }
    expect(await call(server, { url: '/logos/x.png', remoteAddress })).toMatchObject({
      status: 429,
      body: REFUSED,
      headers: WAITING,
    })
    const shown = await visit(`session:${request.caller?.clerkUserId}`)
    expect(shown).toMatchObject({ statusCode: 200, body: expect.stringContaining('<title>landing.html</title>') })
    expect(await call(server, { url: '/account', remoteAddress })).toMatchObject({ status: 429 })
  })

  test('leaves out what a server is watched by', async () => {
    const remoteAddress = anAddress()
    for (let asked = 0; asked < 30; asked += 1) {
      expect(await server.app.inject({ url: '/healthz', remoteAddress })).toMatchObject({ statusCode: 200 })
    }
  })
})

describe('refused tokens and keys', () => {
  const status = async (token: string, remoteAddress: string, app = generous) =>
    (await call(app, { url: '/customers', headers: { authorization: `Bearer ${token}` }, remoteAddress })).status

  test('are so many from an address, in all processes together; then nothing is searched for there', async () => {
    const remoteAddress = anAddress()
    const three = [server, ...others]
    const asked = Array.from({ length: 12 }, (_, at) =>
      three.map((app) => status(`traxx_wrong${at}`, remoteAddress, app)),
    )
    const statuses = await Promise.all(asked.flat())
    expect(statuses.filter((one) => one === 401)).toHaveLength(10)
    expect(statuses.filter((one) => one === 429)).toHaveLength(26)
    const request = await anAccount(world)
    const key = await anApiKey(request)
    expect(await status(key, remoteAddress, generous)).toBe(200)
    expect(await status(key, anAddress())).toBe(200)
  })

  test('lock out neither somebody signed in at that address, nor a right key elsewhere that begins like those', async () => {
    const remoteAddress = anAddress()
    const request = await anAccount(world)
    const key = await anApiKey(request)
    for (let asked = 0; asked < 11; asked += 1) await status(`${key.slice(0, 14)}${asked}`, remoteAddress)
    expect(await status(key, remoteAddress)).toBe(429)
    expect(await status(`session:${request.caller?.clerkUserId}`, remoteAddress)).toBe(200)
    expect(await status(`${key.slice(0, 14)}x`, anAddress())).toBe(429)
    expect(await status(key, anAddress())).toBe(200)
  })
})

test('a key that has expired counts as a refused one, and is told so until then', async () => {
  const remoteAddress = anAddress()
  const request = await anAccount(world)
  const key = await anApiKey(request)
  await world.db.system.query(`update api_keys set expires_on = '2020-01-01'`)
  const ask = () => call(generous, { url: '/customers', headers: { authorization: `Bearer ${key}` }, remoteAddress })
  const expired = { status: 401, body: { error: expect.stringContaining('2020-01-01') } }
  for (let asked = 0; asked < 10; asked += 1) expect(await ask()).toMatchObject(expired)
  expect(await ask()).toMatchObject({ status: 429, body: REFUSED })
})

describe('heavy work of an account', () => {
  /** How many places are taken. One is left a moment after its answer, and only its own process waits for that. */
  const slots = async () => (await world.db.system.query(`select from rate_limits where key ~ 'AtOnce:'`)).rowCount

  test('is so many exports, of all processes together', async () => {
    const request = await anAccount(world)
    const statuses: number[] = []
    for (const app of [generous, ...others, generous]) {
      const answer = await app.app.inject({ url: '/customers/export.csv', headers: bearer(request) })
      statuses.push(answer.statusCode)
      await expect.poll(slots).toBe(0)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test('counts downloads of the failed rows of an import as exports', async () => {
    const request = await anAccount(world)
    const { body } = await upload(fresh, request, { url: '/customers/bulk-upload', content: 'Name,Email\nA,no\n' })
    const url = `/imports/${body.importId}/errors.csv`
    const statuses: number[] = []
    for (let asked = 0; asked < 4; asked += 1) {
      statuses.push((await fresh.app.inject({ url, headers: bearer(request) })).statusCode)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test('is two exports at once; whoever goes away leaves their place', async () => {
    const request = await anAccount(world)
    const context = requireReader({ ...request, limits: openLimits(world.db.as('traxx').system) })
    const [one, two] = [await startExport(context, rows()), await startExport(context, rows())]
    await expect(startExport(context, rows())).rejects.toMatchObject({ key: 'TOO_MANY_AT_ONCE' })
    one.destroy()
    await once(one, 'close')
    const three = await startExport(context, rows())
    expect(await text(two)).toBe('one row')
    const four = await startExport(context, rows())
    three.destroy()
    four.destroy()
  })

  test('is so many previews, whatever they show', async () => {
    const request = await anAccount(world)
    const { id, customerId } = await aContract(request, { tags: ['North'] })
    const settings = { method: 'POST', url: '/notifications/settings/preview', payload: DEFAULT_SETTINGS } as const
    const text = { method: 'POST', url: '/notifications/texts/reminder/preview', payload: TEXT } as const
    const previews: InjectOptions[] = [
      settings,
      text,
      { url: `/contracts/${id}/reminder` },
      { url: procedure('announceMail', { customerId, renewalDate: '2026-03-24', status: 'active' }) },
      { url: procedure('announceCustomerTags', { id: customerId, tags: [] }) },
      { url: procedure('announceTag', { tag: 'North' }) },
    ]
    const ask = (preview: InjectOptions) => call(generous, { ...preview, headers: bearer(request) })
    for (const preview of previews.slice(1, 4)) expect(await ask(preview)).toMatchObject({ status: 200 })
    for (const preview of previews) expect(await ask(preview)).toMatchObject({ status: 429, headers: WAITING })
  })

  test('is so many imports', async () => {
    const request = await anAccount(world)
    const send = (name: string) =>
      upload(generous, request, { url: '/customers/bulk-upload', content: `Name\n${name}\n` })
    for (const name of ['One', 'Two']) expect(await send(name)).toMatchObject({ status: 200 })
    expect(await send('Three')).toMatchObject({ status: 429, body: REFUSED })
  })

  test('is so many reminders by hand', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request)
    const send = () => call(generous, { method: 'POST', url: `/contracts/${id}/reminder`, headers: bearer(request) })
    expect(await send()).toMatchObject({ status: 422 })
    expect(await send()).toMatchObject({ status: 429, body: REFUSED })
  })

  test('is so many calls that wait for Clerk, whichever they are', async () => {
    const request = await anAccount(world)
    const headers = bearer(request)
    const sessions = () => call(generous, { url: '/trpc/identity.sessions', headers })
    const endSession = () =>
      call(generous, { method: 'POST', url: '/trpc/identity.endSession', headers, payload: { json: { id: 'sess_1' } } })
    // Nobody answers as Clerk here.
    for (const ask of [sessions, endSession]) expect(await ask()).toMatchObject({ status: 502 })
    for (const ask of [sessions, endSession]) expect(await ask()).toMatchObject({ status: 429, headers: WAITING })
  })

  test('is so many calls that wait for Stripe, whichever they are', async () => {
    const request = await anAccount(world)
    await world.db.system.query('update accounts set stripe_customer_id = $2 where id = $1', [
      request.caller?.id,
      'cus_1',
    ])
    const urls = ['/trpc/billing.refresh', '/stripe/create-checkout-session', '/stripe/create-portal-session']
    const ask = (url: string) => call(generous, { method: 'POST', url, headers: bearer(request), payload: {} })
    // Nobody answers as Stripe here.
    for (const url of urls) expect(await ask(url)).toMatchObject({ status: 502 })
    for (const url of urls) expect(await ask(url)).toMatchObject({ status: 429, headers: WAITING })
    expect(await call(generous, { url: '/trpc/billing.subscription', headers: bearer(request) })).toMatchObject({
      status: 200,
    })
  })

  test('is so many letters', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request)
    const draw = () => call(generous, { url: `/contracts/${id}/notice-letter`, headers: bearer(request) })
    // No rule asks for any.
    for (const status of [409, 409]) expect(await draw()).toMatchObject({ status })
    expect(await draw()).toMatchObject({ status: 429, body: REFUSED })
  })

  test('is tried of every kind', () => {
    expect(HEAVY_WORK.toSorted()).toEqual(Object.keys(AT_ONCE).toSorted())
  })

  test.each(HEAVY_WORK)('is so much at once: %s', async (work) => {
    const request = await anAccount(world)
    const { id } = await aContract(request)
    const limits = openLimits(world.db.as('traxx').system)
    const ends = []
    for (let begun = 0; begun < AT_ONCE[work]; begun += 1) ends.push(await limits.begin(work, request.caller?.id ?? 0))
    const tooMany = { status: 429, body: { refusal: 'TOO_MANY_AT_ONCE' } }
    expect(await HEAVY_CALLS[work](request, id)).toMatchObject(tooMany)
    for (const end of ends) end()
    await expect.poll(slots).toBe(0)
    expect(await HEAVY_CALLS[work](request, id)).not.toMatchObject(tooMany)
  })
})
