import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { call, useApp } from '#support/app.ts'
import { useWorld } from '#support/world.ts'
import { tokenCheck } from './token-check.ts'

const world = useWorld()
const ours = generateKeyPairSync('rsa', { modulusLength: 2048 })
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKey = ours.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const ORIGIN = 'http://localhost:3000'
const verifyToken = tokenCheck({
  findKey: async () => publicKey,
  issuer: 'https://clerk.local.test',
  authorizedParties: [ORIGIN],
})
const server = useApp(world, { verifyToken })

const seconds = () => Math.floor(Date.now() / 1000)
const claims = (changes: object = {}) => ({
  azp: ORIGIN,
  exp: seconds() + 60,
  iat: seconds(),
  iss: 'https://clerk.local.test',
  nbf: seconds() - 10,
  sid: 'sess_1',
  sub: 'user_known',
  ...changes,
})
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

function signed(changes: object = {}, { header = {}, key = ours.privateKey } = {}) {
  const text = `${encode({ alg: 'RS256', kid: 'ins_1', typ: 'JWT', ...header })}.${encode(claims(changes))}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
}

function withHmacOfThePublicKey() {
  const text = `${encode({ alg: 'HS256', kid: 'ins_1', typ: 'JWT' })}.${encode(claims())}`
  return `${text}.${createHmac('sha256', publicKey).update(text).digest('base64url')}`
}

async function knownAccount() {
  await world.db.system.query(`insert into accounts (clerk_user_id, email) values ('user_known', 'k@example.com')`)
}

test('a session token of ours is let in', async () => {
  await knownAccount()
  const headers = { authorization: `Bearer ${signed()}` }
  // 402: known, but without a subscription.
  expect(await call(server, { url: '/customers', headers })).toMatchObject({ status: 402 })
})

test.each([
  [{ fva: [3, -1] }, [3, -1]],
  [{}, undefined],
  [{ fva: 'lately' }, undefined],
])('of %j the age of the factors is %j', async (told, factorAge) => {
  expect(await verifyToken(signed(told))).toMatchObject({ userId: 'user_known', factorAge })
})

describe('is 401 and nothing else', () => {
  const wholeHeader = encode({ alg: 'none', typ: 'JWT' })
  test.each([
    ['a token signed by another key', () => signed({}, { key: foreign.privateKey })],
    ['an expired token', () => signed({ exp: seconds() - 60, iat: seconds() - 120, nbf: seconds() - 130 })],
    ['a token that is not valid yet', () => signed({ nbf: seconds() + 600 })],
    ['a token made for another origin', () => signed({ azp: 'https://evil.test' })],
    ['a token that names no origin', () => signed({ azp: undefined })],
    ['a token for another audience', () => signed({ aud: 'https://other.test' })],
    ['a token of another issuer', () => signed({ iss: 'https://clerk.evil.test' })],
    ['a token that names no issuer', () => signed({ iss: undefined })],
    ['a token that demands what is not understood', () => signed({}, { header: { crit: ['exp'], exp: 1 } })],
    ['a token that names no key', () => signed({}, { header: { kid: undefined } })],
    ['a token of a session that is still pending', () => signed({ sts: 'pending' })],
    ['alg none with an empty signature', () => `${wholeHeader}.${encode(claims())}.`],
    ['alg none with a signature', () => signed({}, { header: { alg: 'none' } })],
    ['the public key used as an HMAC secret', withHmacOfThePublicKey],
    ['a token with a changed user', () => signed().replace(/\.[^.]+\./, `.${encode(claims({ sub: 'user_2' }))}.`)],
    ['garbage', () => 'garbage'],
    ['an unknown API key', () => 'traxx_unknown'],
    ['a very long token', () => 'x'.repeat(8000)],
  ])('%s', async (_what, token) => {
    await knownAccount()
    for (const url of ['/customers', '/dashboard', '/trpc/customers.figures']) {
      const answer = await call(server, { url, headers: { authorization: `Bearer ${token()}` } })
      expect(answer.status).toBe(401)
    }
    const { rows } = await world.db.system.query('select clerk_user_id from accounts')
    expect(rows).toEqual([{ clerk_user_id: 'user_known' }])
  })
})

test('a session cookie alone opens no call', async () => {
  await knownAccount()
  expect(await call(server, { url: '/customers', headers: { cookie: `__session=${signed()}` } })).toMatchObject({
    status: 401,
  })
})

describe('the landing page, whose visitor sends nothing but cookies', () => {
  const SIGNED_IN = '__client_uat=1795286841'
  const past = { exp: seconds() - 86_400, iat: seconds() - 86_460, nbf: seconds() - 86_470 }
  const visit = async (...cookies: string[]) => {
    await knownAccount()
    const { statusCode, headers, body } = await server.app.inject({ url: '/', headers: { cookie: cookies.join('; ') } })
    return { status: statusCode, leadsTo: headers.location, link: /<a href="([^"]+)"/.exec(body)?.[1] }
  }

  test('still knows them when the token of a minute has run out', async () => {
    expect(await visit(SIGNED_IN, `__session=${signed(past)}`)).toMatchObject({
      status: 302,
      leadsTo: '/checkout?trial=true',
    })
    await world.db.system.query(
      `with subscriber as (insert into accounts (clerk_user_id, email) values ('user_past', 'p@example.com') returning id)
        insert into subscriptions (account_id, stripe_subscription_id, status, ever_paid_or_trialed, synced_at)
        select id, 'sub_1', 'active', true, now() from subscriber`,
    )
    const token = signed({ ...past, sub: 'user_past' })
    const { body } = await server.app.inject({ url: '/', headers: { cookie: `${SIGNED_IN}; __session=${token}` } })
    expect(body).toContain('href="/dashboard"')
  })

  test.each([
    ['nothing', [], '/sign-in'],
    ['a past token of a browser that has signed out', ['__client_uat=0', `__session=${signed(past)}`], '/sign-in'],
    ['a past token alone', [`__session=${signed(past)}`], '/sign-in'],
    ['only that the browser is signed in', [SIGNED_IN], '/dashboard'],
    [
      'a past token that is forged',
      [SIGNED_IN, `__session=${signed(past, { key: foreign.privateKey })}`],
      '/dashboard',
    ],
    [
      'a past token for elsewhere',
      [SIGNED_IN, `__session=${signed({ ...past, azp: 'https://evil.test' })}`],
      '/dashboard',
    ],
  ] as const)('knows nobody by %s, and links where it fits', async (_what, cookies, link) => {
    expect(await visit(...cookies)).toEqual({ status: 200, leadsTo: undefined, link })
  })

  test('remembers no token that has run out: it opens no call afterwards', async () => {
    const token = signed(past)
    await visit(SIGNED_IN, `__session=${token}`)
    const answer = await call(server, { url: '/account', headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(401)
  })
})
