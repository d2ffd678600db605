import { describe, expect, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { KEY_HOURS } from '#server/idempotency/once.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { callableRoutes, routeList } from '#support/routes.ts'
import { anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
let now = new Date('2026-03-01T12:00:00Z')
const { routes, plugin } = routeList()
const server = useApp(world, { now: () => now }, { plugins: [plugin] })

const HOUR_MS = 3_600_000
const acme = { name: 'Acme', email: 'ann@acme.test' }

/** One call with a key; the same one is to be answered in the same way. */
function post(request: RequestContext, key: string, payload: object = acme, url = '/customers') {
  return call(server, { method: 'POST', url, headers: { ...bearer(request), 'idempotency-key': key }, payload })
}

async function namesOf(request: RequestContext): Promise<string[]> {
  const { body } = await call(server, { url: '/customers', headers: bearer(request) })
  return body.map(({ name }: { name: string }) => name)
}

describe('a POST that is sent again with its Idempotency-Key', () => {
  test('gets the same answer and changes nothing', async () => {
    const request = await anAccount(world)
    const first = await post(request, 'a')
    expect(first.status).toBe(201)
    expect(await post(request, 'a')).toMatchObject({ status: 201, body: first.body })
    expect(await namesOf(request)).toEqual(['Acme'])
  })

  test('waits for the first where both arrive at once', async () => {
    const request = await anAccount(world)
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(request, 'a')))
    const [first] = answers
    for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: first?.body })
    expect(await namesOf(request)).toEqual(['Acme'])
  })

  test('is refused with another body or for another call', async () => {
    const request = await anAccount(world)
    await post(request, 'a')
    const reused = { status: 422, body: { refusal: 'IDEMPOTENCY_KEY_REUSED' } }
    expect(await post(request, 'a', { ...acme, name: 'Other' })).toMatchObject(reused)
    expect(await post(request, 'a', {}, '/notifications/clear')).toMatchObject(reused)
    expect(await namesOf(request)).toEqual(['Acme'])
  })

  test('is carried out if the first one was refused', async () => {
    const request = await anAccount(world)
    await post(request, 'first', { ...acme, customerNumber: 'C-1' })
    const taken = { name: 'Beta', customerNumber: 'C-1' }
    expect(await post(request, 'a', taken)).toMatchObject({ status: 409 })
    expect(await post(request, 'a', { ...taken, customerNumber: 'C-2' })).toMatchObject({ status: 201 })
  })

  test('is carried out for another account with the same key', async () => {
    const [mine, theirs] = [await anAccount(world), await anAccount(world)]
    const first = await post(mine, 'a')
    const second = await post(theirs, 'a')
    expect(second.status).toBe(201)
    expect(second.body.id).not.toBe(first.body.id)
    expect(await namesOf(theirs)).toEqual(['Acme'])
  })

  test('is a new call after a day', async () => {
    const request = await anAccount(world)
    await post(request, 'a')
    now = new Date(now.getTime() + KEY_HOURS * HOUR_MS - 1)
    await post(request, 'a')
    expect(await namesOf(request)).toEqual(['Acme'])
    now = new Date(now.getTime() + 1)
    expect(await post(request, 'a')).toMatchObject({ status: 201 })
    expect(await namesOf(request)).toEqual(['Acme', 'Acme'])
  })

  test('may have an empty answer', async () => {
    const request = await anAccount(world)
    const first = await post(request, 'a', {}, '/notifications/clear')
    expect(await post(request, 'a', {}, '/notifications/clear')).toMatchObject({ status: 200, body: first.body })
  })

  test('is refused where the answer holds a secret, which is stored nowhere', async () => {
    const request = await anAccount(world)
    const key = { name: 'K', scope: 'read', expiresOn: '2026-06-01' }
    const made = await post(request, 'a', key, '/api-keys')
    expect(made.status).toBe(201)
    expect(await post(request, 'a', key, '/api-keys')).toMatchObject({
      status: 409,
      body: { refusal: 'IDEMPOTENCY_ANSWER_SECRET' },
    })
    const [stored] = await world.db.writeAs(request.caller?.id ?? 0, (em) =>
      em.execute<object[]>('select answer from idempotency_keys'),
    )
    expect(stored).toEqual({ answer: null })
    const { body } = await call(server, { url: '/api-keys', headers: bearer(request) })
    expect(body).toHaveLength(1)
  })
})

test.each(['', 'two words', 'ü', 'x'.repeat(256)])('a key is refused that is no key: %j', async (key) => {
  const request = await anAccount(world)
  expect(await post(request, key)).toMatchObject({ status: 400, body: { refusal: 'IDEMPOTENCY_KEY_INVALID' } })
  expect(await namesOf(request)).toEqual([])
})

test('every POST takes a key or refuses it, and none ignores it', async () => {
  const request = await anAccount(world)
  const isRepeatable = (url: string) => routes.some((route) => route.url === url && route.config?.isRepeatable)
  const posts = callableRoutes(routes).filter(({ method, forPrograms }) => method === 'POST' && forPrograms)
  const [takes, refuses] = [true, false].map((is) =>
    posts.map(({ url }) => url).filter((url) => isRepeatable(url) === is),
  )
  expect(takes).toEqual(expect.arrayContaining(['/customers', '/contracts', '/api-keys']))
  expect(refuses).toEqual(expect.arrayContaining(['/reminders/send', '/contracts/bulk-upload']))
  for (const url of refuses ?? []) {
    const answer = await post(request, 'a', {}, url.replaceAll(/:\w+/g, '1'))
    expect({ url, ...answer }).toMatchObject({ url, status: 400, body: { refusal: 'IDEMPOTENCY_KEY_UNSUPPORTED' } })
  }
})
