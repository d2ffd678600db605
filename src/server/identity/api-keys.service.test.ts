import { expect, test } from 'vitest'
import { CreateApiKey } from '#shared/schemas/accounts.ts'
import { requireAccount, type RequestContext } from '#server/context.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aCustomer, anAccount, asSubscriber, requestOf, useWorld } from '#support/world.ts'
import { createApiKey, listApiKeys, ownerOfApiKey, revokeApiKey } from './api-keys.service.ts'

const world = useWorld()
const server = useApp(world)

test('a key is accepted as bearer token by the REST shim, as its account', async () => {
  const request = await anAccount(world)
  await aCustomer(request, { name: 'Mine' })
  const key = await asSubscriber(request, (ctx) => createApiKey(ctx, { name: 'Script' }))
  const answer = await call(server, { url: '/customers', headers: { authorization: `Bearer ${key}` } })
  expect(answer).toMatchObject({ status: 200, body: [{ name: 'Mine' }] })
})

test('only the hash of a key is stored, and its last use is noted', async () => {
  const request = await anAccount(world)
  const key = await asSubscriber(request, (ctx) => createApiKey(ctx, { name: 'Script' }))
  expect(await ownerOfApiKey(world.db.system, key)).toBe(request.caller?.clerkUserId)
  const { rows } = await world.db.system.query('select *, last_used_at is not null as used from api_keys')
  expect(rows).toMatchObject([{ used: true, name: 'Script' }])
  expect(JSON.stringify(rows)).not.toContain(key)
})

test('a revoked key is nobody', async () => {
  const request = await anAccount(world)
  const key = await asSubscriber(request, (ctx) => createApiKey(ctx, { name: 'Script' }))
  await world.db.system.query('update api_keys set revoked_at = now()')
  expect(await ownerOfApiKey(world.db.system, key)).toBeUndefined()
})

const keysOf = (request: RequestContext) => listApiKeys(requireAccount(request))

test('keys are listed newest first with their last use, and never themselves', async () => {
  const request = await anAccount(world)
  const key = await asSubscriber(request, (ctx) => createApiKey(ctx, { name: 'Used' }))
  await asSubscriber(request, (ctx) => createApiKey(ctx, { name: 'New' }))
  await ownerOfApiKey(world.db.system, key)
  const listed = await keysOf(request)
  expect(listed).toMatchObject([
    { name: 'New', lastUsedAt: null },
    { name: 'Used', lastUsedAt: expect.any(Date) },
  ])
  expect(Object.keys(listed[0] ?? {}).toSorted()).toEqual(['createdAt', 'id', 'lastUsedAt', 'name'])
})

test('an account has at most 20 keys, however many are made at once; a revoked one makes room', async () => {
  const request = await anAccount(world)
  const make = () => asSubscriber(request, (ctx) => createApiKey(ctx, { name: 'One of many' }))
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
  const key = await asSubscriber(request, (ctx) => createApiKey(ctx, { name: 'Script' }))
  await world.db.system.query(`update subscriptions set status = 'canceled'`)
  const [listed] = await keysOf(request)
  const again = await requestOf(world, request.caller?.clerkUserId ?? '')
  await revokeApiKey(requireAccount(again), { id: listed?.id ?? 0 })
  expect(await ownerOfApiKey(world.db.system, key)).toBeUndefined()
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
  const key = await asSubscriber(request, (ctx) => createApiKey(ctx, { name: 'Script' }))
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

test('keys are made, listed and revoked through REST', async () => {
  const request = await anAccount(world)
  const headers = bearer(request)
  const made = await call(server, { method: 'POST', url: '/api-keys', headers, payload: { name: 'Script' } })
  expect(made).toMatchObject({ status: 201, body: { key: expect.stringMatching(/^traxx_/) } })
  const listed = await call(server, { url: '/api-keys', headers })
  expect(listed).toMatchObject({ status: 200, body: [{ name: 'Script', lastUsedAt: null }] })
  const url = `/api-keys/${listed.body[0].id}`
  expect(await call(server, { method: 'DELETE', url, headers })).toMatchObject({ status: 204 })
  expect(await call(server, { url: '/api-keys', headers })).toMatchObject({ body: [] })
  expect(await call(server, { method: 'POST', url: '/api-keys', headers, payload: {} })).toMatchObject({ status: 400 })
  expect(await call(server, { url: '/api-keys' })).toMatchObject({ status: 401 })
})
