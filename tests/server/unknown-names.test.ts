import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { appRouter } from '#server/routers/index.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { routeList } from '#support/routes.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const METHODS = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])
const SETTINGS = {
  enableNotifications: true,
  reminderDays: [7],
  followUpDays: [],
  notificationMethods: { email: true, inApp: true },
  hour: 9,
}
const TEXT = { subject: 'Hello', body: 'Yours' }
const OWN = { enableNotifications: null, reminderDays: null, followUpDays: null, email: null, inApp: null }
const MESSAGE = {
  contractId: 1,
  renewalDate: '2026-12-01',
  kind: 'reminder',
  offset: 7,
  recipient: 'customer',
  channel: 'email',
}

const Procedure = z.custom<{ _def: { inputs: unknown[] } }>((value) => typeof value === 'function')
const Definition = z.looseObject({ type: z.string() })
const Parsing = z.object({ _zod: z.object({ def: Definition }) })

/** The paths of the objects within an input that ignore names that they do not know. */
function openObjects(schema: unknown, path: string): string[] {
  const { data } = Parsing.safeParse(schema)
  if (!data) return []
  const { shape, catchall, ...within } = data._zod.def
  const isStrict = Parsing.safeParse(catchall).data?._zod.def.type === 'never'
  const isOpen = shape !== undefined && !isStrict && path.includes(' ')
  const fields = Object.entries(z.record(z.string(), z.unknown()).safeParse(shape).data ?? {})
  return [
    ...(isOpen ? [path] : []),
    ...fields.flatMap(([name, field]) => openObjects(field, `${path} ${name}`)),
    ...Object.values(within).flatMap((inner) => [inner].flat().flatMap((one) => openObjects(one, path))),
  ]
}

type Answer = Awaited<ReturnType<typeof call>>['body']

const world = useWorld()
const { routes, plugin } = routeList()
const server = useApp(world, {}, { plugins: [plugin] })

/** All REST calls but the webhooks, whose addresses are the sender's. */
function restCalls() {
  return routes
    .filter(({ config = {}, url }) => 'keyScope' in config && !url.endsWith('/webhook'))
    .flatMap(({ config, method, url }) =>
      [method].flat().map((one) => ({ method: METHODS.parse(one), url, query: config?.query })),
    )
}

async function mailed(): Promise<number> {
  const { rows } = await world.db.system.query('select count(*)::int as messages from reminders')
  return z.object({ messages: z.int() }).parse(rows[0]).messages
}

describe('a parameter that a call does not know is refused by its name', () => {
  test('on every REST call, before anything is done', async () => {
    const request = await anAccount(world)
    const headers = bearer(request)
    const { id } = await aContract(request, { customerId: (await aCustomer(request)).id })
    expect(id).toBe(1)
    expect(restCalls().length).toBeGreaterThan(60)
    for (const { method, url, query } of restCalls()) {
      const path = url.replaceAll(/:\w+/g, '1')
      const known = Object.keys(query?._zod.def.shape ?? {}).join(', ') || 'none'
      const answer = await server.app.inject({ method, url: `${path}?reminder=off`, headers })
      expect({ method, url, status: answer.statusCode }).toEqual({ method, url, status: 400 })
      if (method === 'HEAD') continue
      const error = `Unknown parameter "reminder". Allowed: ${known}`
      expect(answer.json()).toEqual({ error, refusal: 'PARAMETER_UNKNOWN', fields: { reminder: error } })
    }
    expect(await call(server, { url: '/contracts/1', headers })).toMatchObject({ status: 200 })
  })

  test('also beside known ones, and a long one is cut', async () => {
    const headers = bearer(await anAccount(world))
    const answer = await call(server, { url: `/contracts?limit=5&stauts=active&${'x'.repeat(500)}=1`, headers })
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^Unknown parameter "stauts"/) } })
    expect(Object.keys(answer.body.fields)).toEqual(['stauts', 'x'.repeat(50)])
    expect(await call(server, { url: '/contracts?limit=5&status=active', headers })).toMatchObject({ status: 200 })
  })

  test('but a page may carry what a link was decorated with', async () => {
    const headers = { ...bearer(await anAccount(world)), accept: 'text/html' }
    for (const url of ['/contracts?utm_source=news', '/?fbclid=1', '/dashboard?gclid=1']) {
      expect((await server.app.inject({ url, headers })).statusCode).toBe(200)
    }
  })

  test('an emailed link to unsubscribe works with whatever was added to it', async () => {
    const { statusCode, body } = await server.app.inject('/unsubscribe/nobody?utm_source=news')
    expect({ statusCode, body }).toMatchObject({ statusCode: 404, body: expect.not.stringContaining('utm_source') })
  })
})

