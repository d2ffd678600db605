import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { freePort } from '#support/app-process.ts'
import { aPdf } from '#support/pdf.ts'
import { startFaultyService, type Failing } from './faulty-service.ts'
import { openOwnDatabase } from './own-database.ts'
import { startLoad } from './rehearse/load.ts'
import { signalTree, until } from './rehearse/processes.ts'
import { addKey } from './data.ts'
import { ISSUER, startOurs } from './servers.ts'
import { openSessionTokens } from './session-tokens.ts'
import { withClient } from './with-client.ts'

/**
 * `npm run bench -- faults [NAME...]`: what becomes of clients while something fails, all faults or those that are named.
 * Clients write all the time. For each fault: the writes that were acknowledged, found afterward, and lost; wrong answers;
 * what was answered in place of a success, and what people read then; seconds until writes were acknowledged again. A call
 * that needs a service outside is made while that fails. Fails where a write is lost or an answer is wrong.
 */
const PAUSED_MS = 30_000
const BEFORE_MS = 3000
const AFTER_MS = 3000
const Created = z.object({ id: z.int() })

interface Fault {
  /** Lets it fail, and ends with what had failed mended. Returns what a call that needs it was answered. */
  run: () => Promise<string | undefined>
}

await using stack = new AsyncDisposableStack()
const { connection, stop } = await openOwnDatabase()
stack.defer(stop)
const [clerk, mail, bucket] = await Promise.all([
  startFaultyService('HTTP'),
  startFaultyService('SMTP'),
  startFaultyService('HTTP'),
])
for (const service of [clerk, mail, bucket]) stack.defer(() => service.stop())
const sessions = openSessionTokens(ISSUER)
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const variables = {
  PORT: String(port),
  PUBLIC_URL: url,
  JOBS: 'off',
  CLERK_JWT_KEY: sessions.publicKey,
  CLERK_ELSEWHERE: `http://127.0.0.1:${clerk.port}`,
  NODE_OPTIONS: `--import ${join(import.meta.dirname, 'clerk-elsewhere.ts')}`,
  SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  S3_ENDPOINT: `http://127.0.0.1:${bucket.port}`,
  S3_REGION: 'nowhere',
  S3_BUCKET: 'traxx',
  S3_ACCESS_KEY_ID: 'nobody',
  S3_SECRET_ACCESS_KEY: 'nobody',
}
let server = await startOurs(connection, variables)
stack.defer(() => server.stop())
const load = await withClient(connection, (client) => startLoad(url, client))
stack.defer(() => load.stop())
const key = await withClient(connection, async (client) => {
  const { rows } = await client.query<{ id: number }>(
    `insert into companies (account_id, name) select min(id), 'Acme' from accounts returning account_id as id`,
  )
  return addKey(client, rows[0]?.id ?? 0)
})
let visitors = 0

const FAULTS: Record<string, Fault> = {
  'database-restarted': { run: restartDatabase },
  'database-paused': { run: pauseDatabase },
  'server-stopped': { run: restartServer },
  ...service('sign-in', clerk, signIn),
  ...service('mail', mail, sendReminder),
  ...service('bucket', bucket, uploadPdf),
}

const chosen = process.argv.slice(2)
for (const [name, fault] of Object.entries(FAULTS)) {
  if (chosen.length === 0 || chosen.includes(name)) await measure(name, fault)
}

async function measure(name: string, { run }: Fault): Promise<void> {
  load.begin()
  await pause(BEFORE_MS)
  const answered = await run()
  const [mended, acknowledged] = [performance.now(), load.acknowledged()]
  await until('writes are acknowledged again', () => load.acknowledged() > acknowledged)
  const back = (performance.now() - mended) / 1000
  await pause(AFTER_MS)
  const { lost, doubled, wrong, ...measured } = await withClient(connection, (client) => load.measure(client))
  console.log(`${name}: ${lost} lost, ${doubled} doubled, ${wrong} wrong answers, back after ${back.toFixed(1)} s`)
  console.log(`  acknowledged ${measured.acknowledged}, found ${measured.found}`)
  console.log(
    `  longest without a write ${measured.gapSeconds.toFixed(1)} s, slowest answer ${measured.slowestSeconds.toFixed(1)} s`,
  )
  for (const [error, count] of Object.entries(measured.errors)) console.log(`  ${count} × ${error}`)
  for (const sentence of measured.said) console.log(`  "${sentence}"`)
  if (answered) console.log(`  ${answered}`)
  if (lost + doubled + wrong > 0) process.exitCode = 1
}

/** The server, or what watches over it, starts again by itself, as with any service manager. */
async function restartDatabase(): Promise<undefined> {
  const pid = await postmaster()
  process.kill(pid, 'SIGINT')
  await until('the database runs again', () =>
    postmaster().then(
      (now) => now !== pid,
      () => false,
    ),
  )
}

async function pauseDatabase(): Promise<undefined> {
  const pid = await postmaster()
  signalTree([pid], 'SIGSTOP')
  await pause(PAUSED_MS)
  signalTree([pid], 'SIGCONT')
}

async function restartServer(): Promise<undefined> {
  await server.stop()
  server = await startOurs(connection, variables)
}

/** A service of each way to fail, and a call that needs it. */
function service(
  name: string,
  { fail }: { fail: (how: Failing) => void },
  ask: () => Promise<string>,
): Record<string, Fault> {
  const fault = (how: Failing): [string, Fault] => [
    `${name}-${how}`,
    {
      run: () => {
        fail(how)
        return ask()
      },
    },
  ]
  return Object.fromEntries((['down', 'slow', 'wrong'] as const).map(fault))
}

/** The first call of somebody who has just signed up. */
function signIn(): Promise<string> {
  visitors += 1
  return call('/contracts?limit=1', { headers: bearer(sessions.tokenOf(`user_visitor_${visitors}`, url)) })
}

async function sendReminder(): Promise<string> {
  return call(`/contracts/${await newContract()}/reminder`, { method: 'POST', headers: bearer(key) })
}

async function uploadPdf(): Promise<string> {
  const body = new FormData()
  body.append('pdf', new Blob([aPdf()], { type: 'application/pdf' }), 'contract.pdf')
  return call(`/contracts/${await newContract()}/pdf`, { method: 'POST', headers: bearer(key), body })
}

async function newContract(): Promise<number> {
  const create = async (path: string, body: object) => {
    const headers = { ...bearer(key), 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return Created.parse(await answer.json()).id
  }
  const customerId = await create('/customers', { name: 'Acme', email: 'acme@example.com' })
  const [startDate, renewalDate] = ['2026-01-31', '2027-02-28']
  return create('/contracts', {
    customerId,
    amount: 10,
    startDate,
    renewalDate,
    renewalCycle: 'yearly',
    status: 'active',
  })
}

/** The status, what people read, and how long it took. */
async function call(path: string, options: RequestInit): Promise<string> {
  const began = performance.now()
  const answer = await fetch(`${url}${path}`, options)
  const body = await answer.text()
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const retry = answer.headers.get('retry-after')
  return `${options.method ?? 'GET'} ${path}: ${answer.status} ${body.slice(0, 200)}${retry ? `, Retry-After ${retry}` : ''}, ${seconds} s`
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}` }
}

/** The process of PostgreSQL that starts the others. */
async function postmaster(): Promise<number> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(rows[0]?.pid)], { encoding: 'utf8' }))
  })
}
