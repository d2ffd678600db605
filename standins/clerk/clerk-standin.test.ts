import { verifyToken } from '@clerk/fastify'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAddress, PASSWORD, signUp, startClerk, type ClerkServer } from '#support/clerk.ts'
import { openClerkStandin } from './clerk-standin.ts'

let clerk: ClerkServer
beforeAll(async () => {
  clerk = await startClerk()
})
afterAll(() => clerk.stop())

/** Another process on the same database. */
async function open(sendMail = async () => {}) {
  const standin = await openClerkStandin({ pool: clerk.pool, sendMail })
  const app = Fastify()
  await app.register(standin.plugin, { prefix: '/__clerk' })
  return { standin, app }
}

test('the keys are of the kind that the SDKs accept, and the database keeps them', async () => {
  const { publishableKey, secretKey, jwtKey } = clerk.standin
  expect(publishableKey).toBe('pk_test_Y2xlcmsubG9jYWwudGVzdCQ=')
  expect(secretKey).toMatch(/^sk_test_[\w-]{43}$/)
  expect(jwtKey).toMatch(/^-----BEGIN PUBLIC KEY-----/)
  expect((await open()).standin).toMatchObject({ publishableKey, secretKey, jwtKey })
})

test('servers that start at once on an empty database agree on the keys', async () => {
  await clerk.pool.query(`drop table standin.clerk_instance, standin.clerk_users, standin.clerk_clients,
    standin.clerk_sessions, standin.clerk_sign_ups, standin.clerk_sign_ins`)
  const opened = await Promise.all([open(), open(), open()])
  expect(new Set(opened.map(({ standin }) => standin.secretKey)).size).toBe(1)
  await clerk.stop()
  clerk = await startClerk()
})

test('sessions survive a restart', async () => {
  const browser = clerk.newBrowser()
  const { sessionId } = await signUp(browser)
  const { app, standin } = await open()
  const headers = { cookie: browser.cookie, host: 'localhost:3000' }
  const answer = await app.inject({ method: 'POST', url: `/__clerk/v1/client/sessions/${sessionId}/tokens`, headers })
  const claims = await verifyToken(answer.json<{ jwt: string }>().jwt, { jwtKey: clerk.standin.jwtKey })
  expect(claims).toMatchObject({ sid: sessionId, azp: 'http://localhost:3000' })
  expect(standin.jwtKey).toBe(clerk.standin.jwtKey)
})

test('a sign-up can be finished at another server than it was begun', async () => {
  const { app } = await open()
  const payload = new URLSearchParams({ email_address: anAddress(), password: PASSWORD }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const begun = await app.inject({ method: 'POST', url: '/__clerk/v1/client/sign_ups', headers, payload })
  const browser = clerk.newBrowser()
  browser.cookie = String(begun.headers['set-cookie']).split(';')[0] ?? ''
  const path = `/v1/client/sign_ups/${begun.json<{ response: { id: string } }>().response.id}`
  await browser.post(`${path}/prepare_verification`, { strategy: 'email_code' })
  const { body } = await browser.post(`${path}/attempt_verification`, { strategy: 'email_code', code: '424242' })
  expect(body.response).toMatchObject({ status: 'complete' })
})

test('the environment says how one signs up to TRAXX', async () => {
  const browser = clerk.newBrowser()
  const environment = {
    auth_config: { single_session_mode: true },
    display_config: { application_name: 'TRAXX', branded: false, home_url: `${clerk.origin}/` },
    organization_settings: { enabled: false },
    user_settings: {
      attributes: { email_address: { required: true }, first_name: { enabled: true, required: false } },
      sign_up: { mode: 'public', captcha_enabled: false },
    },
  }
  expect((await browser.get('/v1/environment')).body).toMatchObject(environment)
  expect((await browser.post('/v1/environment', {}, { method: 'PATCH' })).body).toMatchObject(environment)
})

test('a browser that has not begun anything is nobody, and gets no cookie', async () => {
  const { body, headers } = await clerk.newBrowser().get('/v1/client')
  expect(body).toEqual({ response: null, client: null })
  expect(headers.getSetCookie()).toEqual([])
})

test('the cookie is for the stand-in alone, out of reach of scripts', async () => {
  const { headers } = await clerk.newBrowser().post('/v1/client', {}, { method: 'PUT' })
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__client=[\w-]{43}; Path=\/__clerk; Max-Age=\d+; HttpOnly; SameSite=Lax$/),
  ])
})

test.each(['https://evil.test', 'http://127.0.0.1:1', 'null'])(
  'a page at %s cannot act for the visitor',
  async (origin) => {
    const browser = clerk.newBrowser()
    const { sessionId } = await signUp(browser)
    const { status, body } = await browser.post('/v1/client/sessions', {}, { method: 'DELETE', headers: { origin } })
    expect([status, body.errors?.[0]?.code]).toEqual([400, 'origin_invalid'])
    expect((await browser.post(`/v1/client/sessions/${sessionId}/tokens`)).status).toBe(200)
  },
)

test.each(['/v1/nowhere', '/v1/client/sign_ins/1', '/nowhere'])('%s is not found, as Clerk says it', async (path) => {
  const { status, body, headers } = await clerk.newBrowser().get(path)
  expect([status, body.errors]).toMatchObject([404, [{ code: 'resource_not_found' }]])
  expect(headers.get('content-type')).toBe('application/json')
})

test('a method that an address does not know is not found', async () => {
  const { status } = await clerk.newBrowser().post('/v1/client', {}, { method: 'PATCH' })
  expect(status).toBe(404)
})

test('a body that cannot be read is refused', async () => {
  const headers = { authorization: `Bearer ${clerk.standin.secretKey}`, 'content-type': 'application/json' }
  const response = await fetch(`${clerk.apiUrl}/v1/users`, { method: 'POST', headers, body: '{' })
  expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ code: 'request_body_invalid' }] }])
})

test('a mail that cannot be sent is a fault, and the code can be asked for again', async () => {
  const { app } = await open(async () => {
    throw new Error('No mail today')
  })
  const browser = clerk.newBrowser()
  const { body } = await browser.post('/v1/client/sign_ups', { email_address: anAddress(), password: PASSWORD })
  const path = `/v1/client/sign_ups/${body.response?.id}/prepare_verification`
  const failed = await app.inject({
    method: 'POST',
    url: `/__clerk${path}`,
    headers: { cookie: browser.cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'strategy=email_code',
  })
  expect([failed.statusCode, failed.json()]).toMatchObject([500, { errors: [{ code: 'internal_clerk_error' }] }])
  expect((await browser.post(path, { strategy: 'email_code' })).status).toBe(200)
})

test('nothing of the stand-in reaches the app around it', async () => {
  const app = Fastify()
  app.post('/form', async ({ body }) => body)
  await app.register(clerk.standin.plugin, { prefix: '/__clerk' })
  const form = {
    method: 'POST',
    url: '/form',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  } as const
  expect((await app.inject({ ...form, payload: 'a=1' })).statusCode).toBe(415)
  const json = await app.inject({ method: 'POST', url: '/form', payload: { a: 1 } })
  expect(json.headers['content-type']).toBe('application/json; charset=utf-8')
  expect((await app.inject('/nowhere')).json()).not.toHaveProperty('errors')
})
