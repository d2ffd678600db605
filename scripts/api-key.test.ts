import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { ownerOfApiKey } from '#server/identity/api-keys.service.ts'
import { urlOf } from '#support/full-server.ts'
import { anAccount, useWorld } from '#support/world.ts'
import { expect, test } from 'vitest'
import type { Outcome } from './account-database.ts'
import { makeApiKey } from './api-key-command.ts'

const PROGRAM = join(import.meta.dirname, 'api-key.ts')

const world = useWorld()

const apiKey = (args: string[], url = urlOf(world.connection)) => makeApiKey(args, { DATABASE_URL: url })

/** As a process of its own. */
function spawnApiKey(args: string[]): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: urlOf(world.connection) }
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], { env }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

async function anEmail(): Promise<string> {
  const { caller } = await anAccount(world)
  return caller?.email ?? ''
}

test('the key of an account is printed and nothing else, and opens that account', async () => {
  const { caller } = await anAccount(world)
  await anAccount(world)
  const { status, stdout, stderr } = await spawnApiKey([caller?.email.toUpperCase() ?? ''])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^traxx_[\w-]{43}\n$/)
  expect(await ownerOfApiKey(world.db.system, { key: stdout.trim() })).toMatchObject({
    owner: caller?.clerkUserId,
    scope: 'all',
    expiresOn: null,
  })
})

test('a key is made with the name, the scope and the last day that are asked for', async () => {
  const email = await anEmail()
  const options = ['--scope', 'read', '--expires', '2999-12-31', '--name', 'Nightly report']
  const { status, stdout } = await apiKey([email, ...options])
  expect(status).toBe(0)
  expect(await ownerOfApiKey(world.db.system, { key: stdout.trim() })).toMatchObject({ scope: 'read' })
  const { rows } = await world.db.system.query('select name, scope, expires_on::text as last from api_keys')
  expect(rows).toEqual([{ name: 'Nightly report', scope: 'read', last: '2999-12-31' }])
})

test.each([
  [['--scope', 'some'], 'Must be one of read, write, all'],
  [['--expires', '2020-01-01'], 'The last day must not be in the past'],
])('%j is refused in one line', async (options, reason) => {
  const run = await apiKey([await anEmail(), ...options])
  expect(run).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/^No API key was created: .*\n$/) })
  expect(run.stderr).toContain(reason)
})

test('without an email it says how to ask', async () => {
  const run = await spawnApiKey([])
  expect(run).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No API key .* npm run --silent api-key -- .*\n$/),
  })
})

test('an email that no account has is refused in one line', async () => {
  await anAccount(world)
  const stderr = 'No API key was created: no account has the email address or ID nobody@example.com\n'
  expect(await apiKey(['nobody@example.com'])).toEqual({ status: 1, stdout: '', stderr })
})

test('an email that several accounts have is refused in one line', async () => {
  const email = await anEmail()
  await anAccount(world)
  await world.db.system.query('update accounts set email = $1', [email])
  const stderr = `No API key was created: 2 accounts have the email address ${email}: use one of the IDs 1, 2\n`
  expect(await apiKey([email])).toEqual({ status: 1, stdout: '', stderr })
})

test('a database that does not answer is told in one line', async () => {
  const run = await apiKey(['ann@example.com'], 'postgres://ann@localhost:9/traxx')
  expect(run).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/^No API key was created: .*\S.*\n$/) })
})
