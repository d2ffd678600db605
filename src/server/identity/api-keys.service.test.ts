import { expect, test } from 'vitest'
import { call, useApp } from '#support/app.ts'
import { aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { createApiKey, ownerOfApiKey } from './api-keys.service.ts'

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
