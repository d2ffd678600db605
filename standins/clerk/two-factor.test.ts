import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  beginSignIn,
  mailedCode,
  PASSWORD,
  signUp,
  signUpWithApp,
  startClerk,
  type ClerkServer,
} from '#support/clerk.ts'
import { totpNow } from '#support/totp.ts'

let clerk: ClerkServer
beforeAll(async () => {
  clerk = await startClerk()
})
afterAll(() => clerk.stop())

/** The same person on another device, as far as the password gets them. */
async function elsewhere(identifier: string) {
  const browser = clerk.newBrowser()
  const { body } = await browser.post('/v1/client/sign_ins', { identifier, password: PASSWORD })
  const path = `/v1/client/sign_ins/${body.response?.id}/attempt_second_factor`
  const attempt = (strategy: string, code: string) => browser.post(path, { strategy, code })
  return { browser, begun: body.response, attempt }
}

const codeOf = ({ body }: { body: { errors?: { code: string }[] | undefined } }) => body.errors?.[0]?.code

test('an app is set up by its first code, and the user then has two factors and backup codes', async () => {
  const browser = clerk.newBrowser()
  const { sessionId } = await signUp(browser)
  const me = (path = '') => `/v1/me${path}?_clerk_session_id=${sessionId}`
  const begun = await browser.post(me('/totp'))
  expect(begun.body.response).toMatchObject({
    object: 'totp',
    verified: false,
    uri: expect.stringMatching(/^otpauth:/),
  })
  expect(codeOf(await browser.post(me('/totp/attempt_verification'), { code: '000000' }))).toBe('form_code_incorrect')
  expect((await browser.get(me())).body.response).toMatchObject({ two_factor_enabled: false })

  const code = totpNow(begun.body.response?.secret ?? '')
  const { body } = await browser.post(me('/totp/attempt_verification'), { code })
  expect(body.response).toMatchObject({ object: 'totp', verified: true, backup_codes: { length: 10 } })
  expect(body.response).not.toHaveProperty('secret')
  expect((await browser.get(me())).body.response).toMatchObject({
    totp_enabled: true,
    backup_code_enabled: true,
    two_factor_enabled: true,
  })
})

test('nothing that opens an account stands in the database as it is typed', async () => {
  const { email_address, backupCodes } = await signUpWithApp(clerk.newBrowser())
  const found = await clerk.pool.query('select * from standin.clerk_users where email_address = $1', [email_address])
  expect(backupCodes).toHaveLength(10)
  for (const code of backupCodes) expect(JSON.stringify(found.rows)).not.toContain(code)
})

test('signing in then takes the password and a code of the app', async () => {
  const { email_address, secret } = await signUpWithApp(clerk.newBrowser())
  const { begun, attempt, browser } = await elsewhere(email_address)
  expect(begun).toMatchObject({
    status: 'needs_second_factor',
    created_session_id: null,
    supported_second_factors: [{ strategy: 'totp' }, { strategy: 'backup_code' }],
  })
  expect((await browser.get('/v1/client')).body.response).toMatchObject({ sessions: [] })
  expect(codeOf(await attempt('totp', '000000'))).toBe('form_code_incorrect')
  const { body } = await attempt('totp', totpNow(secret, 1))
  expect(body.response).toMatchObject({ status: 'complete', created_session_id: expect.stringMatching(/^sess_/) })
  expect(body.client?.sessions).toMatchObject([{ factor_verification_age: [0, 0] }])
})

test('a code of the app opens once', async () => {
  const { email_address, secret } = await signUpWithApp(clerk.newBrowser())
  const code = totpNow(secret, 1)
  expect((await (await elsewhere(email_address)).attempt('totp', code)).body.response?.status).toBe('complete')
  expect(codeOf(await (await elsewhere(email_address)).attempt('totp', code))).toBe('form_code_incorrect')
})

test('once the sign-ins count as older, the code that the app shows now counts', async () => {
  const { email_address, secret } = await signUpWithApp(clerk.newBrowser())
  const { attempt, browser } = await elsewhere(email_address)
  expect((await attempt('totp', totpNow(secret, 1))).body.response?.status).toBe('complete')
  await browser.post('/dev/age-sign-ins', { minutes: '1' })
  const again = await elsewhere(email_address)
  expect((await again.attempt('totp', totpNow(secret))).body.response?.status).toBe('complete')
})

test('a backup code opens once, however it is typed', async () => {
  const { email_address, backupCodes } = await signUpWithApp(clerk.newBrowser())
  const [code = ''] = backupCodes
  const typed = ` ${code.slice(0, 5).toUpperCase()}-${code.slice(5)} `
  expect((await (await elsewhere(email_address)).attempt('backup_code', typed)).body.response?.status).toBe('complete')
  expect(codeOf(await (await elsewhere(email_address)).attempt('backup_code', code))).toBe('form_code_incorrect')
})

test('five wrong codes end the sign-in', async () => {
  const { email_address, secret } = await signUpWithApp(clerk.newBrowser())
  const { attempt } = await elsewhere(email_address)
  for (let wrong = 0; wrong < 5; wrong += 1) await attempt('totp', '000000')
  expect(codeOf(await attempt('totp', totpNow(secret, 1)))).toBe('verification_failed')
})

