import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { openBenchData, type BenchAccount } from './data.ts'
import { median } from './measure.ts'
import { printMegabytes, printTimes } from './report.ts'
import { startOurs, type BenchServer } from './servers.ts'

/**
 * `npm run bench -- imports [neighbours]`: milliseconds to import contracts, each with its customer found by number, over
 * HTTP into the account of 20,000 customers, against COPY of the same rows, customers known, into the same table in the
 * same run; then how much memory the server takes for it, and for rows that fail.
 */
const SIZES = [
  { contracts: 10_000, rounds: 7, atMost: 2.5 },
  { contracts: 100_000, rounds: 5, atMost: 3 },
  // As from the screen: the file is read twice, first for what customers would be mailed. No row is due so soon.
  { contracts: 10_000, rounds: 5, atMost: 4, reminders: 'ask' },
]
const MOST_MEGABYTES = 100
const FRESH_SERVERS = 3
const Answer = z.object({ created: z.int(), failed: z.int() })

const folder = mkdtempSync(join(tmpdir(), 'traxx-copy-'))
chmodSync(folder, 0o755)
const neighbours = Number(process.argv[2] ?? 1000)
const data = await openBenchData(neighbours)
const owner = new pg.Client(data.connection)
await owner.connect()
const last = await lastContract()
try {
  const { rows } = await filesOf(data.large, 100_000)
  printMegabytes('memory of an import of 100,000', await measureMemory(rows), MOST_MEGABYTES)
  printMegabytes('memory of one that may ask', await measureMemory(rows, 'ask'), MOST_MEGABYTES)
  printMegabytes('memory of 100,000 failing rows', await measureMemory(failing(rows)), MOST_MEGABYTES)
  printMegabytes('memory of 100,000 refused rows', await measureMemory(refused(rows)), MOST_MEGABYTES)
  await withServer(measureTime)
} finally {
  await owner.end()
  await data.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function withServer(measure: (server: BenchServer) => Promise<void>): Promise<void> {
  const server = await startOurs(data.connection)
  try {
    await measure(server)
  } finally {
    await server.stop()
  }
}

async function measureTime(server: BenchServer): Promise<void> {
  for (const { contracts, rounds, atMost, reminders } of SIZES) {
    const files = await filesOf(data.large, contracts)
    const [ours, reference]: [number[], number[]] = [[], []]
    for (let round = -1; round < rounds; round += 1) {
      const imported = await timed(() => importRows(server, files.rows, reminders))
      const copied = await timed(() => copyRows(files.copied))
      if (round < 0) continue
      ours.push(imported)
      reference.push(copied)
    }
    const what = `import of ${contracts.toLocaleString('en')}${reminders ? ', may ask' : ''}`
    printTimes({ what, ours, reference }, atMost)
  }
}

/** Of servers that have answered a few small calls, and have never imported anything: the one that grew most. */
async function measureMemory(rows: string, reminders?: string): Promise<Growth> {
  const headers = { authorization: `Bearer ${data.large.key}` }
  const growths: Growth[] = []
  for (let round = 0; round < FRESH_SERVERS; round += 1) {
    await withServer(async (server) => {
      for (let call = 0; call < 20; call += 1) {
        await (await fetch(`http://127.0.0.1:${server.port}/contracts?limit=10`, { headers })).text()
      }
      const idle = await settled(server)
      growths.push({ idle, peak: await peakOf(server, rows, reminders) })
    })
  }
  return growths.toSorted((one, other) => other.peak - other.idle - (one.peak - one.idle))[0] ?? { idle: 0, peak: 0 }
}

/** The same rows, each wrong in its amount, its cycle and its status. */
function failing(rows: string): string {
  return rows.replaceAll(/,([\d.]+),(.*),(\w+),(.*),\w+$/gm, ',none of $1,$2,never $3,$4,dead')
}

/** The same rows, valid by themselves, of a customer that the database does not find. */
function refused(rows: string): string {
  return rows.replaceAll(/^[^,\n]+(?=,[\d.]+,)/gm, 'Nobody')
}

interface Growth {
  idle: number
  peak: number
}

/** Milliseconds of the work; what it added is removed again, and the table left as it was. */
async function timed(work: () => Promise<void>): Promise<number> {
  await owner.query('checkpoint')
  const begun = performance.now()
  await work()
  const took = performance.now() - begun
  await owner.query('delete from contracts where id > $1', [last])
  await owner.query('delete from imports')
  await owner.query('vacuum analyze')
  return took
}

async function peakOf(server: BenchServer, rows: string, reminders?: string): Promise<number> {
  let [peak, isOver] = [0, false]
  const over = timed(() => importRows(server, rows, reminders)).finally(() => (isOver = true))
  while (!isOver) {
    peak = Math.max(peak, server.memory())
    await pause(20)
  }
  await over
  return peak
}

async function lastContract(): Promise<number> {
  const { rows } = await owner.query<{ last: number }>('select max(id) as last from contracts')
  return rows[0]?.last ?? 0
}

async function importRows(server: BenchServer, rows: string, reminders = 'on'): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([rows]), 'contracts.csv')
  const answer = await fetch(
    `http://127.0.0.1:${server.port}/contracts/bulk-upload?again=true&reminders=${reminders}`,
    {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${data.large.key}` },
    },
  )
  const { created, failed } = Answer.parse(await answer.json())
  const given = rows.split('\n').length - 1
  const expected = /never|Nobody/.test(rows) ? 0 : given
  if (created !== expected || failed !== given - expected) throw new Error(`created ${created}, failed ${failed}`)
}

async function copyRows(path: string): Promise<void> {
  await owner.query(`copy contracts
    (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status) from '${path}' csv`)
}

/** The same contracts twice: as a person has them, and as COPY takes them. */
async function filesOf({ id, customers }: BenchAccount, count: number) {
  const { rows: known } = await owner.query<{ id: number; number: string }>(
    'select id, customer_number as number from customers where account_id = $1 order by id',
    [id],
  )
  const rows = ['Customer Number,Amount,Start Date,Renewal Cycle,Renewal Date,Status']
  const copied: string[] = []
  for (let n = 0; n < count; n += 1) {
    const customer = known[(n * 7919) % customers]
    const [start, renewal] = [`20${20 + (n % 6)}-0${1 + (n % 9)}-15`, `2027-${10 + (n % 3)}-${10 + (n % 18)}`]
    const [cycle, status] = [['monthly', 'quarterly', 'yearly'][n % 3], ['active', 'pending', 'expired'][n % 3]]
    const cents = 100 + ((n * 31) % 500_000)
    rows.push([customer?.number, (cents / 100).toFixed(2), start, cycle, renewal, status].join(','))
    copied.push([id, customer?.id, cents, start, cycle, renewal, status].join(','))
  }
  const path = join(folder, `${count}.csv`)
  writeFileSync(path, `${copied.join('\n')}\n`)
  return { rows: rows.join('\n'), copied: path }
}

/** The memory of a server that has nothing to do: the least of a few seconds. */
async function settled(idle: BenchServer): Promise<number> {
  const seen: number[] = []
  for (let second = 0; second < 5; second += 1) {
    await pause(1000)
    seen.push(idle.memory())
  }
  return median(seen)
}
