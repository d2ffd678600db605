import { expect, test } from 'vitest'
import type { FactorAge } from '#server/context.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aContract, anAccount, anApiKey, useWorld } from '#support/world.ts'
import { requireRecentSignIn } from './reverification.ts'

const world = useWorld()
const server = useApp(world)

/** As Clerk's SDK expects it, in its `useReverification` and elsewhere. */
const CLERK_ERROR = {
  type: 'forbidden',
  reason: 'reverification-error',
  metadata: { reverification: 'strict' },
}
const ERROR = "Please confirm it's you. You signed in more than 10 minutes ago"

test.each<[string, FactorAge | undefined, boolean]>([
  ['the password of just now', [0, -1], true],
  ['the password of nine minutes ago', [9, -1], true],
  ['the password of ten minutes ago', [10, -1], false],
  ['a second factor of just now, and a password of last week', [10_000, 3], true],
  ['a password of just now, and a second factor of an hour ago', [0, 60], false],
  ['no factor at all', [-1, -1], false],
  ['a token that says nothing of it', undefined, false],
])('%s', (_what, factorAge, isEnough) => {
  const check = () => requireRecentSignIn({ viaApiKey: false, factorAge })
  expect(outcomeOf(check)).toBe(isEnough ? undefined : 'REVERIFICATION_REQUIRED')
})

function outcomeOf(check: () => void): unknown {
  try {
    return check()
  } catch (error) {
    return error instanceof Error && 'key' in error ? error.key : error
  }
}

const ACTS = [
  ['making an API key', 'POST', '/api-keys', { name: 'Script' }, 'identity.createApiKey'],
  ['exporting everything', 'GET', '/export', undefined, undefined],
  ['deleting the account', 'DELETE', '/account', { email: 'nobody@example.com' }, 'identity.deleteAccount'],
] as const

test.each(ACTS)('%s takes a sign-in of the last ten minutes', async (_what, method, url, payload, procedure) => {
  const request = await anAccount(world)
  await aContract(request)
  const { authorization } = bearer(request)
  const send = { method, ...(payload && { payload }) }
  const stale = await call(server, { ...send, url, headers: { authorization: `${authorization}:10` } })
  expect(stale).toMatchObject({ status: 403, body: { error: ERROR, clerk_error: CLERK_ERROR } })
  const fresh = await server.app.inject({ ...send, url, headers: { authorization: `${authorization}:9` } })
  expect(fresh.statusCode).not.toBe(403)

  if (!procedure) return
  const viaTrpc = { method: 'POST', url: `/trpc/${procedure}`, payload: { json: payload } } as const
  expect(await call(server, { ...viaTrpc, headers: { authorization: `${authorization}:10` } })).toMatchObject({
    status: 403,
    body: {
      error: { json: { message: ERROR, data: { refusal: 'REVERIFICATION_REQUIRED', clerk_error: CLERK_ERROR } } },
    },
  })
})

test('an API key of scope all exports everything: making it took a recent sign-in', async () => {
  const request = await anAccount(world)
  const headers = { authorization: `Bearer ${await anApiKey(request)}` }
  expect((await server.app.inject({ url: '/export', headers })).statusCode).toBe(200)
})

test('nothing else asks for it', async () => {
  const request = await anAccount(world)
  const headers = { authorization: `${bearer(request).authorization}:5000` }
  for (const url of ['/customers', '/customers/export.csv', '/api-keys', '/account']) {
    expect((await server.app.inject({ url, headers })).statusCode).toBe(200)
  }
})
