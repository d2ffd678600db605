import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { residentMegabytes } from '#support/app-process.ts'
import { startMailServer } from '#support/mail-server.ts'
import { addAccounts, fillAccounts } from './data.ts'
import { postgresMegabytes, watchMinutes, type Memory } from './load-memory.ts'
import type { Person } from './load-mix.ts'
import type { Ask, Crowd, Seen } from './load-people.ts'
import { quantile } from './measure.ts'
import { openOwnDatabase } from './own-database.ts'
import { printRatio } from './report.ts'
import { HEAP_ON_SIGNAL, ISSUER, startOurs, startOurWorker } from './servers.ts'
import { openSessionTokens } from './session-tokens.ts'

/**
 * `npm run bench -- load [ACCOUNTS] [SECONDS] [CONTRACTS]`: people of 1,000 accounts with 100 contracts each, for 10 minutes,
 * on one server, one worker and PostgreSQL, as load-mix.ts says. Then twice as many people, and again, for 30 seconds each,
 * until the server refuses or is slow, and the first ones again.
 */
const [accounts = 1000, seconds = 600, contracts = 100] = process.argv.slice(2).map(Number)
const DOUBLED_SECONDS = 30
const MOST_DOUBLINGS = 6
const SLOW_MS = 2000
const MOST_GROWTH = 1.1
/** A light load is answered as before where its p99 is at most so many times what it was. */
const RECOVERED = 2

interface Pressed extends Seen {
  /** Of one processor. */
  serverShare: number
  /** Of the machine, as the system averages it over a minute. */
  load: number
}

await using stack = new AsyncDisposableStack()
const { connection, stop } = await openOwnDatabase()
stack.defer(stop)
const owner = new pg.Client(connection)
await owner.connect()
stack.defer(() => owner.end())
console.log(`loading ${accounts} accounts with ${contracts} contracts each`)
const [from = 0, to = 0] = await addAccounts(owner, accounts)
await fillAccounts(owner, { from, to }, { customers: Math.ceil(contracts / 5), contracts })

await planEverything()
const clerk = createServer((request, answer) => {
  answer.setHeader('content-type', 'application/json').end(JSON.stringify(personAtClerk(request.url ?? '')))
}).listen(0, '127.0.0.1')
await once(clerk, 'listening')
stack.defer(() => clerk.close().closeAllConnections())
const mail = await startMailServer({ milliseconds: () => 0, treat: () => 'take' })
stack.defer(() => mail.stop())

const sessions = openSessionTokens(ISSUER)
const variables = {
  CLERK_JWT_KEY: sessions.publicKey,
  CLERK_ELSEWHERE: addressOf(clerk.address()),
  SMTP_URL: mail.url,
  NODE_OPTIONS: `${HEAP_ON_SIGNAL.NODE_OPTIONS} --import ${join(import.meta.dirname, 'services-elsewhere.ts')}`,
}
const server = await startOurs(connection, { ...variables, JOBS: 'off' })
stack.defer(() => server.stop())
const worker = await startOurWorker(connection, server.port, variables)
stack.defer(async () => {
  worker.child.kill('SIGTERM')
  await worker.ended
})
const crowd = fork(join(import.meta.dirname, 'load-people.ts'), { serialization: 'advanced' })
stack.defer(() => crowd.disconnect())
crowd.send({ port: server.port, people: await peopleOf() } satisfies Crowd)
let pressed = 0

const heapBefore = await server.heap()
const stopWatching = watchMinutes({
  server: () => server.memory(),
  worker: () => residentMegabytes(worker),
  PostgreSQL: () => postgresMegabytes(owner),
})
const usual = await press(accounts, seconds)
const minutes = stopWatching()
printAll(usual)
if (failures(usual) > 0) process.exitCode = 1
printMemory(minutes)
await double()
const again = await press(accounts, DOUBLED_SECONDS)
printLine('the first load again', again)
printRatio('p99 afterward, ms', [p99(again), p99(usual)], RECOVERED)
if (failures(again) > 0) process.exitCode = 1
const heapAfter = await server.heap()
console.log(
  `server after garbage collection: ${heapBefore.kept.toFixed(0)} MB kept before, ${heapAfter.kept.toFixed(0)} MB after ` +
    `(resident ${heapBefore.resident.toFixed(0)} and ${heapAfter.resident.toFixed(0)})`,
)
console.log(`${mail.taken.length} emails were sent meanwhile`)

/** For the worker: all accounts are planned since yesterday, and their messages of today go out meanwhile. */
async function planEverything(): Promise<void> {
  await owner.query('set session_replication_role = replica')
  await owner.query(`update contracts set reminders_since = now() - interval '90 days'`)
  await owner.query(`insert into reminder_schedules (account_id, planned_through, next_plan_at)
    select id, current_date - 1, now() - interval '1 day' from accounts`)
  await owner.query('set session_replication_role = default')
  await owner.query('vacuum analyze')
}