describe('a field that decides about mail is not ignored because it is mistyped', () => {
  test.each([
    ['POST', '/customers', { name: 'Acme', email: 'a@acme.test', sendNotification: false }, 'sendNotification'],
    ['PUT', '/customers/1', { sendnotifications: false }, 'sendnotifications'],
    ['POST', '/contracts', { customerId: 1, reminder: 'off' }, 'reminder'],
    ['PUT', '/contracts/1', { renewalDate: '2030-01-01', reminder: 'off' }, 'reminder'],
  ] as const)('%s %s', async (method, url, payload, field) => {
    const request = await anAccount(world)
    await aContract(request, { customerId: (await aCustomer(request)).id })
    const before = await mailed()
    const answer = await call(server, { method, url, headers: bearer(request), payload })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        refusal: 'FIELD_UNKNOWN',
        error: expect.stringContaining(`"${field}"`),
        fields: { [field]: expect.any(String) },
      },
    })
    expect(await mailed()).toBe(before)
  })

  test.each([
    [{ filter: { customer: 5 } }, 'Unknown field "customer"'],
    [{ filter: { customerID: 5, status: 'active' } }, 'Unknown field "customerID"'],
    [{ filter: { tags: 'vip' } }, 'Unknown field "tags"'],
    [{ filter: { ids: [1] } }, 'Unknown field "ids"'],
    [{ filter: {}, id: 1 }, 'Unknown field "id"'],
    [{ filter: { search: ' ' } }, 'Must not be empty'],
    // Searching goes without accents.
    [{ filter: { search: ' \u0301\u0345 ' } }, 'Must not be empty'],
    [{ filter: { tag: '' } }, 'Must not be empty'],
    [{ filter: { tag: [''] } }, 'Must not be empty'],
  ])('POST /bulk for %j, which would be all contracts', async (contracts, error) => {
    const request = await anAccount(world)
    const { id } = await aContract(request, { customerId: (await aCustomer(request)).id })
    for (const action of ['delete', 'remind']) {
      const payload = { action, contracts }
      const answer = await call(server, { method: 'POST', url: '/bulk', headers: bearer(request), payload })
      expect(answer).toMatchObject({ status: 400, body: { refusal: 'INPUT_INVALID', error } })
    }
    const { body } = await call(server, { url: `/contracts/${id}`, headers: bearer(request) })
    expect(body).toMatchObject({ id })
  })

  test('nor is one within another field, in any call', () => {
    const procedures = Object.entries(z.record(z.string(), Procedure).parse(appRouter._def.procedures))
    const inputs = procedures.flatMap(([name, { _def }]) => _def.inputs.map((input) => ({ name, input })))
    expect(inputs.length).toBeGreaterThan(60)
    expect(inputs.flatMap(({ name, input }) => openObjects(input, name))).toEqual([])
  })

  test.each(['[1]', '"x"', 'true'])('a body without fields is refused: %s', async (payload) => {
    const request = await anAccount(world)
    await aCustomer(request)
    const headers = { ...bearer(request), 'content-type': 'application/json' }
    const answer = await call(server, { method: 'PUT', url: '/customers/1', headers, payload })
    expect(answer).toMatchObject({ status: 400, body: { refusal: 'BODY_UNREADABLE' } })
  })

  test('of very many, a few are named', async () => {
    const payload = Object.fromEntries(Array.from({ length: 5000 }, (_name, at) => [`a${at}`, 1]))
    const headers = bearer(await anAccount(world))
    const { status, body } = await call(server, { method: 'POST', url: '/customers', headers, payload })
    expect(status).toBe(400)
    expect(Object.keys(body.fields)).toHaveLength(20)
  })

  test.each([
    ['PUT', '/account/company', { name: 'Mill & Sons', replyto: 'office@mill.test' }, 'replyto'],
    ['PUT', '/account/time-zone', { timeZone: 'Europe/Berlin', timezone: 'Asia/Tokyo' }, 'timezone'],
    ['POST', '/account/company/reply-to/confirm', { code: '123456', address: 'a@b.test' }, 'address'],
    ['PUT', '/notifications/settings', { ...SETTINGS, reminderdays: [1] }, 'reminderdays'],
    ['POST', '/notifications/settings/preview', { ...SETTINGS, hours: 3 }, 'hours'],
    ['PUT', '/notifications/texts/reminder', { ...TEXT, enabled: false }, 'enabled'],
    ['POST', '/notifications/texts/reminder/preview', { ...TEXT, customerID: 1 }, 'customerID'],
    ['POST', '/notifications/texts/reminder/test', { ...TEXT, to: 'me@mill.test' }, 'to'],
    ['PUT', '/contracts/1/reminders', { ...OWN, followUpdays: [] }, 'followUpdays'],
    ['POST', '/reminders/skip', { ...MESSAGE, untl: '2026-12-01' }, 'untl'],
    ['POST', '/notifications/restore', { since: '2026-03-10T09:00:00Z', all: true }, 'all'],
    ['POST', '/api-keys', { name: 'Nightly', scopes: 'read' }, 'scopes'],
    ['DELETE', '/account', { email: 'a@b.test', dryRun: true }, 'dryRun'],
    ['POST', '/stripe/create-portal-session', { returnUrl: 'https://elsewhere.test' }, 'returnUrl'],
  ] as const)('%s %s, like every body', async (method, url, payload, field) => {
    const request = await anAccount(world)
    await aContract(request, { customerId: (await aCustomer(request)).id })
    const answer = await call(server, { method, url, headers: bearer(request), payload })
    expect(answer).toMatchObject({
      status: 400,
      body: { refusal: 'FIELD_UNKNOWN', fields: { [field]: expect.any(String) } },
    })
  })
})

