import './in-production.ts'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import pg from 'pg'
import type { JobContext } from '#server/context.ts'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { openMailer } from '#server/mail/mailer.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { startApp } from '#support/app-process.ts'
import { fakeServices } from '#support/services.ts'
import { openOwnDatabase } from './own-database.ts'
import { addNoticeWindows, BARE_PLANNING, loadOpenContracts } from './plan-data.ts'
import { printRates, printRatio } from './report.ts'
import { megabytes, timed, watchMemory } from './timed.ts'

/**
 * `npm run bench -- plan [accounts] [--windows]`: planning one day of 10,000 accounts with 100 open contracts each, beside
 * one bare statement that writes the same rows; peak memory; and messages a second through a mail server that takes 50 ms,
 * beside a mailer that does nothing else. With windows, each contract has one for a notice.
 */
const [accounts = 10_000] = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('-'))
  .map(Number)
const HAS_WINDOWS = process.argv.includes('--windows')
const MAIL_MS = 50
const SENDING_MS = 15_000
const AT_ONCE = 20
/** Fewer accounts have too few messages to be sending all the time. */
const ENOUGH_TO_SEND = 2000
/** A table of fewer pages is read sooner than an index into it. */
const PAGES = 10
/** At night nothing is planned. */
const NOON = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`)
/** PostgreSQL logs how it did what took this long. */
const EXPLAIN = { session_preload_libraries: 'auto_explain', 'auto_explain.log_min_duration': '10ms' }

await using stack = new AsyncDisposableStack()
const { connection, logFile, stop } = await openOwnDatabase(EXPLAIN)
stack.defer(stop)
const owner = new pg.Client(connection)
await owner.connect()
stack.defer(() => owner.end())
// Parallel workers say only after their statement is done that they have scanned a table, which would look like planning.
await owner.query('set max_parallel_workers_per_gather to 0')
console.log(`load ${loadavg()[0]?.toFixed(1)}; loading ${accounts * 100} contracts of ${accounts} accounts`)
await loadOpenContracts(owner, accounts)
if (HAS_WINDOWS) await addNoticeWindows(owner)
await keepUnvacuumed()
const bare = await timed(bareRows)
await measurePlanning()
if (accounts >= ENOUGH_TO_SEND) await measureSending()
console.log(`load ${loadavg()[0]?.toFixed(1)}`)

/**
 * Of tables with a BRIN index autovacuum only updates the statistics: what it adds to that index by vacuuming, it reads by
 * scans of the table that PostgreSQL counts like those of statements.
 */
async function keepUnvacuumed(): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(`
    select distinct i.indrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
      join pg_am a on a.oid = c.relam where a.amname = 'brin'`)
  for (const { name } of rows)
    await owner.query(
      `alter table ${name} set (autovacuum_vacuum_threshold = 2147483647, autovacuum_vacuum_insert_threshold = -1)`,
    )
}

async function measurePlanning(): Promise<void> {
  const begun = process.memoryUsage().rss
  const watch = watchMemory()
  const before = await ledgerSize()
  const tablesBefore = await tables()
  const db = await openDatabase(connection)
  const planned = await timed(() => planReminders(contextOf(db, 'smtp://127.0.0.1:9')))
  await db.close()
  const peak = watch()
  const after = new Map((await tables()).map(({ name, scans }) => [name, scans]))
  const read = tablesBefore.filter(({ name, pages, scans }) => pages >= PAGES && after.get(name) !== scans)
  if (read.length > 0) {
    const names = read.map(({ name }) => name)
    throw new Error([`planning read ${names.join(', ')} from end to end`, ...plansThatScan(names)].join('\n'))
  }
  const rows = (await ledgerSize()) - before
  if (rows !== bare.result) throw new Error(`planned ${rows} rows, and the statement ${bare.result}`)
  console.log(`${rows} rows of the ledger: ${planned.seconds.toFixed(1)} s, bare ${bare.seconds.toFixed(1)} s`)
  printRatio('planning a day, seconds', [planned.seconds, bare.seconds], 5)
  if (HAS_WINDOWS)
    console.log(
      `${await windows()} windows were recorded, of which ${await windows('warned_at is not null')} were warned of`,
    )
  console.log(`memory: ${megabytes(begun)} MB before, ${peak} MB at most`)
}

interface Table {
  name: string
  pages: number
  /** How often anybody has read it from end to end, which planning must never do. */
  scans: number
}

async function tables(): Promise<Table[]> {
  // A connection may keep to itself for ten seconds what it did, but not beyond its end.
  await owner.query('select pg_stat_force_next_flush()')
  await pause(1000)
  const { rows } = await owner.query<Table>(`select relname as name, seq_scan::int as scans,
      (pg_relation_size(relid) / current_setting('block_size')::int)::int as pages
    from pg_stat_user_tables`)
  return rows
}

/** The plans in PostgreSQL's log in which these tables are read from end to end; the bare statement's are among them. */
function plansThatScan(names: string[]): string[] {
  const entries = readFileSync(logFile, 'utf8').split(/\n(?=\d{4}-\d\d-\d\d )/)
  return entries.filter((entry) => names.some((name) => entry.includes(`Seq Scan on ${name} `)))
}

/** What the bare statement writes, which is then taken away again. */
async function bareRows(): Promise<number> {
  await owner.query('begin')
  const { rowCount } = await owner.query(BARE_PLANNING('current_date', 'planned'))
  await owner.query('rollback')
  await owner.query('vacuum analyze reminders')
  return rowCount ?? 0
}

async function windows(condition = 'true'): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(`select count(*)::int as count from notices where ${condition}`)
  return rows[0]?.count ?? 0
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
  const db = await openDatabase(connection)
  try {
    const [ours, reference]: [number[], number[]] = [[], []]
    for (let round = 0; round < 3; round += 1) {
      reference.push(await bareSending(url))
      ours.push(await ourSending(db, url))
    }
    printRates({ what: `sending, ${MAIL_MS} ms each, a second`, ours, reference }, 0.5)
  } finally {
    await db.close()
    mail.child.kill('SIGTERM')
    await mail.ended
  }
}

async function ourSending(db: Database, url: string): Promise<number> {
  const sent = async () => {
    // Several messages to one reader are one email, and a mailer that does nothing else counts emails.
    const text = `select count(distinct message_id)::int as count from reminders where state = 'sent' and channel = 'email'`
    return (await owner.query<{ count: number }>(text)).rows[0]?.count ?? 0
  }
  const before = await sent()
  const stopping = new AbortController()
  const { seconds } = await timed(async () => {
    const sending = sendReminders({ ...contextOf(db, url), signal: stopping.signal })
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

function contextOf(db: Database, url: string): JobContext {
  const services = fakeServices({
    mailer: openMailer('TRAXX <reminders@traxx.test>', url),
    now: () => NOON,
    billingNow: () => NOON,
  })
  return { db, services, log: Fastify({ logger: { level: 'error' } }).log, signal: new AbortController().signal }
}
