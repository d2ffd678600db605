import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { openStripe } from '#server/billing/stripe.ts'
import { examine } from '#scripts/doctor-command.ts'
import { openLocalFiles } from '#server/storage/local-files.ts'
import { urlOf } from '#support/full-server.ts'
import { startMailServer } from '#support/mail-server.ts'
import { memoryFiles } from '#support/services.ts'
import { useWorld } from '#support/world.ts'
import { checkDatabase } from './check-database.ts'
import { checkClerk, checkMail, checkMailEvents, checkPublicUrl, checkStripe, STRIPE_EVENTS } from './check-services.ts'
import { checkDisk, checkFiles } from './check-storage.ts'
import { clockFinding } from './clock.ts'
import { runChecks } from './finding.ts'

const undo: (() => unknown)[] = []
afterAll(async () => {
  for (const step of undo) await step()
})

test('a check that fails is a problem of its own, in one line, and others go on', async () => {
  const fails = () => Promise.reject(new Error('no answer\n  from there'))
  const works = async () => [{ check: 'Two', state: 'ok' as const, text: 'fine' }]
  expect(
    await runChecks([
      ['One', fails],
      ['Two', works],
    ]),
  ).toEqual([
    { check: 'One', state: 'problem', text: 'no answer from there' },
    { check: 'Two', state: 'ok', text: 'fine' },
  ])
})

test.each([
  [0, 'ok', 'It agrees with that of Stripe'],
  [-5, 'ok', 'It agrees'],
  [6, 'problem', '6 seconds ahead of that of Stripe'],
  [-90, 'problem', '90 seconds behind that of Stripe'],
])('a clock that is %i seconds off is %s', (seconds, state, text) => {
  expect(clockFinding('Stripe', 1_000_000, 1_000_000 + seconds * 1000)).toEqual({
    check: 'Clock',
    state,
    text: expect.stringContaining(text),
  })
})

describe('the database', () => {
  const world = useWorld()
  const chosen = () => ({ connection: world.connection, logins: undefined, embedded: undefined })

  test('that is as it should be has no problem', async () => {
    const findings = await checkDatabase(chosen())
    expect(findings.map(({ check, state }) => [check, state])).toEqual([
      ['Database', 'ok'],
      ['Connections', 'ok'],
      ['Clock', 'ok'],
      ['Roles', 'ok'],
      ['Reminders', 'ok'],
    ])
  })

  test('whose reminders have stopped says how to start them', async () => {
    await world.db.system.query(
      `insert into job_runs (name, began_at, ended_at) values ('send-reminders', now(), now() - interval '3 hours')`,
    )
    expect((await checkDatabase(chosen())).at(-1)).toEqual({
      check: 'Reminders',
      state: 'problem',
      text: expect.stringContaining('npm run worker'),
    })
  })

  test('on this machine has an old backup, or none', async () => {
    const embedded = {
      connection: {},
      logins: { app: {}, system: {} },
      location: '',
      moved: false,
      stop: async () => {},
    }
    const backup = async () => (await checkDatabase({ ...chosen(), embedded })).find(({ check }) => check === 'Backup')
    expect(await backup()).toMatchObject({ state: 'warning', text: expect.stringContaining('None has been made') })
    const age = (hours: number) =>
      world.db.system.query(
        `insert into job_runs (name, began_at, ended_at) values ('backup', now(), now() - make_interval(hours => $1))
          on conflict (name) do update set ended_at = excluded.ended_at`,
        [hours],
      )
    await age(35)
    expect(await backup()).toMatchObject({ state: 'ok', text: 'The latest was made 35 hours ago' })
    await age(37)
    expect(await backup()).toMatchObject({ state: 'warning', text: expect.stringContaining('37 hours ago') })
  })

  test('by the command, everything that a configuration names is checked, and its exit code tells of problems', async () => {
    const { connection } = world
    const variables = { DATABASE_URL: urlOf(connection), PORT: '9', DATA_DIR: tmpdir() }
    const { status, stdout } = await examine(variables)
    expect(status).toBe(0)
    expect(stdout).toContain('ok       Configuration: The variables are valid (not production')
    expect(stdout).toContain('ok       Files: A file was stored, read and removed')
    expect(stdout).toContain('WARNING  Public address: Nothing answers at http://localhost:9/healthz')
    const broken = await examine({ ...variables, SMTP_URL: 'smtp://127.0.0.1:9' })
    expect(broken).toMatchObject({ status: 1, stdout: expect.stringMatching(/^PROBLEM {2}Mail: .*ECONNREFUSED/m) })
  })
})

test('a configuration that is not valid is the only finding', async () => {
  expect(await examine({ PORT: 'many' })).toEqual({
    status: 1,
    stdout: expect.stringMatching(/^PROBLEM {2}Configuration: .*PORT.*\n$/),
    stderr: '',
  })
})

test('files that are not kept as they were written are a problem', async () => {
  const files = memoryFiles()
  await expect(checkFiles({ ...files, write: () => Promise.reject(new Error('denied')) })).rejects.toThrow('denied')
  const emptied = { size: 0, read: async () => Readable.from([]) }
  await expect(checkFiles({ ...files, open: async () => emptied })).rejects.toThrow('does not come back')
})

