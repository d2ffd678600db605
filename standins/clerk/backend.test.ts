import { createClerkClient } from '@clerk/fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAddress, PASSWORD, signUp, startClerk, type ClerkServer } from '#support/clerk.ts'

let clerk: ClerkServer
beforeAll(async () => {
  clerk = await startClerk()
})
afterAll(() => clerk.stop())

/** The real SDK of the app's server. */
function backend(secretKey = clerk.standin.secretKey) {
  const { publishableKey } = clerk.standin
  return createClerkClient({ publishableKey, secretKey, apiUrl: clerk.apiUrl, telemetry: { disabled: true } })
}

test('a user who signed up can be read', async () => {
  const { email_address, done } = await signUp(clerk.newBrowser())
  const user = await backend().users.getUser(String(done.body.response?.['created_user_id']))
  expect(user.primaryEmailAddress?.emailAddress).toBe(email_address)
  expect(user).toMatchObject({ passwordEnabled: true, firstName: null, hasImage: false, banned: false })
  expect(user.createdAt).toBeGreaterThan(Date.now() - 60_000)
})

test('a user can be made, and signs in', async () => {
  const identifier = anAddress()
  const user = await backend().users.createUser({
    emailAddress: [identifier.toUpperCase()],
    password: 'demo',
    skipPasswordChecks: true,
    firstName: 'Demo',
    lastName: 'Account',
  })
  expect(user).toMatchObject({ fullName: 'Demo Account', passwordEnabled: true })
  const { body } = await clerk.newBrowser().post('/v1/client/sign_ins', { identifier, password: 'demo' })
  expect(body.client?.sessions).toMatchObject([{ user: { id: user.id } }])
})

test('a made user needs an address of its own and a good password', async () => {
  const taken = anAddress()
  const { users } = backend()
  await users.createUser({ emailAddress: [taken], password: PASSWORD })
  await expect(users.createUser({ emailAddress: [taken], password: PASSWORD })).rejects.toMatchObject({
    status: 422,
    errors: [{ code: 'form_identifier_exists' }],
  })
  await expect(users.createUser({ emailAddress: [anAddress()], password: 'short' })).rejects.toMatchObject({
    errors: [{ code: 'form_password_length_too_short' }],
  })
  await expect(users.createUser({ emailAddress: [anAddress()] })).rejects.toMatchObject({
    errors: [{ code: 'form_param_nil', meta: { paramName: 'password' } }],
  })
})

test('users are found by address, newest first', async () => {
  const { users } = backend()
  const [first, second] = [anAddress(), anAddress()]
  await users.createUser({ emailAddress: [first], password: PASSWORD })
  await users.createUser({ emailAddress: [second], password: PASSWORD })

  const one = await users.getUserList({ emailAddress: [first.toUpperCase()] })
  expect(one.data.map(({ primaryEmailAddress }) => primaryEmailAddress?.emailAddress)).toEqual([first])
  expect(one.totalCount).toBe(1)
  const both = await users.getUserList({ emailAddress: [first, second], limit: 1 })
  expect(both.data.map(({ primaryEmailAddress }) => primaryEmailAddress?.emailAddress)).toEqual([second])
  expect(both.totalCount).toBe(2)
  await expect(users.getUserList({ emailAddress: [anAddress()] })).resolves.toMatchObject({ data: [], totalCount: 0 })
})

test('a filter that the stand-in does not know refuses rather than finds everybody', async () => {
  await expect(backend().users.getUserList({ phoneNumber: ['+15550100'] })).rejects.toMatchObject({ status: 422 })
})

test('a user can be renamed and given a password', async () => {
  const identifier = anAddress()
  const { users } = backend()
  const { id } = await users.createUser({ emailAddress: [identifier], password: PASSWORD, firstName: 'Ada' })
  await users.updateUser(id, { lastName: 'Lovelace', password: 'another horse battery' })
  await expect(users.getUser(id)).resolves.toMatchObject({ fullName: 'Ada Lovelace' })
  const signIn = await clerk.newBrowser().post('/v1/client/sign_ins', { identifier, password: 'another horse battery' })
  expect(signIn.status).toBe(200)
})

test('a deleted user is gone, with its sessions', async () => {
  const browser = clerk.newBrowser()
  const { sessionId, done } = await signUp(browser)
  const id = String(done.body.response?.['created_user_id'])
  const { users } = backend()
  await expect(users.deleteUser(id)).resolves.toMatchObject({ id, deleted: true })
  await expect(users.getUser(id)).rejects.toMatchObject({ status: 404, errors: [{ code: 'resource_not_found' }] })
  await expect(users.updateUser(id, { firstName: 'Ada' })).rejects.toMatchObject({ status: 404 })
  await expect(users.deleteUser(id)).rejects.toMatchObject({ status: 404 })
  expect((await browser.post(`/v1/client/sessions/${sessionId}/tokens`)).status).toBe(401)
})

test("a user's sessions can be listed and revoked", async () => {
  const browser = clerk.newBrowser()
  const { sessionId, done } = await signUp(browser)
  const userId = String(done.body.response?.['created_user_id'])
  const { sessions } = backend()
  const listed = await sessions.getSessionList({ userId, status: 'active' })
  expect(listed).toMatchObject({ data: [{ id: sessionId, userId, status: 'active' }], totalCount: 1 })

  await expect(sessions.revokeSession(sessionId)).resolves.toMatchObject({ id: sessionId, status: 'revoked' })
  await expect(sessions.getSession(sessionId)).resolves.toMatchObject({ status: 'revoked' })
  await expect(sessions.getSessionList({ userId, status: 'active' })).resolves.toMatchObject({ totalCount: 0 })
  expect((await browser.post(`/v1/client/sessions/${sessionId}/touch`)).status).toBe(401)
})

test.each([
  ['another key', 'sk_test_somebody_else'],
  ['the publishable key', 'pk_test_Y2xlcmsubG9jYWwudGVzdCQ='],
])('%s is refused', async (_what, secretKey) => {
  await expect(backend(secretKey).users.getUserList()).rejects.toMatchObject({
    status: 401,
    errors: [{ code: 'clerk_key_invalid' }],
  })
})

test('a call without a key is refused', async () => {
  expect((await fetch(`${clerk.apiUrl}/v1/users`)).status).toBe(401)
  expect((await fetch(`${clerk.apiUrl}/v1/jwks`)).status).toBe(401)
})
