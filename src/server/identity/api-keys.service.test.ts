import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { CreateApiKey } from '#shared/schemas/accounts.ts'
import { requireAccount, type RequestContext } from '#server/context.ts'
import { readRows } from '#server/db/rows.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aCustomer, anAccount, anApiKey, requestOf, TODAY, useWorld } from '#support/world.ts'
import { listApiKeys, ownerOfApiKey, revokeApiKey } from './api-keys.service.ts'

const world = useWorld()
const server = useApp(world)

test('a key is accepted as bearer token by the REST shim, as its account', async () => {
  const request = await anAccount(world)
  await aCustomer(request, { name: 'Mine' })
  const key = await anApiKey(request)
  const answer = await call(server, { url: '/customers', headers: { authorization: `Bearer ${key}` } })
  expect(answer).toMatchObject({ status: 200, body: [{ name: 'Mine' }] })
})

test('only the hash of a key is stored, and its last use is noted', async () => {
  const request = await anAccount(world)
  const key = await anApiKey(request)
  expect(await ownerOfApiKey(world.db.system, { key, address: '203.0.113.9' })).toMatchObject({
    owner: request.caller?.clerkUserId,
    scope: 'all',
  })
  const { rows } = await world.db.system.query('select *, last_used_at is not null as used from api_keys')
  expect(rows).toMatchObject([{ used: true, name: 'Script', last_used_address: '203.0.113.9' }])
  expect(JSON.stringify(rows)).not.toContain(key)
})

test('a revoked key is nobody', async () => {
  const request = await anAccount(world)
  const key = await anApiKey(request)
  await world.db.system.query('update api_keys set revoked_at = now()')
  expect(await ownerOfApiKey(world.db.system, { key })).toBeUndefined()
})

const keysOf = (request: RequestContext) => listApiKeys(requireAccount(request))

test('keys are listed newest first with their last use, and never themselves', async () => {
  const request = await anAccount(world)
  const key = await anApiKey(request, { name: 'Used' })
  await anApiKey(request, { name: 'New', scope: 'read', expiresOn: '2026-12-31' })
  await ownerOfApiKey(world.db.system, { key })
  const listed = await keysOf(request)
  const common = { id: expect.any(Number), createdAt: expect.any(Date), isExpired: false, lastUsedAddress: null }
  expect(listed).toEqual([
    { ...common, name: 'New', scope: 'read', expiresOn: '2026-12-31', lastUsedAt: null },
    { ...common, name: 'Used', scope: 'all', expiresOn: null, lastUsedAt: expect.any(Date) },
  ])
})

test('an account has at most 20 keys, however many are made at once; a revoked one makes room', async () => {
  const request = await anAccount(world)
  const make = () => anApiKey(request, { name: 'One of many' })
  const made = await Promise.allSettled(Array.from({ length: 25 }, make))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  await expect(make()).rejects.toMatchObject({ key: 'API_KEYS_FULL' })
  const [first] = await keysOf(request)
  await revokeApiKey(requireAccount(request), { id: first?.id ?? 0 })
  await expect(make()).resolves.toMatch(/^traxx_/)
  expect(await keysOf(request)).toHaveLength(20)
})

test('a key is revoked also after the subscription has ended, and once', async () => {
  const request = await anAccount(world)
  const key = await anApiKey(request)
  await world.db.system.query(`update subscriptions set status = 'canceled'`)
  const [listed] = await keysOf(request)
  const again = await requestOf(world, request.caller?.clerkUserId ?? '')
  await revokeApiKey(requireAccount(again), { id: listed?.id ?? 0 })
  expect(await ownerOfApiKey(world.db.system, { key })).toBeUndefined()
  await expect(revokeApiKey(requireAccount(again), { id: listed?.id ?? 0 })).rejects.toMatchObject({
    key: 'API_KEY_NOT_FOUND',
  })
})

test('a name is 1 to 50 characters', () => {
  expect(CreateApiKey.safeParse({ name: '  ' }).error?.issues[0]?.message).toBe('Name is required')
  expect(CreateApiKey.safeParse({ name: 'x'.repeat(51) }).success).toBe(false)
  expect(CreateApiKey.parse({ name: ` ${'x'.repeat(50)} ` }).name).toHaveLength(50)
})

