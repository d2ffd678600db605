import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginSignIn, mailedCode, PASSWORD, signUp, startClerk, type ClerkServer } from '#support/clerk.ts'

let clerk: ClerkServer
beforeAll(async () => {
  clerk = await startClerk()
})
afterAll(() => clerk.stop())

const signIns = '/v1/client/sign_ins'
const NEW_PASSWORD = 'another horse battery'

async function aUser() {
  const browser = clerk.newBrowser()
  return { browser, ...(await signUp(browser)) }
}

test('a forgotten password is replaced by way of a mailed code', async () => {
  const { email_address } = await aUser()
  const browser = clerk.newBrowser()
  const { prepare, attempt, reset } = await beginSignIn(browser, email_address)
  await prepare('reset_password_email_code')
  const code = mailedCode(clerk, email_address)
  expect(clerk.mails.at(-1)).toMatchObject({ subject: `${code} is your password reset code` })

  const proven = await attempt({ strategy: 'reset_password_email_code', code })
  expect(proven.body.response).toMatchObject({ status: 'needs_new_password' })
  expect(proven.body.client?.sessions).toEqual([])

  const short = await reset({ password: 'short' })
  expect(short.body.errors).toMatchObject([
    { code: 'form_password_length_too_short', meta: { param_name: 'password' } },
  ])
  const done = await reset({ password: NEW_PASSWORD, sign_out_of_other_sessions: 'true' })
  expect(done.body.response).toMatchObject({ status: 'complete' })

  const old = await clerk.newBrowser().post(signIns, { identifier: email_address, password: PASSWORD })
  expect(old.body.errors).toMatchObject([{ code: 'form_password_incorrect' }])
  const fresh = await clerk.newBrowser().post(signIns, { identifier: email_address, password: NEW_PASSWORD })
  expect(fresh.body.response).toMatchObject({ status: 'complete' })
})

test('replacing the password signs out everywhere else, when asked to', async () => {
  const { browser: elsewhere, sessionId, email_address } = await aUser()
  const { prepare, attempt, reset } = await beginSignIn(clerk.newBrowser(), email_address)
  await prepare('reset_password_email_code')
  await attempt({ strategy: 'reset_password_email_code', code: '424242' })
  const { body } = await reset({ password: NEW_PASSWORD, sign_out_of_other_sessions: 'true' })

  expect(body.client?.sessions).toHaveLength(1)
  expect((await elsewhere.post(`/v1/client/sessions/${sessionId}/tokens`)).status).toBe(401)
  expect((await elsewhere.get('/v1/client')).body.response).toMatchObject({ sessions: [] })
})

test('a password is not replaced before the code was right', async () => {
  const { email_address } = await aUser()
  const { prepare, attempt, reset } = await beginSignIn(clerk.newBrowser(), email_address)
  expect((await reset({ password: NEW_PASSWORD })).body.errors).toMatchObject([{ code: 'verification_missing' }])
  await prepare('reset_password_email_code')
  const wrong = mailedCode(clerk, email_address) === '111111' ? '222222' : '111111'
  expect((await attempt({ strategy: 'reset_password_email_code', code: wrong })).body.errors).toMatchObject([
    { code: 'form_code_incorrect', meta: { param_name: 'code' } },
  ])
  expect((await reset({ password: NEW_PASSWORD })).body.errors).toMatchObject([{ code: 'verification_missing' }])
})

test('a code that was mailed for one purpose does not serve another', async () => {
  const { email_address } = await aUser()
  const { prepare, attempt } = await beginSignIn(clerk.newBrowser(), email_address)
  await prepare('email_code')
  const { body } = await attempt({ strategy: 'reset_password_email_code', code: '424242' })
  expect(body.errors).toMatchObject([{ code: 'verification_missing' }])
})
