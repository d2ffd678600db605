import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, signUp, startClerk, type ClerkServer } from '#support/clerk.ts'

let clerk: ClerkServer
beforeAll(async () => {
  clerk = await startClerk()
})
afterAll(() => clerk.stop())

const NEW_PASSWORD = 'another horse battery'

async function signedIn() {
  const browser = clerk.newBrowser()
  const { email_address, sessionId } = await signUp(browser)
  const me = (path = '') => `/v1/me${path}?_clerk_session_id=${sessionId}`
  return { browser, email_address, sessionId, me }
}

/** The same person on another device. */
async function elsewhere(identifier: string, password = PASSWORD) {
  const browser = clerk.newBrowser()
  const { body } = await browser.post('/v1/client/sign_ins', { identifier, password })
  return { browser, sessionId: body.response?.created_session_id ?? 'none', status: body.response?.status }
}

test('one can read and rename oneself', async () => {
  const { browser, me, email_address } = await signedIn()
  const names = { first_name: 'Ada', last_name: 'Lovelace' }
  const { body } = await browser.post(me(), names, { method: 'PATCH' })
  expect(body.response).toMatchObject({ object: 'user', ...names, email_addresses: [{ email_address }] })
  expect(body.client?.sessions).toMatchObject([{ user: names }])

  await browser.post(me(), { first_name: '' }, { method: 'PATCH' })
  expect((await browser.get(me())).body.response).toMatchObject({ first_name: null, last_name: 'Lovelace' })
})

test('what cannot be changed is refused, not ignored', async () => {
  const { browser, me } = await signedIn()
  const { status, body } = await browser.post(me(), { username: 'ada' }, { method: 'PATCH' })
  expect([status, body.errors]).toMatchObject([422, [{ code: 'form_param_unknown', meta: { param_name: 'username' } }]])
})

test('without a session there is no "me"', async () => {
  const { me } = await signedIn()
  const { status, body } = await clerk.newBrowser().get(me())
  expect([status, body.errors?.[0]?.code]).toEqual([401, 'authentication_invalid'])
})

test('the password changes only for who knows the current one', async () => {
  const { browser, me, email_address } = await signedIn()
  const change = (current_password: string, new_password: string) =>
    browser.post(me('/change_password'), { current_password, new_password })

  expect((await change('wrong horse battery', NEW_PASSWORD)).body.errors).toMatchObject([
    { code: 'form_password_validation_failed', meta: { param_name: 'current_password' } },
  ])
  expect((await change(PASSWORD, 'short')).body.errors).toMatchObject([
    { code: 'form_password_length_too_short', meta: { param_name: 'new_password' } },
  ])
  expect((await browser.post(me('/change_password'), { new_password: NEW_PASSWORD })).body.errors).toMatchObject([
    { code: 'form_param_nil', meta: { param_name: 'current_password' } },
  ])
  expect((await change(PASSWORD, NEW_PASSWORD)).body.response).toMatchObject({ password_enabled: true })
  expect((await elsewhere(email_address, NEW_PASSWORD)).status).toBe('complete')
  expect((await elsewhere(email_address)).status).toBeUndefined()
})

test('changing the password can sign out the other devices, and keeps this one', async () => {
  const { browser, me, sessionId, email_address } = await signedIn()
  const other = await elsewhere(email_address)
  await browser.post(me('/change_password'), {
    current_password: PASSWORD,
    new_password: NEW_PASSWORD,
    sign_out_of_other_sessions: 'true',
  })
  expect((await other.browser.post(`/v1/client/sessions/${other.sessionId}/tokens`)).status).toBe(401)
  expect((await browser.post(`/v1/client/sessions/${sessionId}/tokens`)).status).toBe(200)
})

test('one sees where one is signed in, and can end it', async () => {
  const { browser, me, sessionId, email_address } = await signedIn()
  const other = await elsewhere(email_address)
  const { list } = await browser.get(me('/sessions/active'))
  expect(list.map(({ id }) => id)).toEqual([other.sessionId, sessionId])
  expect(list[0]).toMatchObject({
    object: 'session',
    status: 'active',
    user: null,
    latest_activity: { browser_name: 'Chrome', browser_version: '142.0.0.0', device_type: 'Linux', is_mobile: false },
  })

  const { body } = await browser.post(me(`/sessions/${other.sessionId}/revoke`))
  expect(body.response).toMatchObject({ id: other.sessionId, status: 'revoked' })
  expect((await other.browser.post(`/v1/client/sessions/${other.sessionId}/tokens`)).status).toBe(401)
  expect((await browser.get(me('/sessions/active'))).list).toMatchObject([{ id: sessionId }])
  expect((await browser.get(me('/sessions'))).list).toHaveLength(2)
})

test("nobody ends somebody else's session", async () => {
  const { browser, me } = await signedIn()
  const stranger = await signedIn()
  expect((await browser.post(me(`/sessions/${stranger.sessionId}/revoke`))).status).toBe(404)
  expect((await stranger.browser.post(`/v1/client/sessions/${stranger.sessionId}/tokens`)).status).toBe(200)
})

test('an account is deleted only by somebody who has signed in lately', async () => {
  const { browser, me } = await signedIn()
  await browser.post('/dev/age-sign-ins', { minutes: '10' })
  const refused = await browser.post(me(), {}, { method: 'DELETE' })
  expect([refused.status, refused.body.errors?.[0]?.code]).toEqual([403, 'session_reverification_required'])
  expect((await browser.get(me())).status).toBe(200)
})

test('who deletes the account is signed out everywhere, and its address is free again', async () => {
  const { browser, me, email_address } = await signedIn()
  const other = await elsewhere(email_address)
  const { body } = await browser.post(me(), {}, { method: 'DELETE' })
  expect(body.response).toMatchObject({ object: 'user', deleted: true })
  expect(body.client).toMatchObject({ sessions: [] })
  expect((await other.browser.post(`/v1/client/sessions/${other.sessionId}/tokens`)).status).toBe(401)

  const { done } = await signUp(browser, email_address)
  expect(done.body.response).toMatchObject({ status: 'complete' })
})
