import { expect, test } from 'vitest'
import { appRouter } from '#server/routers/index.ts'
import { PROCEDURE_EVENTS, ROUTE_EVENTS } from '#server/security-events.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aContract, aCustomer, anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const lines: string[] = []
const logTo = { write: (line: string) => void lines.push(line) }
const server = useApp(world, {}, { logTo, limits: { exports: 1, address: 5, wrongCredentials: 2 } })
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

test('keys, settings and deletions are logged once they are done, from REST', async () => {
  const { request, send, common } = await ready()
  const { id } = await aCustomer(request, { name: 'Harbor Bakery' })
  const contract = await aContract(request, { customerId: id })
  expect(await send('DELETE', `/customers/${id}`)).toMatchObject({ status: 400 })
  await send('POST', '/api-keys', { name: 'Script' })
  await send('DELETE', '/api-keys/1')
  await send('PUT', '/notifications/settings', DEFAULT_SETTINGS)
  await send('PUT', '/account/time-zone', { timeZone: 'Europe/Berlin' })
  await send('DELETE', `/contracts/${contract.id}`)
  await send('DELETE', `/customers/${id}`)
  expect(logged()).toEqual([
    { ...common, name: 'key.created' },
    { ...common, name: 'key.revoked', id: 1 },
    { ...common, name: 'settings.changed', what: 'reminders' },
    { ...common, name: 'settings.changed', what: 'time zone' },
    { ...common, name: 'contract.deleted', id: contract.id },
    { ...common, name: 'customer.deleted', id },
  ])
})

test('and from tRPC', async () => {
  const { request, send, common } = await ready()
  const { id } = await aCustomer(request)
  await send('POST', '/trpc/identity.createApiKey', { json: { name: 'Script' } })
  await send('POST', '/trpc/identity.revokeApiKey', { json: { id: 1 } })
  await send('POST', '/trpc/identity.revokeApiKey', { json: { id: 1 } })
  await send('POST', '/trpc/reminders.saveSettings', { json: DEFAULT_SETTINGS })
  await send('POST', '/trpc/customers.remove', { json: { id } })
  expect(logged()).toEqual([
    { ...common, name: 'key.created' },
    { ...common, name: 'key.revoked', id: 1 },
    { ...common, name: 'settings.changed', what: 'reminders' },
    { ...common, name: 'customer.deleted', id },
  ])
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
    { ...common, name: 'webhook.refused', what: 'stripe' },
  ])
  expect(whole).not.toMatch(/secretsecret|forged|203\.0\.113\.77/)
})

test('nothing that somebody typed and no e-mail address stands in any line', async () => {
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
    'pdf.deleted',
  ])
})
