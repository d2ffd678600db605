import { expect, test } from 'vitest'
import { z } from 'zod'
import { isScopeEnough, KEY_SCOPES, type KeyScope } from '#shared/domain/api-key.ts'
import type { CallScope } from '#server/context.ts'
import { PROCEDURE_SCOPES } from '#server/identity/procedure-scopes.ts'
import { appRouter } from '#server/routers/index.ts'
import { call, useApp } from '#support/app.ts'
import { routeList } from '#support/routes.ts'
import { anAccount, anApiKey, useWorld } from '#support/world.ts'

const Definition = z.object({ type: z.string() })
const METHODS = z.enum(['GET', 'POST', 'PUT', 'DELETE'])

const world = useWorld()
const { routes, plugin } = routeList()
const server = useApp(world, {}, { plugins: [plugin] })

/** The routes that an API key could be sent to. */
function keyedRoutes() {
  return routes
    .filter(({ config = {} }) => 'keyScope' in config)
    .map(({ config, method, url }) => ({ method: [method].flat()[0] ?? '', url, needed: config?.keyScope }))
}

const nameOf = ({ method, url }: { method: string; url: string }) => `${method} ${url}`

test('every REST call declares what it needs of an API key', () => {
  expect(
    keyedRoutes()
      .filter(({ needed }) => needed === undefined)
      .map(nameOf),
  ).toEqual([])
  expect(keyedRoutes().length).toBeGreaterThan(60)
})

test('every procedure declares what it needs of an API key', () => {
  expect(Object.keys(PROCEDURE_SCOPES).toSorted()).toEqual(Object.keys(appRouter._def.procedures).toSorted())
})

test('no procedure that changes something answers to GET', async () => {
  const headers = { authorization: `Bearer ${await anApiKey(await anAccount(world))}` }
  const mutations = Object.entries(appRouter._def.procedures).flatMap(([path, procedure]) =>
    Definition.parse(Reflect.get(procedure, '_def')).type === 'mutation' ? [path] : [],
  )
  expect(mutations.length).toBeGreaterThan(50)
  for (const path of mutations) {
    expect([path, (await call(server, { url: `/trpc/${path}`, headers })).status]).toEqual([path, 405])
  }
})

test('the scope read opens GET calls and no others', () => {
  const reads = (method: string) => ['GET', 'HEAD'].includes(method)
  const readable = keyedRoutes().filter(({ needed }) => needed === 'read')
  expect(readable.filter(({ method }) => !reads(method))).toEqual([])
  const closed = keyedRoutes().filter(({ method, needed }) => method === 'GET' && needed !== 'read')
  expect(closed.map(nameOf).toSorted()).toEqual(['GET /api-keys', 'GET /export'])
})

test('the scope write changes customers, contracts, their messages, answers and notifications, and nothing that takes all', () => {
  const written = keyedRoutes().filter(({ needed }) => needed === 'write')
  const named = written
    .map(nameOf)
    .filter(
      (name) =>
        !/^(POST|PUT|DELETE) \/(answers|customers|contacts|contracts|tags|views|notes|bulk|trash|reminders|notices|notifications)\b/.test(
          name,
        ),
    )
  expect(named).toEqual([])
  const taking = (scope: CallScope) =>
    Object.entries(PROCEDURE_SCOPES).flatMap(([name, needed]) => (needed === scope ? [name] : []))
  expect(
    taking('write').filter(
      (name) =>
        !/^(answers|customers|contacts|contracts|tags|views|notes|bulk|trash|reminders|notices|notifications)\./.test(
          name,
        ),
    ),
  ).toEqual([])
  const forAll = /import|bulk-upload|export|settings|texts?\b|company|time-?zone/i
  const narrow = [...written.map(nameOf), ...taking('write')].filter((name) => forAll.test(name))
  expect(narrow).toEqual([
    'PUT /contracts/:id/answer-settings',
    'answers.saveContractSettings',
    'reminders.saveContractSettings',
  ])
  expect(keyedRoutes().filter(({ needed }) => needed === 'all').length).toBeGreaterThan(10)
})

test.each(KEY_SCOPES)(
  'a key with the scope %s opens what that includes, and is told which scope is missing',
  async (scope) => {
    const request = await anAccount(world)
    const key = await anApiKey(request, { scope })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    for (const { method, url, needed } of keyedRoutes()) {
      if (method === 'HEAD' || needed === undefined) continue
      const answer = await server.app.inject({
        method: METHODS.parse(method),
        url: url.replaceAll(/:\w+/g, '1'),
        headers,
        payload: '{}',
      })
      const refusal = answer.statusCode === 403 ? answer.json().error : undefined
      expect({ name: nameOf({ method, url }), refusal }).toMatchObject({ refusal: refusalOf(scope, needed) })
    }
  },
)

const ONLY_PEOPLE = 'Only a signed-in person can do this, not an API key'
const tooNarrow = (needed: KeyScope) => `This API key is not allowed to do this. Use a key with the scope "${needed}"`

function refusalOf(scope: KeyScope, needed: CallScope): string | undefined {
  if (needed === 'none') return ONLY_PEOPLE
  return isScopeEnough(scope, needed) ? undefined : tooNarrow(needed)
}

test('the scope holds for procedures as well', async () => {
  const request = await anAccount(world)
  const headers = { authorization: `Bearer ${await anApiKey(request, { scope: 'read' })}` }
  const payload = { json: { name: 'Acme' } }
  expect(await call(server, { url: '/trpc/customers.figures', headers })).toMatchObject({ status: 200 })
  const refused = await call(server, { method: 'POST', url: '/trpc/customers.create', headers, payload })
  expect(refused).toMatchObject({
    status: 403,
    body: { error: { json: { message: tooNarrow('write'), data: { refusal: 'API_KEY_SCOPE_TOO_NARROW' } } } },
  })
  const keys = await call(server, { url: '/trpc/identity.apiKeys', headers })
  expect(keys).toMatchObject({ status: 403, body: { error: { json: { message: ONLY_PEOPLE } } } })
})

test('what is too narrow names the scope for programs, too', async () => {
  const request = await anAccount(world)
  const headers = { authorization: `Bearer ${await anApiKey(request, { scope: 'write' })}` }
  expect(await call(server, { url: '/export', headers })).toMatchObject({ status: 403, body: { scope: 'all' } })
})

test('a key that nobody knows is told that it opens nothing, whatever it asks for', async () => {
  const headers = { authorization: 'Bearer traxx_unknown' }
  expect(await call(server, { url: '/customers', headers })).toMatchObject({ status: 401 })
  expect(await call(server, { url: '/api-keys', headers })).toMatchObject({ status: 401 })
})
