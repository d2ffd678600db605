import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailedCode, signUp, startClerk, type ClerkServer } from '#support/clerk.ts'

let clerk: ClerkServer
beforeAll(async () => {
  clerk = await startClerk()
})
afterAll(() => clerk.stop())

/** Somebody who is signed in with an address that nobody has verified. */
async function unverified() {
  const browser = clerk.newBrowser()
  const { email_address, sessionId } = await signUp(browser)
  await browser.post(`/dev/unverify-address?_clerk_session_id=${sessionId}`)
  const { rows } = await clerk.pool.query<{ id: string; user: string }>(
    'select email_address_id as id, id as user from standin.clerk_users where email_address = $1',
    [email_address],
  )
  const query = `?_clerk_session_id=${sessionId}`
  const path = `/v1/me/email_addresses/${rows[0]?.id}`
  return {
    browser,
    email_address,
    path,
    me: async () => (await browser.get(`/v1/me${query}`)).body.response,
    prepare: () => browser.post(`${path}/prepare_verification${query}`, { strategy: 'email_code' }),
    attempt: (code: string) => browser.post(`${path}/attempt_verification${query}`, { code }),
  }
}

const stateOf = (status: string) => ({ email_addresses: [{ verification: { status } }] })

test('an address is verified by the code that went there, and once', async () => {
  const person = await unverified()
  expect(await person.me()).toMatchObject(stateOf('unverified'))
  expect((await person.attempt('424242')).body.errors).toMatchObject([{ code: 'verification_missing' }])
  await person.prepare()
  expect((await person.attempt('000000')).body.errors).toMatchObject([
    { code: 'form_code_incorrect', meta: { param_name: 'code' } },
  ])
  expect(await person.me()).toMatchObject(stateOf('unverified'))
  const { body } = await person.attempt(mailedCode(clerk, person.email_address))
  expect(body.response).toMatchObject({ object: 'email_address', verification: { status: 'verified' } })
  expect(body.client?.sessions).toMatchObject([{ user: stateOf('verified') }])
  expect((await person.prepare()).body.errors).toMatchObject([{ code: 'verification_already_verified' }])
})

test('a new code takes the place of the one before, and ends its wrong tries', async () => {
  const person = await unverified()
  await person.prepare()
  const first = mailedCode(clerk, person.email_address)
  for (let tries = 0; tries < 5; tries += 1) await person.attempt('000000')
  expect((await person.attempt(first)).body.errors).toMatchObject([{ code: 'verification_failed' }])
  await person.prepare()
  await person.attempt(mailedCode(clerk, person.email_address))
  expect(await person.me()).toMatchObject(stateOf('verified'))
})

test("nobody verifies somebody else's address", async () => {
  const person = await unverified()
  const stranger = clerk.newBrowser()
  const { sessionId } = await signUp(stranger)
  const tried = await stranger.post(`${person.path}/prepare_verification?_clerk_session_id=${sessionId}`, {
    strategy: 'email_code',
  })
  expect([tried.status, tried.body.errors?.[0]?.code]).toEqual([404, 'resource_not_found'])
})
