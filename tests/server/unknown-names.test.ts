import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { bearer, call, useApp } from '#support/app.ts'
import { routeList } from '#support/routes.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const METHODS = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])
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

  test.each(['[1]', '"x"', 'true'])('a body without fields is refused: %s', async (payload) => {
    const request = await anAccount(world)
    await aCustomer(request)
    const headers = { ...bearer(request), 'content-type': 'application/json' }
    const answer = await call(server, { method: 'PUT', url: '/customers/1', headers, payload })
    expect(answer).toMatchObject({ status: 400, body: { refusal: 'BODY_UNREADABLE' } })
  })

  test('of very many, a few are named', async () => {
    const payload = Object.fromEntries(Array.from({ length: 50_000 }, (_name, at) => [`a${at}`, 1]))
    const headers = bearer(await anAccount(world))
    const { status, body } = await call(server, { method: 'POST', url: '/customers', headers, payload })
    expect(status).toBe(400)
    expect(Object.keys(body.fields)).toHaveLength(20)
  })

  test('what was read can be sent back', async () => {
    const request = await anAccount(world)
    const headers = bearer(request)
    await aContract(request, { customerId: (await aCustomer(request)).id })
    for (const url of ['/customers/1', '/contracts/1']) {
      const { body: payload } = await call(server, { url, headers })
      expect(await call(server, { method: 'PUT', url, headers, payload })).toMatchObject({ status: 200, body: payload })
    }
    const { body: contract } = await call(server, { url: '/contracts/1', headers })
    expect(await call(server, { method: 'POST', url: '/contracts', headers, payload: contract })).toMatchObject({
      status: 201,
      body: { ...contract, id: 2 },
    })
  })
})
