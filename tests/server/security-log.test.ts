import Fastify from 'fastify'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { runBulkChanges } from '#server/bulk/run-bulk-changes.ts'
import { addressKey } from '#server/limits/address-key.ts'
import { ALLOWANCES, AT_ONCE, type LimitName } from '#server/limits/allowances.ts'
import { STORAGE } from '#server/limits/quotas.ts'
import { appRouter } from '#server/routers/index.ts'
import { PROCEDURE_EVENTS, ROUTE_EVENTS } from '#server/security/security-events.ts'
import { logMailLimit, logMet } from '#server/security/security-log.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { archiveOf, importArchive } from '#support/archives.ts'
import { signedMailEvent } from '#support/mail-event.ts'
import { aMailbox } from '#support/mailbox.ts'
import { aPng } from '#support/pictures.ts'
import { fakeServices } from '#support/services.ts'
import { upload } from '#support/upload.ts'
import { aContract, aCustomer, anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const lines: string[] = []
const logTo = { write: (line: string) => void lines.push(line) }
const mailbox = aMailbox()
const server = useApp(
  world,
  { mailer: mailbox.mailer },
  { logTo, limits: { exports: 1, address: 100, wrongCredentials: 2, replyToCodesToAddress: 2 } },
)
const TOKEN = 'a-token-of-length-16'
const guarded = useApp(
  world,
  {},
  { logTo, operatorToken: TOKEN, metrics: { token: TOKEN }, limits: { wrongCredentials: 2, wrongMetricsTokens: 2 } },
)
const full = useApp(
  world,
  { storage: { ...STORAGE, quotas: { ...STORAGE.quotas, customersAndContracts: 1 } } },
  { logTo },
)
const FROM = '203.0.113.77'

interface Line {
  event: string
  name: string
}

/** What the security log has got meanwhile, without what every line of a log has. */
function logged(): Line[] {
  const found = lines.splice(0).map((line) => JSON.parse(line))
  return found
    .filter(({ event }) => event === 'security')
    .map(({ level: _level, time: _time, pid: _pid, hostname: _hostname, reqId: _reqId, msg: _msg, ...rest }) => rest)
}

async function ready() {
  const request = await anAccount(world)
  lines.length = 0
  let others = 0
  /** Each call from another address of the same network, by REST or tRPC. */
  const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    others += 1
    const remoteAddress = `203.0.113.${others}`
    return call(server, { method, url, headers: bearer(request), remoteAddress, ...(payload && { payload }) })
  }
  const account = request.caller?.id ?? 0
  return {
    request,
    send,
    common: { event: 'security', actor: `person:${account}`, account, address: '203.0.113.0/24' },
  }
}

const ANSWERS = { hasLink: true, renewal: 'waits', deadline: 'notice', lateEnd: 'refuse', showsPdf: false }

test('keys, settings and deletions are logged once they are done, from REST', async () => {
  const { request, send, common } = await ready()
  const { id } = await aCustomer(request, { name: 'Harbor Bakery' })
  const contract = await aContract(request, { customerId: id })
  expect(await send('DELETE', `/customers/${id}`)).toMatchObject({ status: 400 })
  await send('POST', '/api-keys', { name: 'Script' })
  await send('DELETE', '/api-keys/1')
  await send('PUT', '/notifications/settings', DEFAULT_SETTINGS)
  await send('PUT', '/account/time-zone', { timeZone: 'Europe/Berlin' })
  await send('PUT', '/account/company', { name: 'Mill Supplies', replyTo: 'office@mill.test' })
  await send('PUT', '/account/renewal-settings', { endOverdueAfterDays: 30, endReasons: ['Too expensive'] })
  await send('PUT', '/account/answer-settings', ANSWERS)
  await send('PUT', '/account/proof-head', { weekly: false })
  await send('DELETE', `/contracts/${contract.id}`)
  await send('DELETE', `/customers/${id}`)
  await send('DELETE', `/trash/contracts/${contract.id}`)
  await send('DELETE', `/trash/customers/${id}`)
  expect(logged()).toEqual([
    { ...common, name: 'key.created', id: 1 },
    { ...common, name: 'key.revoked', id: 1 },
    { ...common, name: 'settings.changed', what: 'reminders' },
    { ...common, name: 'settings.changed', what: 'time zone' },
    { ...common, name: 'settings.changed', what: 'company' },
    { ...common, name: 'settings.changed', what: 'renewals' },
    { ...common, name: 'settings.changed', what: 'answers' },
    { ...common, name: 'settings.changed', what: 'proof head' },
    { ...common, name: 'contract.deleted', id: contract.id },
    { ...common, name: 'customer.deleted', id },
    { ...common, name: 'contract.purged', id: contract.id },
    { ...common, name: 'customer.purged', id },
  ])
})