test('the check of files leaves nothing behind, no folder either, also if it fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'traxx-doctor-'))
  undo.push(() => rmSync(folder, { recursive: true }))
  const files = openLocalFiles(folder)
  expect(await checkFiles(files)).toMatchObject([{ state: 'ok' }])
  expect(readdirSync(folder)).toEqual([])
  await expect(checkFiles({ ...files, open: () => Promise.reject(new Error('denied')) })).rejects.toThrow('denied')
  expect(readdirSync(folder)).toEqual([])
})

test('a disk that is nearly full is a problem', async () => {
  const full = { bavail: 1, bsize: 4096 }
  const statOf = (folder: string) => Promise.resolve(folder === '/data' ? full : { bavail: 1_000_000, bsize: 4096 })
  expect(await checkDisk(['/data'], statOf)).toMatchObject([
    { state: 'problem', text: 'Only 0.0 GB free in /data. Make room: uploads and the database stop when it is full' },
    { state: 'ok' },
  ])
})

test('a mail server is logged in to, and is sent nothing', async () => {
  const server = await startMailServer({ milliseconds: () => 0, treat: () => 'take' })
  undo.push(() => server.stop())
  expect(await checkMail(server.url)).toMatchObject([{ state: 'ok' }])
  expect(server.taken).toEqual([])
  await expect(checkMail('smtp://127.0.0.1:9')).rejects.toThrow('ECONNREFUSED')
  expect(checkMailEvents(undefined)).toMatchObject([{ state: 'warning' }])
  expect(checkMailEvents('key')).toMatchObject([{ state: 'ok' }])
})

test("Clerk's public key has to be one of those that Clerk signs with", async () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const clerk = { jwks: { getJwks: async () => ({ keys: [{ kid: 'one', n, e }] }) } }
  const pem = createPublicKey({ key: publicKey.export({ format: 'jwk' }), format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString()
  const states = async (key: string | undefined) => (await checkClerk(clerk, key)).map(({ state }) => state)
  expect(await states(pem)).toEqual(['ok'])
  expect(await states(pem.replaceAll('\n', '\\n'))).toEqual(['ok'])
  expect(await states(undefined)).toEqual(['ok'])
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' })
  expect(await states(other.toString())).toEqual(['ok', 'problem'])
})

describe('Stripe', () => {
  const WEBHOOK = 'https://app.traxx.test/stripe/webhook'

  /** Stripe's API with these lists, by the real SDK. */
  async function stripeWith({
    price = {},
    endpoint = {},
    date = new Date(),
  }: {
    price?: object
    endpoint?: object
    date?: Date
  }) {
    const app = Fastify()
    const answer = (data: object[]) => ({ object: 'list', has_more: false, data })
    const monthly = { unit_amount: 2900, currency: 'usd', recurring: { interval: 'month' }, ...price }
    app.addHook('onSend', async (_request, reply) => void reply.header('date', date.toUTCString()))
    app.get('/v1/prices', async () => answer([monthly]))
    app.get('/v1/webhook_endpoints', async () =>
      answer([{ url: WEBHOOK, status: 'enabled', enabled_events: STRIPE_EVENTS, ...endpoint }]),
    )
    const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
    undo.push(() => app.close())
    const stripe = openStripe({ secretKey: 'sk_test_1', api: { host: '127.0.0.1', port, protocol: 'http' } })
    const findings = await checkStripe({ stripe, lookupKey: 'traxx_pro_monthly', webhookUrl: WEBHOOK })
    return findings.filter(({ state }) => state !== 'ok').map(({ check, text }) => `${check}: ${text}`)
  }

  test('that is set up has no problem', async () => {
    expect(await stripeWith({})).toEqual([])
    expect(await stripeWith({ endpoint: { enabled_events: ['*'] } })).toEqual([])
  })

  test.each([
    [{ price: { unit_amount: 3900 } }, /^Price: .* is not \$29 a month/],
    [{ price: { recurring: { interval: 'year' } } }, /^Price: /],
    [{ endpoint: { url: 'https://other.test/' } }, /^Stripe webhook: Stripe has no enabled endpoint at https:\/\/app/],
    [{ endpoint: { status: 'disabled' } }, /^Stripe webhook: /],
    [{ endpoint: { enabled_events: STRIPE_EVENTS.slice(1) } }, /lacks events\. Add customer\.subscription\.created$/],
    [{ date: new Date(Date.now() - 60_000) }, /^Clock: .* ahead of that of Stripe/],
  ])('with %j says what to do', async (changes, text) => {
    expect(await stripeWith(changes)).toEqual([expect.stringMatching(text)])
  })

  test('has to send the events that the README names', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8').replaceAll(/\s+/g, ' ')
    for (const event of STRIPE_EVENTS)
      expect(readme).toContain(event.replace(/^customer\.subscription(?=\.(?!created))/, ''))
  })
})

test('a public address at which nothing answers, or that leads elsewhere, is told', async () => {
  const app = Fastify()
  app.get('/healthz', async () => 'ok')
  app.get('/elsewhere/healthz', async (_request, reply) => reply.redirect('/healthz'))
  undo.push(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  expect(await checkPublicUrl(url)).toMatchObject([{ state: 'ok' }])
  expect(await checkPublicUrl(`${url}/elsewhere`)).toMatchObject([{ state: 'warning' }])
  expect(await checkPublicUrl('http://127.0.0.1:9')).toMatchObject([{ state: 'warning' }])
})
