import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyToken } from '@clerk/fastify'
import {
  mailedCode,
  PASSWORD,
  signUp,
  signUpWithApp,
  startClerk,
  type ClerkBrowser,
  type ClerkServer,
} from '#support/clerk.ts'
import { totpNow } from '#support/totp.ts'

let clerk: ClerkServer
beforeAll(async () => {
  clerk = await startClerk()
})
afterAll(() => clerk.stop())

/** A session whose sign-in was half an hour ago. */
async function anOldSession(begin: typeof signUp | typeof signUpWithApp = signUp) {
  const browser = clerk.newBrowser()
  const person = await begin(browser)
  await browser.post('/dev/age-sign-ins', { minutes: '30' })
  const path = `/v1/client/sessions/${person.sessionId}/verify`
  return {
    ...person,
    browser,
    secret: 'secret' in person ? person.secret : '',
    begin: (level: string) => browser.post(path, { level }),
    prepare: () => browser.post(`${path}/prepare_first_factor`, { strategy: 'email_code' }),
    first: (fields: Record<string, string>) => browser.post(`${path}/attempt_first_factor`, fields),
    second: (fields: Record<string, string>) => browser.post(`${path}/attempt_second_factor`, fields),
    age: () => ageIn(browser, person.sessionId),
  }
}

/** What the session's next token says of its factors. */
async function ageIn(browser: ClerkBrowser, sessionId: string) {
  const { body } = await browser.post(`/v1/client/sessions/${sessionId}/tokens`)
  return (await verifyToken(body.jwt ?? '', { jwtKey: clerk.standin.jwtKey })).fva
}

const codeOf = ({ body }: { body: { errors?: { code: string }[] | undefined } }) => body.errors?.[0]?.code
const byPassword = { strategy: 'password', password: PASSWORD }

test('tokens say how long ago the factors were given, and the password makes a session fresh again', async () => {
  const { begin, first, age } = await anOldSession()
  expect(await age()).toEqual([30, -1])
  const begun = await begin('second_factor')
  expect(begun.body.response).toMatchObject({
    status: 'needs_first_factor',
    level: 'second_factor',
    supported_first_factors: [{ strategy: 'password' }, { strategy: 'email_code' }],
    supported_second_factors: null,
  })
  expect(codeOf(await first({ strategy: 'password', password: 'wrong' }))).toBe('form_password_incorrect')
  expect(await age()).toEqual([30, -1])
  const { body } = await first(byPassword)
  expect(body.response).toMatchObject({ status: 'complete', session: { factor_verification_age: [0, -1] } })
  expect(body.client?.sessions).toMatchObject([{ factor_verification_age: [0, -1] }])
  expect(await age()).toEqual([0, -1])
})

test('a mailed code does as well', async () => {
  const { begin, prepare, first, age, email_address } = await anOldSession()
  await begin('first_factor')
  expect(codeOf(await first({ strategy: 'email_code', code: '123456' }))).toBe('verification_missing')
  await prepare()
  const { body } = await first({ strategy: 'email_code', code: mailedCode(clerk, email_address) })
  expect(body.response?.status).toBe('complete')
  expect(await age()).toEqual([0, -1])
})

test('who has a second factor gives that one', async () => {
  const { begin, first, second, age, secret } = await anOldSession(signUpWithApp)
  expect((await begin('second_factor')).body.response).toMatchObject({
    status: 'needs_second_factor',
    supported_second_factors: [{ strategy: 'totp' }, { strategy: 'backup_code' }],
  })
  expect(codeOf(await first(byPassword))).toBe('verification_missing')
  expect(codeOf(await second({ strategy: 'totp', code: '000000' }))).toBe('form_code_incorrect')
  expect((await second({ strategy: 'totp', code: totpNow(secret, 1) })).body.response?.status).toBe('complete')
  expect(await age()).toEqual([30, 0])
})

test('both are given where both are asked for', async () => {
  const { begin, first, second, age, backupCodes } = { backupCodes: [''], ...(await anOldSession(signUpWithApp)) }
  expect((await begin('multi_factor')).body.response?.status).toBe('needs_first_factor')
  expect((await first(byPassword)).body.response?.status).toBe('needs_second_factor')
  const code = backupCodes[0] ?? ''
  expect((await second({ strategy: 'backup_code', code })).body.response?.status).toBe('complete')
  expect(await age()).toEqual([0, 0])
})

test('five wrong tries end it, and it can be begun anew', async () => {
  const { begin, first } = await anOldSession()
  await begin('first_factor')
  for (let wrong = 0; wrong < 5; wrong += 1) await first({ strategy: 'password', password: 'wrong' })
  expect(codeOf(await first(byPassword))).toBe('verification_failed')
  await begin('first_factor')
  expect((await first(byPassword)).body.response?.status).toBe('complete')
})

test('begun anew, it gives no more codes to guess: ten wrong ones lock the user', async () => {
  const { begin, second, secret } = await anOldSession(signUpWithApp)
  for (let wrong = 0; wrong < 10; wrong += 1) {
    if (wrong % 5 === 0) await begin('second_factor')
    await second({ strategy: 'totp', code: '000000' })
  }
  await begin('second_factor')
  expect(codeOf(await second({ strategy: 'totp', code: totpNow(secret, 1) }))).toBe('user_locked')
})

test('nothing is proven before it is begun, nor in the session of somebody else', async () => {
  const { sessionId, first } = await anOldSession()
  expect(codeOf(await first(byPassword))).toBe('verification_missing')
  const stranger = clerk.newBrowser()
  await signUp(stranger)
  const refused = await stranger.post(`/v1/client/sessions/${sessionId}/verify`, { level: 'first_factor' })
  expect([refused.status, codeOf(refused)]).toEqual([401, 'authentication_invalid'])
})