test('and from tRPC', async () => {
  const { request, send, common } = await ready()
  const { id } = await aCustomer(request)
  await send('POST', '/trpc/identity.createApiKey', { json: { name: 'Script' } })
  await send('POST', '/trpc/identity.revokeApiKey', { json: { id: 1 } })
  await send('POST', '/trpc/identity.revokeApiKey', { json: { id: 1 } })
  await send('POST', '/trpc/reminders.saveSettings', { json: DEFAULT_SETTINGS })
  await send('POST', '/trpc/company.update', { json: { name: 'Mill Supplies' } })
  await send('POST', '/trpc/answers.saveSettings', { json: ANSWERS })
  await send('POST', '/trpc/customers.remove', { json: { id } })
  expect(logged()).toEqual([
    { ...common, name: 'key.created', id: 1 },
    { ...common, name: 'key.revoked', id: 1 },
    { ...common, name: 'settings.changed', what: 'reminders' },
    { ...common, name: 'settings.changed', what: 'company' },
    { ...common, name: 'settings.changed', what: 'answers' },
    { ...common, name: 'customer.deleted', id },
  ])
})

test('the ID of what was made, whatever ID the caller names', async () => {
  const { send, common } = await ready()
  await send('POST', '/trpc/identity.createApiKey', { json: { name: 'Script', id: 777 } })
  await send('POST', '/trpc/reminders.saveSettings', { json: { ...DEFAULT_SETTINGS, id: 777 } })
  expect(logged()).toEqual([
    { ...common, name: 'key.created', id: 1 },
    { ...common, name: 'settings.changed', what: 'reminders' },
  ])
})

test('the deletion of many contracts, from REST and tRPC, and neither previews nor other changes', async () => {
  const { request, send, common } = await ready()
  const { id: customerId } = await aCustomer(request)
  const { id } = await aContract(request, { customerId })
  const log = Fastify().log
  const run = () =>
    runBulkChanges({ db: world.db, services: fakeServices(), log, signal: new AbortController().signal })
  const contracts = { ids: [id] }
  const change = async (path: string, input: object) => {
    const { status, body } = await send('POST', path, path.startsWith('/trpc/') ? { json: input } : input)
    expect(status).toBeLessThan(300)
    await run()
    return body
  }
  await change('/bulk', { action: 'delete', contracts, preview: true })
  await change('/bulk', { action: 'change_price', price: { by: 'percent', value: 10 }, contracts })
  expect(logged()).toEqual([])
  const first = await change('/bulk', { action: 'delete', contracts })
  await change(`/bulk/${first.id}/undo`, {})
  const second = await change('/trpc/bulk.start', { action: 'delete', contracts })
  expect(logged()).toEqual([
    { ...common, name: 'contracts.deleted', id: first.id },
    { ...common, name: 'contracts.deleted', id: second.result.data.json.id },
  ])
})

test('an archive that replaces the settings, and no preview of one', async () => {
  const archive = await archiveOf(server, await anAccount(world))
  const { request, common } = await ready()
  await importArchive(server, request, archive, '?preview=true')
  expect(logged()).toEqual([])
  expect(await importArchive(server, request, archive)).toMatchObject({ status: 200 })
  const { actor, account } = common
  expect(logged()).toMatchObject([{ name: 'settings.changed', what: 'archive', actor, account }])
})

