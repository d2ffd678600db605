import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { readEnv } from '#server/env.ts'
import type { RunningServer } from '#server/boot/local-environment.ts'
import { startServer } from '#server/boot/start-server.ts'
import { localEnvironment } from '#standins/main.ts'
import { freePort } from '#support/app-process.ts'
import { newBrowser } from '#support/clerk.ts'
import { aFolder, ask, cleanUp } from '#support/embedded-processes.ts'
import { trpcClient } from '#support/full-server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_SIGN_IN, openDemo } from './demo.ts'

const COUNTS = `
  select (select count(*)::int from accounts) as accounts, (select count(*)::int from customers) as customers,
    (select count(*)::int from contracts) as contracts, (select count(*)::int from notifications) as notifications,
    (select count(*)::int from subscriptions) as subscriptions,
    (select count(*)::int from standin.clerk_users) as users,
    (select count(*)::int from standin.stripe_objects where object = 'customer') as "stripeCustomers",
    (select count(*)::int from standin.stripe_objects where object = 'subscription') as "stripeSubscriptions"`
const ONE_DEMO = {
  accounts: 1,
  customers: 40,
  contracts: 120,
  notifications: 8,
  subscriptions: 1,
  users: 1,
  stripeCustomers: 1,
  stripeSubscriptions: 1,
}

let dataDir: string
let server: RunningServer

/** The demo's first creation fails halfway, as far as anybody can see of a power cut; the second goes on from there. */
beforeAll(async () => {
  dataDir = aFolder()
  server = await start()
  const broken = { ...server.services.files, write: () => Promise.reject(new Error('The disk is full')) }
  await expect(openDemo({ ...server, services: { ...server.services, files: broken } })).rejects.toThrow('disk is full')
  expect(await openDemo(server)).toEqual(DEMO_SIGN_IN)
})

afterAll(async () => {
  await server.stop()
  await cleanUp()
})

async function start(): Promise<RunningServer> {
  const port = String(await freePort())
  const env = readEnv({ NODE_ENV: 'test', DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'silent' })
  return startServer(env, { local: localEnvironment, pages: { folder: undefined, text: async (name) => name } })
}

/** A session token, got as the browser gets it. */
async function signIn(): Promise<string> {
  const browser = newBrowser(server.url)
  const { email: identifier, password } = DEMO_SIGN_IN
  const { body } = await browser.post('/v1/client/sign_ins', { identifier, password })
  const { body: token } = await browser.post(`/v1/client/sessions/${body.response?.created_session_id}/tokens`)
  return token.jwt ?? ''
}

async function counts(): Promise<unknown> {
  if (!server.embedded) return undefined
  const [row] = await ask(server.embedded.connection, COUNTS)
  return row
}

test('what was cut short is finished, and nothing is there twice', async () => {
  expect(await counts()).toEqual(ONE_DEMO)
})

test('the demo signs in as anybody does and is in its trial', async () => {
  const trpc = trpcClient(server.url, await signIn())
  expect(await trpc.billing.subscription.query()).toMatchObject({
    status: 'trialing',
    access: 'full',
    trialDaysLeft: 14,
  })
})

test('its account is in the time zone of this machine', async () => {
  const caller = await server.callers.find(await signIn())
  expect(caller?.timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
})

test('its dashboard has every figure', async () => {
  const dashboard = await trpcClient(server.url, await signIn()).dashboard.get.query()
  expect(dashboard).toMatchObject({ totalContracts: 120, totalCustomers: 40, overdue: 6, contractsPerCustomer: 3 })
  const { totalRevenue, monthlyRevenue, averageContractValue, expiringSoon, growthRate, successRate } = dashboard
  const figures = [totalRevenue, monthlyRevenue, averageContractValue, expiringSoon, growthRate, successRate]
  expect(figures.filter((figure) => figure <= 0)).toEqual([])
})

test('customers came over the years, and only a few this month', async () => {
  const figures = await trpcClient(server.url, await signIn()).customers.figures.query()
  expect(figures).toMatchObject({ total: 40, withContracts: 36, averageContracts: 3 })
  expect(figures.newThisMonth).toBeLessThan(10)
})

test('the PDF of a contract can be read', async () => {
  const token = await signIn()
  const { rows } = await trpcClient(server.url, token).contracts.list.query({ limit: 100 })
  const headers = { authorization: `Bearer ${token}` }
  const paths = rows.map(({ pdfPath }) => pdfPath).filter((path) => path !== null)
  const pdf = await fetch(`${server.url}${paths[0]}`, { headers })
  expect(paths.length).toBeGreaterThan(4)
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  expect(await pdf.text()).toContain('(Service agreement) Tj')
})

test('a second call creates nothing and says the same', async () => {
  expect(await openDemo(server)).toEqual(DEMO_SIGN_IN)
  expect(await counts()).toEqual(ONE_DEMO)
})

test('there is no demo where the database is not the embedded one', async () => {
  expect(await openDemo({ ...server, embedded: undefined })).toBeUndefined()
})

test('a later start finds the demo as it was, and an API key is made for it while the server runs and while not', async () => {
  const keys = [await apiKey()]
  await server.stop()
  keys.push(await apiKey())
  server = await start()
  expect(await openDemo(server)).toEqual(DEMO_SIGN_IN)
  expect(await counts()).toEqual(ONE_DEMO)
  const callers = await Promise.all(keys.map((key) => server.callers.find(key)))
  expect(callers.map((caller) => caller?.email)).toEqual([DEMO_SIGN_IN.email, DEMO_SIGN_IN.email])
})

async function apiKey(): Promise<string> {
  const program = new URL('../../scripts/api-key.ts', import.meta.url).pathname
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  const { stdout } = await promisify(execFile)(process.execPath, [program, DEMO_SIGN_IN.email], { env })
  return stdout.trim()
}