describe('what was read can be sent back, and changes nothing', () => {
  /** Where each is read, where it is sent, and what of the answer. */
  const PAIRS: [read: string, sent: string, part?: (answer: Answer) => unknown][] = [
    ['/customers/1', '/customers/1'],
    ['/customers', '/customers/1', ([first]) => first],
    ['/contracts/1', '/contracts/1'],
    ['/contracts', '/contracts/1', ([first]) => first],
    ['/dashboard', '/contracts/1', ({ expiringContracts }) => expiringContracts[0]],
    ['/notifications/settings', '/notifications/settings'],
    ['/account/company', '/account/company'],
    ['/notifications/texts', '/notifications/texts/reminder', ({ reminder }) => reminder],
    ['/notifications/texts', '/notifications/texts/follow_up', ({ follow_up }) => follow_up],
    ['/contracts/1/reminders', '/contracts/1/reminders', ({ own }) => own],
    ['/account/renewal-settings', '/account/renewal-settings'],
    ['/account/answer-settings', '/account/answer-settings'],
    ['/contracts/1/answer-settings', '/contracts/1/answer-settings', ({ own }) => own],
    ['/account/proof-head', '/account/proof-head'],
    ['/contracts/1/notes', '/notes/1', ([first]) => first],
    ['/notice-rules', '/notice-rules/1', ({ rules: [first] }) => first],
    ['/contracts/1/notice-window', '/notice-rules/chosen', ({ own }) => ({ contractId: 1, rule: own })],
    ['/tags', '/tags/1', ([first]) => first],
    ['/views', '/views/1', ([first]) => first],
    ['/views/settings', '/views/settings'],
    ['/customers/1/contacts', '/contacts/1', ([, second]) => second],
    ['/account', '/account/time-zone'],
  ]

  test.each(['Mill & Sons', null])('with the company name %s', async (company) => {
    const request = await anAccount(world, { company })
    const headers = bearer(request)
    const { id: customerId } = await aCustomer(request, { email: 'office@acme.test' })
    await aContract(request, { customerId, renewalDate: '2026-03-24', tags: ['1'] })
    const view = { name: 'Large', search: { amountFrom: 100 } }
    await call(server, { method: 'POST', url: '/views', headers, payload: view })
    await call(server, { method: 'POST', url: '/contracts/1/notes', headers, payload: { text: 'Call in May' } })
    const rule = { name: 'Ours', unit: 'days', from: 30, until: 15, countedFrom: 'renewal_date', means: ['email'] }
    await call(server, { method: 'POST', url: '/notice-rules', headers, payload: rule })
    await call(server, { method: 'POST', url: '/customers/1/contacts', headers, payload: { name: 'Ada' } })
    for (const [read, sent, part = (answer: Answer) => answer] of PAIRS) {
      const { body } = await call(server, { url: read, headers })
      const payload = part(body)
      expect({ read, payload }).toEqual({ read, payload: expect.any(Object) })
      const { status, body: answer } = await call(server, {
        method: 'PUT',
        url: sent,
        headers,
        payload: Object(payload),
      })
      expect({ sent, status, answer }).toMatchObject({ sent, status: sent.endsWith('time-zone') ? 204 : 200 })
      expect((await call(server, { url: read, headers })).body).toEqual(body)
    }
  })

  test('but a company that has a name keeps it', async () => {
    const headers = bearer(await anAccount(world))
    const taking = { method: 'PUT', url: '/account/company', headers, payload: { name: null } } as const
    expect(await call(server, taking)).toMatchObject({ status: 409, body: { refusal: 'COMPANY_NAME_REQUIRED' } })
  })

  test('every PUT that takes a body has a pair', () => {
    const puts = restCalls().filter(
      ({ method, url }) => method === 'PUT' && !/^\/notifications\/(:id\/)?read$/.test(url),
    )
    const sent = new Set(PAIRS.map(([, address]) => address))
    const known = puts.map(({ url }) => url.replace(':kind', 'reminder').replaceAll(/:\w+/g, '1'))
    expect(known.filter((url) => !sent.has(url))).toEqual([])
  })

  test('a contract that was read makes another one like it', async () => {
    const request = await anAccount(world)
    const headers = bearer(request)
    await aContract(request, { customerId: (await aCustomer(request)).id })
    const { body: contract } = await call(server, { url: '/contracts/1', headers })
    expect(await call(server, { method: 'POST', url: '/contracts', headers, payload: contract })).toMatchObject({
      status: 201,
      body: { ...contract, id: 2 },
    })
  })

  test('an upcoming message that was read says which one is skipped, and one of the ledger which is planned again', async () => {
    const request = await anAccount(world)
    const headers = bearer(request)
    const { id: customerId } = await aCustomer(request, { email: 'office@acme.test' })
    await aContract(request, { customerId, renewalDate: '2026-04-24' })
    const { body: coming } = await call(server, { url: '/reminders/coming', headers })
    const skip = { method: 'POST', url: '/reminders/skip', headers, payload: coming.rows[0] } as const
    expect(await call(server, skip)).toMatchObject({ status: 204 })
    const { body: listed } = await call(server, { url: '/reminders', headers })
    expect(listed).toMatchObject([{ state: 'skipped' }])
    const undo = { method: 'POST', url: '/reminders/undo-skip', headers, payload: listed[0] } as const
    expect(await call(server, undo)).toMatchObject({ status: 204 })
  })
})
