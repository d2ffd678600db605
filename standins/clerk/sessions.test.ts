import { verifyToken } from '@clerk/fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, signUp, startClerk, type ClerkServer } from '#support/clerk.ts'

let clerk: ClerkServer
beforeAll(async () => {
  clerk = await startClerk()
})
afterAll(() => clerk.stop())

const REFUSED = { status: 401, body: { errors: [{ code: 'authentication_invalid' }] } }

async function signedIn() {
  const browser = clerk.newBrowser()
  const { email_address, sessionId, done } = await signUp(browser)
  return {
    browser,
    email_address,
    userId: done.body.response?.['created_user_id'],
    path: `/v1/client/sessions/${sessionId}`,
  }
}

test('a token says who is signed in, for the page that asked, and for a minute', async () => {
  const { browser, path, userId } = await signedIn()
  const { body, headers } = await browser.post(`${path}/tokens`, { organization_id: '' })
  expect(Object.keys(body).toSorted()).toEqual(['jwt', 'object'])
  expect(headers.get('cache-control')).toBe('no-store')

  const claims = await verifyToken(body.jwt ?? '', {
    jwtKey: clerk.standin.jwtKey,
    authorizedParties: [clerk.origin],
  })
  expect(claims).toMatchObject({ sub: userId, sid: path.split('/').at(-1), azp: clerk.origin, sts: 'active', v: 2 })
  expect(claims.exp - claims.iat).toBe(60)
})

test('a token for another page is refused', async () => {
  const { browser, path } = await signedIn()
  const { body } = await browser.post(`${path}/tokens`)
  const verified = verifyToken(body.jwt ?? '', {
    jwtKey: clerk.standin.jwtKey,
    authorizedParties: ['https://elsewhere.test'],
  })
  await expect(verified).rejects.toMatchObject({ reason: 'token-invalid-authorized-parties' })
})

test('the key of the tokens is published', async () => {
  const { browser, path } = await signedIn()
  const { body } = await browser.post(`${path}/tokens`)
  const { secretKey } = clerk.standin
  await expect(verifyToken(body.jwt ?? '', { secretKey, apiUrl: clerk.apiUrl })).resolves.toMatchObject({ v: 2 })
})

test('only the browser that signed in gets tokens of its session', async () => {
  const { path } = await signedIn()
  const other = await signedIn()
  expect(await other.browser.post(`${path}/tokens`)).toMatchObject(REFUSED)
  expect(await other.browser.post(`${path}/touch`)).toMatchObject(REFUSED)
  expect(await other.browser.post(`${path}/end`)).toMatchObject(REFUSED)
  expect(await clerk.newBrowser().post(`${path}/tokens`)).toMatchObject(REFUSED)
})

test('a guessed cookie is nobody', async () => {
  const { browser, path } = await signedIn()
  const thief = clerk.newBrowser()
  thief.cookie = `${browser.cookie.slice(0, -1)}${browser.cookie.endsWith('A') ? 'B' : 'A'}`
  expect(await thief.post(`${path}/tokens`)).toMatchObject(REFUSED)
})

test('touching a session answers with it and with the client', async () => {
  const { browser, path, email_address } = await signedIn()
  const { body } = await browser.post(`${path}/touch`, { active_organization_id: '', intent: 'select_session' })
  expect(body.response).toMatchObject({
    object: 'session',
    status: 'active',
    last_active_token: { object: 'token', jwt: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) },
    public_user_data: { identifier: email_address },
    user: { email_addresses: [{ email_address, verification: { status: 'verified' } }] },
  })
  expect(body.client).toMatchObject({ last_active_session_id: body.response?.id })
})

test('signing out ends the session in every tab', async () => {
  const { browser, path } = await signedIn()
  const { body } = await browser.post('/v1/client/sessions', {}, { method: 'DELETE' })
  expect(body.response).toMatchObject({ object: 'client', sessions: [] })
  expect(await browser.post(`${path}/tokens`)).toMatchObject(REFUSED)
  expect((await browser.get('/v1/client')).body.response).toMatchObject({ sessions: [] })
})

test.each([
  ['end', 'ended'],
  ['remove', 'removed'],
])('"%s" closes one session', async (action, status) => {
  const { browser, path } = await signedIn()
  const { body } = await browser.post(`${path}/${action}`)
  expect(body.response).toMatchObject({ status, last_active_token: null })
  expect(body.client).toMatchObject({ sessions: [] })
  expect(await browser.post(`${path}/touch`)).toMatchObject(REFUSED)
})

test('a session ends after a week', async () => {
  const { browser, path, email_address } = await signedIn()
  await clerk.pool.query(`update standin.clerk_sessions set expire_at = expire_at - interval '7 days' where id = $1`, [
    path.split('/').at(-1),
  ])
  expect(await browser.post(`${path}/tokens`)).toMatchObject(REFUSED)
  expect((await browser.get('/v1/client')).body.response).toMatchObject({ sessions: [] })
  const again = await browser.post('/v1/client/sign_ins', { identifier: email_address, password: PASSWORD })
  expect(again.body.response).toMatchObject({ status: 'complete' })
})

test('a forgotten client takes its sessions along', async () => {
  const { browser, path } = await signedIn()
  const { body } = await browser.post('/v1/client', {}, { method: 'DELETE' })
  expect(body).toEqual({ response: null, client: null })
  expect(await browser.post(`${path}/tokens`)).toMatchObject(REFUSED)
})
