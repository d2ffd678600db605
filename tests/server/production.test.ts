import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, startApp, WORKER, type AppProcess } from '#support/app-process.ts'
import { workerConnection } from '#support/database.ts'
import { urlOf } from '#support/full-server.ts'
import { aPublicKey, aSigningKey } from '#support/public-key.ts'

const port = await freePort()
const url = `http://127.0.0.1:${port}`
let app: AppProcess
let variables: Record<string, string>

/** Prints each module of ours that Node loads. */
const LOADED = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (url.includes('node_modules') || console.log('loaded', url), next(url, context)) })`

beforeAll(async () => {
  variables = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: 'https://traxx.example',
    DATABASE_URL: urlOf(await workerConnection()),
    CLERK_PUBLISHABLE_KEY: `pk_live_${Buffer.from('clerk.traxx.example$').toString('base64')}`,
    CLERK_SECRET_KEY: 'sk_live_nobody',
    CLERK_JWT_KEY: aPublicKey(),
    PROOF_SIGNING_KEY: aSigningKey(),
    STRIPE_SECRET_KEY: 'sk_live_nobody',
    STRIPE_WEBHOOK_SECRET: 'whsec_nobody',
    SMTP_URL: 'smtps://127.0.0.1:9',
    MAIL_FROM: 'TRAXX <hello@traxx.example>',
  }
  app = startApp({ ...variables, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LOADED)}` })
  await app.says('TRAXX is ready at')
})

afterAll(async () => {
  app.child.kill('SIGTERM')
  expect(await app.ended).toBe(0)
})

test.each(['/__clerk/v1/client', '/__clerk/v1/environment', '/v1/customers', '/__stripe/clock', '/dev/mailbox'])(
  'in production no stand-in answers at %s',
  async (path) => {
    const answer = await fetch(url + path, { headers: { authorization: 'Bearer sk_live_nobody' } })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ error: 'Nothing was found at this address', refusal: 'PATH_NOT_FOUND' })
  },
)

test('in production no module of a stand-in is loaded', () => {
  expect(app.output()).toContain('/src/server/boot/start-server.ts')
  expect(app.output()).not.toContain('/standins/')
})

test('in production the demo account does not exist, and none is named on the console', async () => {
  expect(app.output()).not.toContain('demo')
})

test('in production /debug is an address like any other', async () => {
  const call = await fetch(`${url}/debug`)
  expect(call.status).toBe(404)
  const [debug, other] = await Promise.all(
    ['/debug', '/no/such/page'].map(async (path) => {
      const answer = await fetch(url + path, { headers: { accept: 'text/html' } })
      return (await answer.text()).replaceAll(/nonce="[^"]+"/g, '')
    }),
  )
  expect(debug).toBe(other)
  expect(debug).not.toContain('CLERK_SECRET_KEY')
})

test("in production scripts come from our origin and the identity provider's alone", async () => {
  const answer = await fetch(`${url}/sign-in`, { headers: { accept: 'text/html' } })
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(
    /script-src 'self' 'nonce-[^']+' https:\/\/clerk\.traxx\.example https:\/\/challenges\.cloudflare\.com;/,
  )
})

test('in production browsers are told to come by https alone', async () => {
  for (const path of ['/', '/customers', '/nothing']) {
    expect((await fetch(url + path)).headers.get('strict-transport-security')).toBe('max-age=31536000')
  }
})

const ONE_LOGIN =
  'The server logs in to the database as the owner of its tables. Set SYSTEM_DATABASE_URL and MIGRATION_DATABASE_URL'

test("in production one owner's login is enough, and is warned of", () => {
  expect(app.output()).toContain(ONE_LOGIN)
})

test('the worker warns of it, too', async () => {
  const worker = startApp(variables, WORKER)
  await worker.says('TRAXX plans and sends reminders')
  worker.child.kill('SIGTERM')
  expect(await worker.ended).toBe(0)
  expect(worker.output()).toContain(ONE_LOGIN)
})
