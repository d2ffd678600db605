import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import pg from 'pg'
import type { JobContext } from '#server/context.ts'
import { openDatabase } from '#server/db/database.ts'
import { openMailer } from '#server/mail/mailer.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/send-reminders.ts'
import { startApp } from '#support/app-process.ts'
import { fakeServices } from '#support/services.ts'
import { openOwnDatabase } from './own-database.ts'
import { BARE_PLANNING, loadOpenContracts } from './plan-data.ts'
import { printRates, printRatio } from './report.ts'

/**
 * `node bench/plan.ts [accounts]`: planning one day of 10,000 accounts with 100 open contracts each, beside one bare
 * statement that writes the same rows; peak memory; and messages a second through a mail server that takes 50 ms, beside
 * a mailer that does nothing else.
 */
const accounts = Number(process.argv[2] ?? 10_000)
const MAIL_MS = 50
const SENDING_MS = 15_000
const AT_ONCE = 20

await using stack = new AsyncDisposableStack()
const { connection, stop } = await openOwnDatabase()
stack.defer(stop)
const owner = new pg.Client(connection)
await owner.connect()
stack.defer(() => owner.end())
console.log(`load ${loadavg()[0]?.toFixed(1)}; loading ${accounts * 100} contracts of ${accounts} accounts`)
await loadOpenContracts(owner, accounts)
const bare = await timed(bareRows)
const db = await openDatabase(connection)
stack.defer(() => db.close())
await measurePlanning()
await measureSending()
console.log(`load ${loadavg()[0]?.toFixed(1)}`)

async function measurePlanning(): Promise<void> {
  const noon = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`)
  const begun = process.memoryUsage().rss
  const watch = watchMemory()
  const before = await ledgerSize()
  const scansBefore = await wholeScans()
  const planned = await timed(() => planReminders(contextOf(noon, 'smtp://127.0.0.1:9')))
  const peak = watch()
  const rows = (await ledgerSize()) - before
  const scans = (await wholeScans()) - scansBefore
  if (scans > 0) throw new Error(`planning went through whole tables ${scans} times`)
  if (rows !== bare.result) throw new Error(`planned ${rows} rows, and the statement ${bare.result}`)
  console.log(`${rows} rows of the ledger: ${planned.seconds.toFixed(1)} s, bare ${bare.seconds.toFixed(1)} s`)
  printRatio('planning a day, seconds', [planned.seconds, bare.seconds], 5)
  console.log(`memory: ${megabytes(begun)} MB before, ${megabytes(peak)} MB at most`)
}

/** How often anybody has read the large tables from end to end, which planning must never do. */
async function wholeScans(): Promise<number> {
  // Connections tell what they did when they have been idle for a second.
  await pause(2000)
  const { rows } = await owner.query<{ scans: number }>(`select sum(seq_scan)::int as scans from pg_stat_user_tables
    where relname in ('contracts', 'customers', 'reminder_schedules', 'accounts')`)
  return rows[0]?.scans ?? 0
}

/** What the bare statement writes, which is then taken away again. */
async function bareRows(): Promise<number> {
  await owner.query('begin')
  const { rowCount } = await owner.query(BARE_PLANNING('current_date', 'planned'))
  await owner.query('rollback')
  return rowCount ?? 0
}

async function ledgerSize(): Promise<number> {
  const { rows } = await owner.query<{ count: number }>('select count(*)::int as count from reminders')
  return rows[0]?.count ?? 0
}

async function measureSending(): Promise<void> {
  await owner.query('vacuum analyze reminders')
  const mail = startApp({ MILLISECONDS: String(MAIL_MS) }, ['bench/slow-mail-server.ts'])
  await mail.says('The mail server is ready')
  const url = /smtp:\S+\d/.exec(mail.output())?.[0] ?? ''
  try {
    const [ours, limit]: [number[], number[]] = [[], []]
    for (let round = 0; round < 3; round += 1) {
      limit.push(await bareSending(url))
      ours.push(await ourSending(url))
    }
    printRates({ what: `sending, ${MAIL_MS} ms each, a second`, ours, limit }, 0.5)
  } finally {
    mail.child.kill('SIGTERM')
    await mail.ended
  }
}

async function ourSending(url: string): Promise<number> {
  const sent = async () => {
    const text = `select count(*)::int as count from reminders where state = 'sent' and channel = 'email'`
    return (await owner.query<{ count: number }>(text)).rows[0]?.count ?? 0
  }
  const before = await sent()
  const stopping = new AbortController()
  const { seconds } = await timed(async () => {
    const sending = sendReminders({ ...contextOf(new Date(), url), signal: stopping.signal })
    await pause(SENDING_MS)
    stopping.abort()
    await sending
  })
  return ((await sent()) - before) / seconds
}

async function bareSending(url: string): Promise<number> {
  const mailer = openMailer('TRAXX <reminders@traxx.test>', url)
  let sent = 0
  const until = performance.now() + SENDING_MS / 3
  const one = async () => {
    while (performance.now() < until) {
      await mailer.send({ to: 'c@example.com', subject: 'Bare', text: 'Nothing else is done.' })
      sent += 1
    }
  }
  const { seconds } = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, one)))
  return sent / seconds
}

function contextOf(at: Date, url: string): JobContext {
  const services = fakeServices({
    mailer: openMailer('TRAXX <reminders@traxx.test>', url),
    now: () => at,
    billingNow: () => at,
  })
  return { db, services, log: Fastify({ logger: { level: 'error' } }).log, signal: new AbortController().signal }
}

async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
  const begun = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - begun) / 1000 }
}

/** Answers the most memory that this process has had since. */
function watchMemory(): () => number {
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50)
  return () => {
    clearInterval(timer)
    return peak
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}
