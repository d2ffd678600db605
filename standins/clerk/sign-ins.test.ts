import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAddress, beginSignIn, mailedCode, PASSWORD, signUp, startClerk, type ClerkServer } from '#support/clerk.ts'

let clerk: ClerkServer
beforeAll(async () => {
  clerk = await startClerk()
})
afterAll(() => clerk.stop())

const signIns = '/v1/client/sign_ins'

async function aUser() {
  const browser = clerk.newBrowser()
  return { browser, ...(await signUp(browser)) }
}

test('address and password open a session', async () => {
  const { email_address } = await aUser()
  const browser = clerk.newBrowser()
  const { body } = await browser.post(signIns, { identifier: email_address.toUpperCase(), password: PASSWORD })

  expect(body.response).toMatchObject({ object: 'sign_in', status: 'complete', identifier: email_address })
  expect(body.client).toMatchObject({ sign_in: null, last_active_session_id: body.response?.created_session_id })
  expect(body.client?.sessions).toHaveLength(1)
})

test('a wrong password is refused at its field, and opens nothing', async () => {
  const { email_address } = await aUser()
  const browser = clerk.newBrowser()
  const { status, body } = await browser.post(signIns, { identifier: email_address, password: 'wrong horse battery' })

  expect([status, body.errors]).toMatchObject([
    422,
    [{ code: 'form_password_incorrect', meta: { param_name: 'password' } }],
  ])
  expect((await browser.get('/v1/client')).body).toEqual({ response: null, client: null })
})

test('an unknown address is refused at its field', async () => {
  const { status, body } = await clerk.newBrowser().post(signIns, { identifier: anAddress(), password: PASSWORD })
  expect([status, body.errors]).toMatchObject([
    422,
    [{ code: 'form_identifier_not_found', message: "Couldn't find your account.", meta: { param_name: 'identifier' } }],
  ])
})

test('the address alone says how to go on, and the password can follow', async () => {
  const { email_address } = await aUser()
  const { begun, attempt } = await beginSignIn(clerk.newBrowser(), email_address)
  expect(begun.response).toMatchObject({
    status: 'needs_first_factor',
    supported_first_factors: [
      { strategy: 'password' },
      { strategy: 'email_code', safe_identifier: email_address },
      { strategy: 'reset_password_email_code', safe_identifier: email_address },
    ],
  })
  expect(begun.client).toMatchObject({ sessions: [], sign_in: { id: begun.response?.id } })

  const done = await attempt({ strategy: 'password', password: PASSWORD })
  expect(done.body.response).toMatchObject({ status: 'complete' })
})

test('after five wrong passwords a sign-in refuses the right one too', async () => {
  const { email_address } = await aUser()
  const { attempt } = await beginSignIn(clerk.newBrowser(), email_address)
  for (let tries = 0; tries < 5; tries += 1) {
    const { body } = await attempt({ strategy: 'password', password: 'wrong horse battery' })
    expect(body.errors).toMatchObject([{ code: 'form_password_incorrect' }])
  }
  const { status, body } = await attempt({ strategy: 'password', password: PASSWORD })
  expect([status, body.errors?.[0]?.code]).toEqual([400, 'verification_failed'])
})

test('a mailed code signs in', async () => {
  const { email_address } = await aUser()
  const { prepare, attempt } = await beginSignIn(clerk.newBrowser(), email_address)
  const prepared = await prepare('email_code')
  expect(prepared.body.response).toMatchObject({
    first_factor_verification: { status: 'unverified', strategy: 'email_code' },
  })
  const { body } = await attempt({ strategy: 'email_code', code: mailedCode(clerk, email_address) })
  expect(body.response).toMatchObject({ status: 'complete' })
})

test('a strategy that TRAXX does not offer is refused', async () => {
  const { email_address } = await aUser()
  const { attempt } = await beginSignIn(clerk.newBrowser(), email_address)
  for (const { body } of [
    await attempt({ strategy: 'phone_code', code: '424242' }),
    await clerk.newBrowser().post(signIns, { identifier: email_address, strategy: 'oauth_google' }),
  ]) {
    expect(body.errors).toMatchObject([{ code: 'strategy_for_user_invalid' }])
  }
})

test('a sign-in belongs to the browser that began it', async () => {
  const { email_address } = await aUser()
  const { path } = await beginSignIn(clerk.newBrowser(), email_address)
  const stranger = clerk.newBrowser()
  await beginSignIn(stranger, email_address)
  expect((await stranger.get(path)).status).toBe(404)
  const tried = await stranger.post(`${path}/attempt_first_factor`, { strategy: 'password', password: PASSWORD })
  expect(tried.status).toBe(404)
})

test('who is signed in cannot sign in again, not even in a tab that began before', async () => {
  const { email_address } = await aUser()
  const browser = clerk.newBrowser()
  const { attempt } = await beginSignIn(browser, email_address)
  await browser.post(signIns, { identifier: email_address, password: PASSWORD })
  const again = await browser.post(signIns, { identifier: email_address, password: PASSWORD })
  expect([again.status, again.body.errors?.[0]?.code]).toEqual([400, 'session_exists'])
  expect(again.body).toMatchObject({ meta: { client: { sessions: [{ status: 'active' }] } } })
  expect((await attempt({ strategy: 'password', password: PASSWORD })).status).not.toBe(200)
})
