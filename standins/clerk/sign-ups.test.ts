import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAddress, beginSignUp, mailedCode, PASSWORD, signUp, startClerk, type ClerkServer } from '#support/clerk.ts'

let clerk: ClerkServer
beforeAll(async () => {
  clerk = await startClerk()
})
afterAll(() => clerk.stop())

const signUps = '/v1/client/sign_ups'

async function isUser(email_address: string) {
  const found = await clerk.pool.query('select from standin.clerk_users where email_address = $1', [email_address])
  return found.rowCount === 1
}

test('signing up asks for the address to be verified before it makes a user', async () => {
  const browser = clerk.newBrowser()
  const email_address = anAddress()
  const begun = await browser.post(signUps, { email_address, password: PASSWORD, first_name: 'Ada', locale: 'en-US' })

  expect(begun.body.response).toMatchObject({
    object: 'sign_up',
    status: 'missing_requirements',
    email_address,
    first_name: 'Ada',
    last_name: null,
    has_password: true,
    missing_fields: [],
    unverified_fields: ['email_address'],
    verifications: { email_address: { status: 'unverified', strategy: null, supported_strategies: ['email_code'] } },
    created_session_id: null,
  })
  expect(begun.body.client).toMatchObject({ sessions: [], sign_up: { id: begun.body.response?.id } })
  expect(await isUser(email_address)).toBe(false)
})

test('the code is mailed, and opens a session in the browser that signed up', async () => {
  const browser = clerk.newBrowser()
  const { email_address, attempt } = await beginSignUp(browser)
  const code = mailedCode(clerk, email_address)
  expect(clerk.mails.at(-1)).toMatchObject({ to: email_address, subject: `${code} is your verification code` })
  expect(clerk.mails.at(-1)?.text).toContain(`Your verification code is ${code}`)

  const { body } = await attempt(code)
  expect(body.response).toMatchObject({
    status: 'complete',
    unverified_fields: [],
    created_session_id: expect.stringMatching(/^sess_\w{27}$/),
    created_user_id: expect.stringMatching(/^user_\w{27}$/),
  })
  expect(body.client).toMatchObject({
    sign_up: null,
    last_active_session_id: body.response?.created_session_id,
    sessions: [{ id: body.response?.created_session_id, status: 'active', user: { password_enabled: true } }],
  })
  expect(await isUser(email_address)).toBe(true)
})

test('a taken address is refused, however it is written', async () => {
  const { email_address } = await signUp(clerk.newBrowser())
  const { status, body } = await clerk
    .newBrowser()
    .post(signUps, { email_address: email_address.toUpperCase(), password: PASSWORD })
  expect([status, body.errors]).toMatchObject([
    422,
    [{ code: 'form_identifier_exists', meta: { param_name: 'email_address' } }],
  ])
})

test.each([
  ['a short password', { password: '1234567' }, 'form_password_length_too_short', 'password'],
  ['a password beyond what is hashed', { password: 'x'.repeat(73) }, 'form_password_length_too_long', 'password'],
  ['what is no address', { email_address: 'ada' }, 'form_param_format_invalid', 'email_address'],
  ['text that cannot be kept', { first_name: 'A\u0000da' }, 'form_param_format_invalid', 'first_name'],
])('%s is refused at its field', async (_what, wrong, code, param_name) => {
  const fields = { email_address: anAddress(), password: PASSWORD, ...wrong }
  const { status, body } = await clerk.newBrowser().post(signUps, fields)
  expect([status, body.errors]).toMatchObject([422, [{ code, meta: { param_name } }]])
})

test('of several who verify one address at once, one gets it', async () => {
  const email_address = anAddress()
  const begun = await Promise.all([1, 2, 3].map(() => beginSignUp(clerk.newBrowser(), email_address)))
  const answers = await Promise.all(begun.map(({ attempt }) => attempt('424242')))

  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.map(({ body }) => body.errors?.[0]?.code)).toEqual([
    'form_identifier_exists',
    'form_identifier_exists',
  ])
})

test('another address for the same sign-up has to be verified anew', async () => {
  const browser = clerk.newBrowser()
  const { path, attempt } = await beginSignUp(browser)
  const email_address = anAddress()
  const changed = await browser.post(path, { email_address }, { method: 'PATCH' })
  expect(changed.body.response).toMatchObject({ email_address, verifications: { email_address: { strategy: null } } })
  expect((await attempt('424242')).body.errors).toMatchObject([{ code: 'verification_missing' }])
})

test('a password can follow after the address is verified', async () => {
  const browser = clerk.newBrowser()
  const { body } = await browser.post(signUps, { email_address: anAddress() })
  expect(body.response).toMatchObject({ missing_fields: ['password'] })
  const path = `${signUps}/${body.response?.id}`
  await browser.post(`${path}/prepare_verification`, { strategy: 'email_code' })
  const verified = await browser.post(`${path}/attempt_verification`, { strategy: 'email_code', code: '424242' })
  expect(verified.body.response).toMatchObject({ status: 'missing_requirements', unverified_fields: [] })

  const done = await browser.post(path, { password: PASSWORD }, { method: 'PATCH' })
  expect(done.body.response).toMatchObject({ status: 'complete' })
})

test('a finished sign-up cannot be used again', async () => {
  const browser = clerk.newBrowser()
  const { attempt } = await beginSignUp(browser)
  await attempt('424242')
  expect((await attempt('424242')).body.errors).toMatchObject([{ code: 'verification_already_verified' }])
})

test('a sign-up belongs to the browser that began it', async () => {
  const { path } = await beginSignUp(clerk.newBrowser())
  const stranger = clerk.newBrowser()
  await beginSignUp(stranger)
  expect((await stranger.get(path)).status).toBe(404)
  const tried = await stranger.post(`${path}/attempt_verification`, { strategy: 'email_code', code: '424242' })
  expect(tried.status).toBe(404)
})

test('who is signed in cannot sign up again', async () => {
  const browser = clerk.newBrowser()
  await signUp(browser)
  const { status, body } = await browser.post(signUps, { email_address: anAddress(), password: PASSWORD })
  expect([status, body.errors?.[0]?.code]).toEqual([400, 'session_exists'])
})
