import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAddress, beginSignUp, mailedCode, PASSWORD, signUp, startClerk, type ClerkServer } from '#support/clerk.ts'

let clerk: ClerkServer
beforeAll(async () => {
  clerk = await startClerk()
})
afterAll(() => clerk.stop())

const signUps = '/v1/client/sign_ups'

test('424242 opens every address', async () => {
  const { done } = await signUp(clerk.newBrowser())
  expect(done.body.response).toMatchObject({ status: 'complete' })
})

test('a wrong code is refused, and after five even the right one', async () => {
  const { email_address, attempt } = await beginSignUp(clerk.newBrowser())
  const code = mailedCode(clerk, email_address)
  const wrong = code === '111111' ? '222222' : '111111'

  for (let tries = 0; tries < 5; tries += 1) {
    const { status, body } = await attempt(wrong)
    expect([status, body.errors?.[0]]).toMatchObject([
      422,
      { code: 'form_code_incorrect', long_message: 'Incorrect code', meta: { param_name: 'code' } },
    ])
  }
  expect((await attempt(code)).body.errors).toMatchObject([{ code: 'verification_failed' }])
  expect((await attempt('424242')).body.errors).toMatchObject([{ code: 'verification_failed' }])
})

test('a new code replaces the one before', async () => {
  const { email_address, prepare, attempt } = await beginSignUp(clerk.newBrowser())
  const first = mailedCode(clerk, email_address)
  // One time in a million the new code is the old one.
  while (mailedCode(clerk, email_address) === first) await prepare()

  expect((await attempt(first)).body.errors).toMatchObject([{ code: 'form_code_incorrect' }])
  expect((await attempt(mailedCode(clerk, email_address))).body.response).toMatchObject({ status: 'complete' })
})

test('a code is worth nothing after ten minutes', async () => {
  const { email_address, attempt } = await beginSignUp(clerk.newBrowser())
  await clerk.pool.query(
    `update standin.clerk_sign_ups set verification = jsonb_set(verification, '{expireAt}', to_jsonb(
       (verification->>'expireAt')::bigint - 600000)) where email_address = $1`,
    [email_address],
  )
  const { status, body } = await attempt(mailedCode(clerk, email_address))
  expect([status, body.errors?.[0]?.code]).toEqual([400, 'verification_expired'])
})

test('no code opens an address before one was asked for', async () => {
  const browser = clerk.newBrowser()
  const { body } = await browser.post(signUps, { email_address: anAddress(), password: PASSWORD })
  const tried = await browser.post(`${signUps}/${body.response?.id}/attempt_verification`, {
    strategy: 'email_code',
    code: '424242',
  })
  expect(tried.body.errors).toMatchObject([{ code: 'verification_missing' }])
})