test('a logo that comes or goes, and a reply-to address once it is confirmed', async () => {
  const { request, send, common } = await ready()
  const logo = { url: '/account/company/logo', content: aPng(10, 10), name: 'logo.png', field: 'logo' }
  for (const remove of ['DELETE /account/company/logo', 'POST /trpc/company.removeLogo']) {
    expect(await upload(server, request, logo)).toMatchObject({ status: 201 })
    const [method, url = ''] = remove.split(' ')
    await send(method === 'POST' ? 'POST' : 'DELETE', url, {})
  }
  await send('PUT', '/account/company', { replyTo: 'office@mill.test' })
  await send('POST', '/account/company/reply-to/code')
  const code = /\d{6}/.exec(mailbox.received.at(-1)?.subject ?? '')?.[0]
  expect(await send('POST', '/account/company/reply-to/confirm', { code: '1' })).toMatchObject({ status: 400 })
  await send('POST', '/account/company/reply-to/confirm', { code })
  const what = ['logo', 'logo', 'logo', 'logo', 'company', 'reply-to']
  const changed = { event: 'security', name: 'settings.changed', actor: common.actor, account: common.account }
  expect(logged()).toMatchObject(what.map((one) => ({ ...changed, what: one })))
})

test('the failed rows of an import that are downloaded', async () => {
  const { request, common } = await ready()
  const { body } = await upload(server, request, { url: '/customers/bulk-upload', content: 'Name,Email\nA,no\n' })
  await server.app.inject({ url: `/imports/${body.importId}/errors.csv`, headers: bearer(request) })
  const { actor, account } = common
  expect(logged()).toMatchObject([{ name: 'data.exported', actor, account, what: 'failed rows', id: body.importId }])
})

test('exports and limits that are met, by the key that is used', async () => {
  const { request } = await ready()
  const headers = { authorization: `Bearer ${await anApiKey(request)}` }
  const exported = () => call(server, { url: '/export', headers, remoteAddress: '2001:db8:1:2::7' }).catch(() => {})
  await server.app.inject({ url: '/customers/export.csv', headers, remoteAddress: '2001:db8:1:2::7' })
  for (let asked = 0; asked < 3; asked += 1) await exported()
  const account = request.caller?.id
  await expect.poll(() => lines.filter((line) => line.includes('data.exported'))).toHaveLength(1)
  expect(logged()).toEqual([
    {
      event: 'security',
      name: 'data.exported',
      what: 'customers',
      actor: 'key:1',
      account,
      address: '2001:db8:1::/48',
    },
    { event: 'security', name: 'limit.met', limit: 'exports', account },
  ])
})

test('the limit of an address that is mailed, without the address', async () => {
  const { send } = await ready()
  await send('PUT', '/account/company', { replyTo: 'office@mill.test' })
  const statuses: number[] = []
  for (let asked = 0; asked < 3; asked += 1)
    statuses.push((await send('POST', '/account/company/reply-to/code')).status)
  expect(statuses).toEqual([204, 204, 429])
  const met = logged().filter(({ name }) => name === 'limit.met')
  expect(met).toEqual([{ event: 'security', name: 'limit.met', limit: 'replyToCodesToAddress' }])
})

// oxlint-disable-next-line typescript/consistent-type-assertions -- the tables have no other keys
const LIMITS = [...Object.keys(ALLOWANCES), ...Object.keys(AT_ONCE).map((work) => `${work}AtOnce`)] as LimitName[]

const OF_ADDRESSES = new Set([
  'address',
  'wrongCredentials',
  'wrongMetricsTokens',
  'reports',
  'customerAnswers',
  'contact',
])
const OF_NOBODY = new Set(['wrongKeys', 'replyToCodesToAddress', 'resubscriptions', 'contactOfAll'])

test.each(LIMITS)('the limit %s, with the account or of an address its network alone', (limit) => {
  lines.length = 0
  const fields = { event: 'security', name: 'limit.met', limit }
  const network = OF_ADDRESSES.has(limit) ? { address: '203.0.113.0/24' } : {}
  const account = OF_NOBODY.has(limit) ? {} : { account: 7 }
  logMet(server.app.log, { limit, who: addressKey(FROM) })
  expect(logged()).toEqual([{ ...fields, ...network }])
  logMet(server.app.log, { limit, who: OF_ADDRESSES.has(limit) ? addressKey(FROM) : 7 })
  expect(logged()).toEqual([{ ...fields, ...(OF_ADDRESSES.has(limit) ? network : account) }])
})