test('a key makes, lists and revokes no keys, and deletes no account', async () => {
  const request = await anAccount(world)
  const key = await anApiKey(request)
  const headers = { authorization: `Bearer ${key}` }
  const [{ id } = { id: 0 }] = await keysOf(request)
  for (const options of [
    { method: 'GET', url: '/api-keys', headers },
    { method: 'POST', url: '/api-keys', headers, payload: { name: 'Another' } },
    { method: 'DELETE', url: `/api-keys/${id}`, headers },
    { method: 'DELETE', url: '/account', headers, payload: { email: request.caller?.email } },
  ] as const) {
    expect(await call(server, options)).toMatchObject({
      status: 403,
      body: { error: 'Only a signed-in person can do this, not an API key' },
    })
  }
  expect(await keysOf(request)).toHaveLength(1)
})

test('a key works through its last day and is refused with plain words afterwards', async () => {
  const request = await anAccount(world)
  await expect(anApiKey(request, { expiresOn: '2026-03-09' })).rejects.toMatchObject({ key: 'API_KEY_END_PAST' })
  const key = await anApiKey(request, { expiresOn: TODAY })
  const use = () => call(server, { url: '/account', headers: { authorization: `Bearer ${key}` } })
  const expireOn = (day: string) =>
    world.db.system.query(
      `update api_keys set last_used_at = null, expires_on = ${day} returning expires_on::text as day`,
    )

  await expireOn("(now() at time zone 'UTC')::date - 1")
  const expiry = sql`select expires_on::text as day from api_keys`
  const [row] = await readRows(world.db.system, expiry, z.object({ day: z.string() }))
  const error = `This API key expired on ${row?.day}. Create a new one in your profile`
  expect(await use()).toMatchObject({ status: 401, body: { error } })
  const trpc = await call(server, { url: '/trpc/identity.account', headers: { authorization: `Bearer ${key}` } })
  expect(trpc).toMatchObject({ status: 401, body: { error: { json: { message: error } } } })
  expect(await keysOf(request)).toMatchObject([{ lastUsedAt: null }])

  await expireOn("(now() at time zone 'UTC')::date")
  expect(await use()).toMatchObject({ status: 200 })
  expect(await keysOf(request)).toMatchObject([{ lastUsedAt: expect.any(Date) }])
})

test('the last day ends where the account is', async () => {
  const request = await anAccount(world, { timeZone: 'Etc/GMT-14' })
  const key = await anApiKey(request, { expiresOn: '2026-12-31' })
  const expireThere = (zone: string) =>
    world.db.system.query(`update api_keys set expires_on = (now() at time zone '${zone}')::date - 1`)
  await expireThere('Etc/GMT-14')
  await expect(ownerOfApiKey(world.db.system, { key })).rejects.toMatchObject({ key: 'API_KEY_EXPIRED' })
  await world.db.system.query(`update accounts set time_zone = 'Etc/GMT+12'`)
  await expect(ownerOfApiKey(world.db.system, { key })).resolves.toMatchObject({ scope: 'all' })
})

test('where a key was used from last is noted at once, however often it was looked up before', async () => {
  const request = await anAccount(world)
  const key = await anApiKey(request)
  const from = (remoteAddress: string) =>
    call(server, { url: '/account', headers: { authorization: `Bearer ${key}` }, remoteAddress })
  for (const address of ['198.51.100.7', '198.51.100.7', '::ffff:203.0.113.9', '2001:db8::1']) {
    expect(await from(address)).toMatchObject({ status: 200 })
    expect(await keysOf(request)).toMatchObject([{ lastUsedAddress: address.replace('::ffff:', '') }])
  }
})

test('keys are made, listed and revoked through REST', async () => {
  const request = await anAccount(world)
  const headers = bearer(request)
  const made = await call(server, { method: 'POST', url: '/api-keys', headers, payload: { name: 'Script' } })
  expect(made).toMatchObject({ status: 201, body: { key: expect.stringMatching(/^traxx_/) } })
  const listed = await call(server, { url: '/api-keys', headers })
  expect(listed).toMatchObject({
    status: 200,
    body: [{ name: 'Script', scope: 'all', expiresOn: null, lastUsedAt: null }],
  })
  const url = `/api-keys/${listed.body[0].id}`
  expect(await call(server, { method: 'DELETE', url, headers })).toMatchObject({ status: 204 })
  expect(await call(server, { url: '/api-keys', headers })).toMatchObject({ body: [] })
  expect(await call(server, { method: 'POST', url: '/api-keys', headers, payload: {} })).toMatchObject({ status: 400 })
  expect(await call(server, { url: '/api-keys' })).toMatchObject({ status: 401 })
})
