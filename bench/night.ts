import './in-production.ts'
import { loadavg } from 'node:os'
import Fastify from 'fastify'
import pg from 'pg'
import { openDatabase } from '#server/boot/open-database.ts'
import { renewContracts } from '#server/renewals/renew-contracts.ts'
import { fakeServices } from '#support/services.ts'
import { bareRenewal } from './bare-renewals.ts'
import { openOwnDatabase } from './own-database.ts'
import { loadOpenContracts } from './plan-data.ts'
import { printRatio } from './report.ts'
import { megabytes, timed, watchMemory } from './timed.ts'

/**
 * `npm run bench -- night [accounts]`: a night in which 3 of the 100 contracts of each of 10,000 accounts renew
 * automatically, beside one bare statement that renews them; and peak memory.
 */
const accounts = Number(process.argv[2] ?? 10_000)
const NOON = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`)

await using stack = new AsyncDisposableStack()
const { connection, stop } = await openOwnDatabase()
stack.defer(stop)
const owner = new pg.Client(connection)
await owner.connect()
stack.defer(() => owner.end())
console.log(`load ${loadavg()[0]?.toFixed(1)}; loading ${accounts * 100} contracts of ${accounts} accounts`)
await loadOpenContracts(owner, accounts)
await owner.query(`
  set session_replication_role = replica;
  update contracts set renews = 'automatic', renewal_date = current_date where id % 100 in (7, 40, 73);
  set session_replication_role = default;
  select recount_totals()`)
await owner.query('vacuum analyze')
await owner.query('checkpoint')
const bare = await timed(bareNight)
await measureNight()
console.log(`load ${loadavg()[0]?.toFixed(1)}`)

/** What the bare statement renews, which is then undone. */
async function bareNight(): Promise<number> {
  await owner.query(`begin; set local app.actor = 'operator'`)
  const { rowCount } = await owner.query(bareRenewal('acts_on <= current_date'))
  await owner.query('rollback')
  await owner.query('vacuum analyze contracts, contract_terms, contract_decisions, activity')
  return rowCount ?? 0
}

async function measureNight(): Promise<void> {
  const before = megabytes(process.memoryUsage().rss)
  const db = await openDatabase(connection)
  const services = fakeServices({ now: () => NOON, billingNow: () => NOON })
  const log = Fastify({ logger: { level: 'error' } }).log
  const watch = watchMemory()
  const context = { db: db.as('job:renew-contracts'), services, log, signal: new AbortController().signal }
  const { seconds } = await timed(() => renewContracts(context))
  const peak = watch()
  await db.close()
  const { rows } = await owner.query<{ count: number }>('select count(*)::int as count from contract_terms')
  if (rows[0]?.count !== bare.result) throw new Error(`renewed ${rows[0]?.count}, and the statement ${bare.result}`)
  console.log(`${bare.result} renewals: ${seconds.toFixed(1)} s, bare ${bare.seconds.toFixed(1)} s`)
  printRatio('a night, seconds', [seconds, bare.seconds], 5)
  console.log(`memory: ${before} MB before, ${peak} MB at most`)
}