test('a limit of emails a day, with the account', () => {
  lines.length = 0
  logMailLimit(server.app.log, { limit: 'address_limit', account: 7 })
  expect(logged()).toEqual([{ event: 'security', name: 'limit.met', limit: 'address_limit', account: 7 }])
})

test('a call that a full account makes', async () => {
  const { request, common } = await ready()
  const headers = bearer(request)
  const create = (name: string) =>
    call(full, { method: 'POST', url: '/customers', payload: { name }, headers, remoteAddress: FROM })
  expect([(await create('A')).status, (await create('B')).status]).toEqual([201, 409])
  expect(logged()).toEqual([{ ...common, name: 'quota.refused', call: 'POST /customers' }])
})

test('wrong tokens of the operator and of whoever reads the metrics, until they are too many', async () => {
  const ask = (url: string, remoteAddress: string, headers = { authorization: `Bearer ${TOKEN}x` }) =>
    guarded.app.inject({ url, remoteAddress, headers })
  const pages = {
    '/operator': ['operator token', 'wrongCredentials', 401, 429],
    '/metrics': ['metrics token', 'wrongMetricsTokens', 404, 404],
  } as const
  for (const [url, [what, limit, wrong, tooMany]] of Object.entries(pages)) {
    const from = url === '/operator' ? '203.0.120.1' : '203.0.121.1'
    lines.length = 0
    const statuses: number[] = []
    for (let asked = 0; asked < 4; asked += 1) statuses.push((await ask(url, from)).statusCode)
    expect(statuses).toEqual([wrong, wrong, tooMany, tooMany])
    expect((await ask(url, '203.0.122.1', { authorization: `Bearer ${TOKEN}` })).statusCode).toBe(200)
    const address = from.replace(/1$/, '0/24')
    const refused = { event: 'security', actor: 'nobody', address, name: 'credentials.refused', what }
    const met = { event: 'security', name: 'limit.met', limit, address }
    expect(logged()).toEqual([refused, refused, met])
  }
})

test('refused tokens and keys, and the limit of them, without a letter of what was sent', async () => {
  const wrong = (token: string) =>
    call(server, { url: '/account', headers: { authorization: `Bearer ${token}` }, remoteAddress: FROM })
  for (const token of ['traxx_secretsecret', 'a.forged.token', 'another', 'more']) await wrong(token)
  await call(server, { method: 'POST', url: '/stripe/webhook', payload: {}, remoteAddress: '203.0.113.78' })
  const whole = lines.join('')
  const common = { event: 'security', actor: 'nobody', address: '203.0.113.0/24' }
  expect(logged()).toEqual([
    { ...common, name: 'credentials.refused', what: 'key' },
    { ...common, name: 'credentials.refused', what: 'token' },
    { event: 'security', name: 'limit.met', limit: 'wrongCredentials', address: '203.0.113.0/24' },
    { ...common, name: 'webhook.refused', what: 'stripe', reason: 'unsigned' },
  ])
  expect(whole).not.toMatch(/secretsecret|forged|203\.0\.113\.77/)
})

