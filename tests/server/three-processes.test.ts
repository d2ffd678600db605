import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { newBrowser, PASSWORD, type ClerkBrowser } from '#support/clerk.ts'
import { aPerson, trpcClient } from '#support/full-server.ts'
import { EXPORTS, takeJourney } from '#support/journey-over-servers.ts'
import { ask, useServerProcesses, type ServerProcess } from '#support/server-processes.ts'
import { aContract, aCustomer, anAccount, anApiKey } from '#support/world.ts'

/** Just over the five seconds that docs/security.md promises. */
const MOVED_MS = 5001

const held = useServerProcesses(3, {
  LIMIT_WRONG_CREDENTIALS: '10',
  LIMIT_REMINDERS_BY_HAND: '12',
  LIMIT_IMPORTS: '4',
  LIMIT_EXPORTS: String(EXPORTS),
  LIMIT_PREVIEWS: '5',
  MAIL_LIMIT_PER_ADDRESS: '5',
  MAIL_LIMIT_TRIAL: '4',
  COMPLAINTS_TO_STOP_TRIAL: '1',
  NODE_OPTIONS: `--import ${join(import.meta.dirname, '../support/clock-on-signal.ts')}`,
  MOVE_CLOCK_BY_MS: String(MOVED_MS),
})

/** Asks the three processes in turn, all at once, and counts the answers by status. */
async function together(count: number, one: (server: ServerProcess, n: number) => Promise<{ status: number }>) {
  const asked = Array.from({ length: count }, (_, n) => one(serverOf(n), n))
  return byStatus(await Promise.all(asked))
}

/** The same one after another, each once the place of the one before is free for all processes. */
async function inTurn(count: number, one: (server: ServerProcess, n: number) => Promise<{ status: number }>) {
  const answers = []
  for (let n = 0; n < count; n += 1) {
    answers.push(await one(serverOf(n), n))
    await expect.poll(slots).toBe(0)
  }
  return byStatus(answers)
}

async function slots(): Promise<number> {
  return (await held.world.db.system.query(`select from rate_limits where key ~ 'AtOnce:'`)).rowCount
}

function serverOf(n: number): ServerProcess {
  const server = held.servers[n % held.servers.length]
  if (!server) throw new Error('no server')
  return server
}