/** People with time to think between their calls, in another process. */
async function press(count: number, forSeconds: number): Promise<Pressed> {
  const before = server.processor()
  pressed += 1
  crowd.send({ count, seconds: forSeconds, seed: pressed * 1_000_000 } satisfies Ask)
  const [seen]: Seen[] = await once(crowd, 'message')
  if (!seen) throw new Error('The people have not told what they saw')
  return { ...seen, serverShare: (server.processor() - before) / seen.seconds, load: loadavg()[0] ?? 0 }
}

async function double(): Promise<void> {
  for (let doubling = 1; doubling <= MOST_DOUBLINGS; doubling += 1) {
    const count = accounts * 2 ** doubling
    const seen = await press(count, DOUBLED_SECONDS)
    printLine(`${count} people`, seen)
    const refused = sumOf(Object.entries(seen.failed).filter(([what]) => what.includes('SERVER_BUSY')))
    if (refused === 0 && p99(seen) <= SLOW_MS) continue
    const how = refused > 0 ? `${refused} refused, ${seen.untold} without Retry-After` : `p99 above ${SLOW_MS} ms`
    console.log(`breaks with ${count} people: ${how}`)
    if (seen.untold > 0) process.exitCode = 1
    return
  }
}

async function peopleOf(): Promise<Person[]> {
  const { rows } = await owner.query<Omit<Person, 'key'> & { user: string }>(`
    select clerk_user_id as user,
      array(select id from customers c where c.account_id = a.id order by id limit 50) as customers,
      array(select id from contracts c where c.account_id = a.id and status in ('pending', 'active')
        order by id limit 40) as contracts,
      array(select id from contracts c where c.account_id = a.id and status in ('pending', 'active')
        order by id offset 40) as "toRenew"
    from accounts a order by id`)
  const origin = `http://127.0.0.1:${server.port}`
  return rows.map(({ user, ...theirs }) => ({ key: sessions.tokenOf(user, origin), ...theirs }))
}

/** The person whom Clerk's API is asked for, as addAccounts has written them. */
function personAtClerk(address: string) {
  const id = address.split('/').at(-1) ?? ''
  const email = { id: 'idn_1', email_address: `${id}@example.com`, verification: { status: 'verified' }, linked_to: [] }
  return { object: 'user', id, primary_email_address_id: email.id, email_addresses: [email] }
}

function addressOf(address: ReturnType<typeof clerk.address>): string {
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''
}

function printAll(seen: Pressed): void {
  printLine(`${accounts} people`, seen)
  for (const [kind, took] of Object.entries(seen.took)) console.log(`  ${kind.padEnd(20)} ${times(took)}`)
}

function printLine(what: string, seen: Pressed): void {
  const all = Object.values(seen.took).flat()
  const rate = (all.length + failures(seen)) / seen.seconds
  const percent = (share: number) => `${(share * 100).toFixed(0)}%`
  const processors = `server ${percent(seen.serverShare)}, people ${percent(seen.cpuShare)}`
  console.log(`${what.padEnd(22)} ${rate.toFixed(0)} calls/s  ${times(all)}  slowest ${seen.slowest.toFixed(0)}`)
  console.log(`  of a processor: ${processors}; load average of the machine ${seen.load.toFixed(1)}`)
  for (const [failure, count] of Object.entries(seen.failed)) console.log(`  ${count} × ${failure}`)
}

function printMemory(minutes: Memory[]): void {
  for (const [minute, memory] of minutes.entries()) {
    const each = Object.entries(memory).map(([name, megabytes]) => `${name} ${megabytes.toFixed(0)} MB`)
    console.log(`  minute ${minute + 1}: ${each.join(', ')}`)
  }
  const [, second] = minutes
  const last = minutes.at(-1)
  if (!second || !last) return
  for (const name of Object.keys(last)) {
    printRatio(`${name}, last minute to second`, [last[name] ?? 0, second[name] ?? 0], MOST_GROWTH)
  }
}

function p99({ took }: Seen): number {
  return quantile(Object.values(took).flat(), 0.99)
}

function failures({ failed }: Seen): number {
  return sumOf(Object.entries(failed))
}

function sumOf(counts: [string, number][]): number {
  return counts.reduce((sum, [, count]) => sum + count, 0)
}

function times(took: number[]): string {
  const at = (share: number) => quantile(took, share).toFixed(1).padStart(7)
  return `${String(took.length).padStart(7)} answered  p50 ${at(0.5)} p95 ${at(0.95)} p99 ${at(0.99)}`
}