describe('what is refused is logged', () => {
  test('where a key may do too little, or no key will do', async () => {
    const { request, common } = await ready()
    const headers = { authorization: `Bearer ${await anApiKey(request, { scope: 'read' })}` }
    const send = (method: 'POST' | 'DELETE', url: string, payload: object) =>
      call(server, { method, url, headers, payload, remoteAddress: '203.0.114.1' })
    await send('POST', '/customers', { name: 'Acme' })
    await send('POST', '/trpc/customers.create', { json: { name: 'Acme' } })
    await send('DELETE', '/account', { email: request.caller?.email })
    const refused = { ...common, name: 'scope.refused', actor: 'key:1', address: '203.0.114.0/24' }
    expect(logged()).toEqual([
      { ...refused, call: 'POST /customers' },
      { ...refused, call: 'customers.create' },
      { ...refused, call: 'DELETE /account' },
    ])
  })

  test('where somebody has to prove once more who they are', async () => {
    const { request, common } = await ready()
    const headers = { authorization: `${bearer(request).authorization}:10` }
    const payload = { name: 'Script' }
    const from = { headers, method: 'POST', remoteAddress: '203.0.113.1' } as const
    await call(server, { ...from, url: '/api-keys', payload })
    await call(server, { ...from, url: '/trpc/identity.createApiKey', payload: { json: payload } })
    const refused = { ...common, name: 'reverification.refused' }
    expect(logged()).toEqual([
      { ...refused, call: 'POST /api-keys' },
      { ...refused, call: 'identity.createApiKey' },
    ])
  })

  test('where a key has come to its end', async () => {
    const { request } = await ready()
    const key = await anApiKey(request, { expiresOn: '2026-03-10' })
    await world.db.system.query(`update api_keys set expires_on = '2020-01-01'`)
    const headers = { authorization: `Bearer ${key}` }
    expect(await call(server, { url: '/account', headers, remoteAddress: '203.0.116.1' })).toMatchObject({
      status: 401,
    })
    expect(logged()).toMatchObject([{ name: 'credentials.refused', what: 'expired key', actor: 'nobody' }])
  })

  test('where a webhook is late or comes again', async () => {
    lines.length = 0
    const post = (url: string, payload: string, headers: object = {}) =>
      server.app.inject({
        method: 'POST',
        url,
        payload,
        headers: { 'content-type': 'application/json', ...headers },
        remoteAddress: '203.0.115.1',
      })
    const late = signedMailEvent({ event: 'delivered', minutes: -60 })
    const again = signedMailEvent({ event: 'delivered' })
    for (const event of [late, again, again]) await post('/mail/webhook', JSON.stringify(event))
    const [payload, secret] = ['{}', 'whsec_test']
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: 1_000_000 })
    await post('/stripe/webhook', payload, { 'stripe-signature': signature })
    const refused = { event: 'security', name: 'webhook.refused', actor: 'nobody', address: '203.0.115.0/24' }
    expect(logged()).toEqual([
      { ...refused, what: 'mail', reason: 'stale' },
      { ...refused, what: 'mail', reason: 'repeated' },
      { ...refused, what: 'stripe', reason: 'stale' },
    ])
  })
})

test('nothing that somebody typed and no email address stands in any line', async () => {
  const { request, send } = await ready()
  await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  await send('POST', '/api-keys', { name: 'Ada private key' })
  await send('DELETE', '/customers/1')
  const email = request.caller?.email ?? ''
  await send('DELETE', '/account', { email })
  const whole = lines.filter((line) => line.includes('"security"')).join('')
  expect(logged().map(({ name }) => name)).toEqual(['key.created', 'customer.deleted', 'account.deleted'])
  for (const personal of ['Harbor', 'orders@', 'Ada', email, 'user_']) expect(whole).not.toContain(personal)
})

test('what is logged of a call exists, and means the same in both transports', () => {
  const procedures = Object.keys(appRouter._def.procedures)
  expect(procedures).toEqual(expect.arrayContaining(Object.keys(PROCEDURE_EVENTS)))
  for (const route of Object.keys(ROUTE_EVENTS)) {
    const [method = '', url = ''] = route.split(' ')
    expect({ route, exists: server.app.hasRoute({ method, url }) }).toEqual({ route, exists: true })
  }
  const said = (events: typeof ROUTE_EVENTS) => new Set(Object.values(events).map((one) => one.join(' ')))
  const only = (one: Set<string>, other: Set<string>) => [...one].filter((event) => !other.has(event)).toSorted()
  const [rest, trpc] = [said(ROUTE_EVENTS), said(PROCEDURE_EVENTS)]
  expect(only(trpc, rest)).toEqual(['sessions.ended'])
  expect(only(rest, trpc)).toEqual([
    'data.exported account',
    'data.exported contracts',
    'data.exported customers',
    'data.exported failed rows',
    'pdf.deleted',
    'settings.changed archive',
  ])
})