test.each(['totp', 'backup_code'] as const)(
  'one %s opens one of two browsers that send it at once',
  async (strategy) => {
    const { email_address, secret, backupCodes } = await signUpWithApp(clerk.newBrowser())
    const code = strategy === 'totp' ? totpNow(secret, 1) : (backupCodes[0] ?? '')
    const begun = [await elsewhere(email_address), await elsewhere(email_address), await elsewhere(email_address)]
    const answers = await Promise.all(begun.map(({ attempt }) => attempt(strategy, code)))
    expect(answers.filter(({ body }) => body.response?.status === 'complete')).toHaveLength(1)
    expect(answers.map(codeOf).filter((error) => error === 'form_code_incorrect')).toHaveLength(2)
  },
)

test('ten wrong codes lock the user for an hour, in whichever sign-ins they were tried', async () => {
  const { email_address, secret, backupCodes } = await signUpWithApp(clerk.newBrowser())
  for (let wrong = 0; wrong < 10; wrong += 5) {
    const { attempt } = await elsewhere(email_address)
    for (const code of ['000000', '000001', '000002', '000003', '000004']) await attempt('totp', code)
  }
  const { attempt } = await elsewhere(email_address)
  const refused = await attempt('totp', totpNow(secret, 1))
  expect([refused.status, codeOf(refused)]).toEqual([403, 'user_locked'])
  expect(codeOf(await attempt('backup_code', backupCodes[0] ?? ''))).toBe('user_locked')
  const unlocked = `update standin.clerk_users set locked_until = locked_until - interval '1 hour' where email_address = $1`
  await clerk.pool.query(unlocked, [email_address])
  expect(codeOf(await attempt('totp', '000000'))).toBe('form_code_incorrect')
  expect((await attempt('totp', totpNow(secret, 1))).body.response?.status).toBe('complete')
})

test('neither a mailed code nor a new password is a way around the second factor', async () => {
  const { email_address, secret } = await signUpWithApp(clerk.newBrowser())
  const byCode = await beginSignIn(clerk.newBrowser(), email_address)
  await byCode.prepare('email_code')
  const proven = await byCode.attempt({ strategy: 'email_code', code: mailedCode(clerk, email_address) })
  expect(proven.body.response?.status).toBe('needs_second_factor')
  expect(codeOf(await byCode.attempt({ strategy: 'password', password: PASSWORD }))).toBe(
    'verification_already_verified',
  )

  const browser = clerk.newBrowser()
  const reset = await beginSignIn(browser, email_address)
  await reset.prepare('reset_password_email_code')
  await reset.attempt({ strategy: 'reset_password_email_code', code: mailedCode(clerk, email_address) })
  expect((await reset.reset({ password: 'another horse battery' })).body.response?.status).toBe('needs_second_factor')
  const attempt = { strategy: 'totp', code: totpNow(secret, 1) }
  expect((await browser.post(`${reset.path}/attempt_second_factor`, attempt)).body.response?.status).toBe('complete')
})

test('new backup codes replace the old ones', async () => {
  const browser = clerk.newBrowser()
  const { email_address, me, backupCodes } = await signUpWithApp(browser)
  const { body } = await browser.post(me('/backup_codes/'))
  expect(body.response).toMatchObject({ object: 'backup_code', codes: { length: 10 } })
  const attempt = async (code = 'none') => (await elsewhere(email_address)).attempt('backup_code', code)
  expect(codeOf(await attempt(backupCodes[0]))).toBe('form_code_incorrect')
  expect((await attempt(body.response?.codes?.[0])).body.response?.status).toBe('complete')
})

test('turned off, the password is enough again', async () => {
  const browser = clerk.newBrowser()
  const { email_address, me } = await signUpWithApp(browser)
  expect((await browser.post(me('/totp'), {}, { method: 'DELETE' })).body.response).toMatchObject({ deleted: true })
  expect((await elsewhere(email_address)).begun?.status).toBe('complete')
})

test('the second factor is changed only by somebody who has signed in lately', async () => {
  const browser = clerk.newBrowser()
  const { me } = await signUpWithApp(browser)
  await browser.post('/dev/age-sign-ins', { minutes: '10' })
  for (const refused of [
    await browser.post(me('/totp'), {}, { method: 'DELETE' }),
    await browser.post(me('/totp')),
    await browser.post(me('/backup_codes/')),
  ]) {
    expect([refused.status, codeOf(refused)]).toEqual([403, 'session_reverification_required'])
  }
})

test('a database from before learns of second factors', async () => {
  await clerk.pool.query(`alter table standin.clerk_users drop column totp_secret, drop column backup_code_hashes`)
  await clerk.pool.query(`alter table standin.clerk_sessions drop column verification, drop column second_factor_at`)
  await clerk.stop()
  clerk = await startClerk()
  await expect(signUpWithApp(clerk.newBrowser())).resolves.toMatchObject({ backupCodes: { length: 10 } })
})