function byStatus(answers: { status: number }[]) {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** What the security logs of all processes say by this name. */
function logged(name: string): object[] {
  const lines = held.servers.flatMap(({ app }) => app.output().split('\n'))
  return lines
    .filter((line) => line.includes('"event":"security"'))
    .flatMap((line) => {
      const entry = JSON.parse(line)
      return entry.name === name ? [entry] : []
    })
}

/** A key of a new account, and the account. */
async function aScript(status = 'active') {
  const request = await anAccount(held.world, { status })
  return { request, bearer: await anApiKey(request) }
}

/** A contract whose customer has this address. */
async function aContractOf(request: RequestContext, email: string) {
  const { id: customerId } = await aCustomer(request, { email })
  return aContract(request, { customerId })
}

async function mailsTo(address: string): Promise<{ text: string }[]> {
  return JSON.parse((await ask(serverOf(0), { path: `/dev/mailbox?to=${address}` })).text)
}

const remind = (bearer: string, id: number) => ({ method: 'POST', path: `/contracts/${id}/reminder`, bearer }) as const

test('a whole journey goes on at another process with each call', async () => {
  const worker = await held.startWorker()
  onTestFinished(async () => {
    worker.child.kill('SIGKILL')
    await worker.ended
  })
  const served = await takeJourney(held.url)
  expect(new Set(served)).toEqual(new Set(held.servers.map(({ url }) => url)))
})

describe('over three server processes together', () => {
  test('an address may send so many wrong keys and tokens, and the security log tells of it once', async () => {
    const from = '10.0.0.2'
    const wrong = (n: number) => (n % 2 ? `traxx_${randomBytes(32).toString('base64url')}` : 'a.wrong.token')
    const statuses = await together(36, (server, n) => ask(server, { path: '/account', bearer: wrong(n), from }))
    expect(statuses).toEqual({ 401: 10, 429: 26 })
    const met = () => logged('limit.met').filter((entry) => Reflect.get(entry, 'limit') === 'wrongCredentials')
    await expect.poll(met).toHaveLength(1)
    expect(
      await together(3, (server) => ask(server, { path: '/account', bearer: 'another', from: '10.0.0.3' })),
    ).toEqual({ 401: 3 })
  })

  test('an address is sent so many emails a day, by whatever accounts', async () => {
    const scripts = [await aScript(), await aScript(), await aScript()]
    const calls: ReturnType<typeof remind>[] = []
    for (const { request, bearer } of scripts) {
      for (const email of ['v@victim.test', 'V@victim.test', 'v+1@victim.test']) {
        calls.push(remind(bearer, (await aContractOf(request, email)).id))
      }
    }
    const statuses = await together(calls.length, (server, n) => ask(server, calls[n] ?? { path: '' }))
    expect(statuses).toEqual({ 200: 5, 429: 4 })
    expect(await mailsTo('victim.test')).toHaveLength(5)
  })

  test('an account sends so many emails a day, and asks for so many reminders an hour', async () => {
    const { request, bearer } = await aScript('trialing')
    const contracts: { id: number }[] = []
    for (let n = 0; n < 9; n += 1) contracts.push(await aContractOf(request, `c${n}@trial.test`))
    const send = (server: ServerProcess, n: number) => ask(server, remind(bearer, contracts[n % 9]?.id ?? 0))
    expect(await together(9, send)).toEqual({ 200: 4, 429: 5 })
    expect(await mailsTo('trial.test')).toHaveLength(4)
    const answers: string[] = []
    await inTurn(6, async (server) => {
      const answer = await ask(server, remind(bearer, contracts[0]?.id ?? 0))
      answers.push(answer.text)
      return answer
    })
    expect(answers.filter((text) => text.includes('Too many requests'))).toHaveLength(3)
  })

  test('an account imports, exports and previews so much', async () => {
    const { bearer } = await aScript()
    const upload = (n: number) => {
      const body = new FormData()
      body.append('file', new Blob([`Name\nCustomer ${n}\n`]), 'customers.csv')
      return { method: 'POST', path: '/customers/bulk-upload', bearer, body } as const
    }
    expect(await inTurn(6, (server, n) => ask(server, upload(n)))).toEqual({ 200: 4, 429: 2 })
    expect(await inTurn(7, (server) => ask(server, { path: '/customers/export.csv', bearer }))).toEqual({
      200: 5,
      429: 2,
    })
    expect(await inTurn(7, (server) => ask(server, preview(bearer)))).toEqual({ 200: 5, 429: 2 })
  })

  test.each([
    ['two exports', 2, (bearer: string) => ({ path: '/customers/export.csv', bearer })],
    ['four previews', 4, preview],
    ['four whole lists', 4, (bearer: string) => ({ path: '/contracts', bearer })],
  ] as const)('an account has %s under way at once', async (_name, most, callOf) => {
    const { bearer } = await aScript()
    const gate = await closeGate()
    const underWay = Array.from({ length: most }, (_, n) => ask(serverOf(n), callOf(bearer)))
    await gate.waiting(most)
    for (const server of held.servers) {
      expect(await ask(server, callOf(bearer))).toMatchObject({
        status: 429,
        text: expect.stringContaining('still running'),
      })
    }
    await gate.open()
    for (const answer of await Promise.all(underWay)) expect(answer).toMatchObject({ status: 200 })
    await expect.poll(async () => (await ask(serverOf(2), callOf(bearer))).status).toBe(200)
  })
})

function preview(bearer: string) {
  return { method: 'POST', path: '/notifications/settings/preview', bearer, body: DEFAULT_SETTINGS } as const
}

async function administrator(): Promise<pg.Client> {
  const admin = new pg.Client(held.world.connection)
  await admin.connect()
  return admin
}

/** Reads of customers and contracts wait until it is released. */
async function closeGate() {
  const admin = await administrator()
  await admin.query('begin; lock table customers, contracts in access exclusive mode')
  onTestFinished(() => admin.end())
  const count = async () => {
    const { rows } = await admin.query(`select from pg_locks where not granted and locktype = 'relation'
      and database = (select oid from pg_database where datname = current_database())`)
    return rows.length
  }
  return {
    waiting: async (most: number) => {
      await expect.poll(count).toBe(most)
    },
    open: () => admin.query('commit'),
  }
}

describe('in all three server processes', () => {
  test('an account that was stopped for complaints sends nothing more', async () => {
    const { request, bearer } = await aScript('trialing')
    const [first, next] = [
      await aContractOf(request, 'reader@harbor.test'),
      await aContractOf(request, 'b@harbor.test'),
    ]
    expect(await ask(serverOf(0), remind(bearer, first.id))).toMatchObject({ status: 200 })
    const [mail] = await mailsTo('reader@harbor.test')
    const path = /(\/report\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const body = new URLSearchParams({ reason: 'fraud' })
    expect(await ask(serverOf(1), { method: 'POST', path, body })).toMatchObject({ status: 200 })
    expect(await together(3, (server) => ask(server, remind(bearer, next.id)))).toEqual({ 409: 3 })
    expect(await mailsTo('b@harbor.test')).toEqual([])
  })

  test('a revoked key and a deleted account open nothing, and an ended session gets no more tokens', async () => {
    const [stays, leaves] = [await anOwner(), await anOwner()]
    const elsewhere = await signInAgain(stays)
    const known = [stays.key, leaves.key, leaves.token]
    for (const bearer of known) expect(await everywhere(bearer)).toEqual({ 200: 3 })
    expect(await tokensOf(stays)).toEqual([200, 200, 200])

    const { identity } = trpcClient(serverOf(0).url, elsewhere.token)
    const [key] = await identity.apiKeys.query()
    await identity.revokeApiKey.mutate({ id: key?.id ?? 0 })
    await trpcClient(serverOf(1).url, elsewhere.token).identity.endSession.mutate({ id: stays.sessionId })
    const account = { method: 'DELETE', path: '/account', bearer: leaves.token, body: { email: leaves.email } } as const
    expect(await ask(serverOf(2), account)).toMatchObject({ status: 204 })

    // What is left of the session is the token that runs out.
    for (const status of await tokensOf(stays)) expect(status).toBeGreaterThanOrEqual(400)
    expect(await tokensOf(elsewhere)).toEqual([200, 200, 200])
    await afterFiveSeconds()
    for (const bearer of known) expect(await everywhere(bearer)).toEqual({ 401: 3 })
    expect(await everywhere(elsewhere.token)).toEqual({ 200: 3 })
  })
})

/** Each process takes what it has cached for so much older. */
async function afterFiveSeconds() {
  const moved = held.servers.map(({ app }) => app.says('The clock has moved'))
  for (const { app } of held.servers) app.child.kill('SIGUSR2')
  await Promise.all(moved)
}

/** How all three answer this session token or key. */
function everywhere(bearer: string) {
  return together(3, (server) => ask(server, { path: '/account', bearer }))
}

/** Somebody with a subscription and a key. */
async function anOwner() {
  const person = await aPerson(held)
  const { request, bearer: key } = await aScript()
  await held.world.db.system.query('update accounts set clerk_user_id = $1, email = $2 where id = $3', [
    person.userId,
    person.email,
    request.caller?.id,
  ])
  return { ...person, key, sessionId: String(claimsOf(person.token)['sid']) }
}

/** Another session of the same person. */
async function signInAgain({ email }: { email: string }) {
  const browser = newBrowser(held.url)
  const { body } = await browser.post('/v1/client/sign_ins', { identifier: email, password: PASSWORD })
  const session = body.response?.created_session_id
  const token = (await browser.post(`/v1/client/sessions/${session}/tokens`)).body.jwt ?? ''
  return { token, browser, sessionId: String(session) }
}

/** How each process answers a browser that asks for another token of its session. */
function tokensOf({ browser, sessionId }: { browser: ClerkBrowser; sessionId: string }): Promise<number[]> {
  const asked = held.servers.map(async ({ url }) => {
    const there = newBrowser(url)
    there.cookie = browser.cookie
    return (await there.post(`/v1/client/sessions/${sessionId}/tokens`)).status
  })
  return Promise.all(asked)
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
