import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { giveAllTo, isRoot, unprivilegedUser } from '#standins/postgres/server-user.ts'
import { startCluster } from './rehearse/cluster.ts'
import { FAULTS, type Fault } from './rehearse/faults.ts'
import type { Measured } from './rehearse/load.ts'
import { openProcesses } from './rehearse/processes.ts'
import { openStage, type Stage } from './rehearse/stage.ts'

/**
 * `npm run rehearse -- [--only primary-killed] [--times 5] [--keep]`: high availability as `deploy/patroni` sets it up, on this
 * machine, under load, with one fault after the other. Prints what clients saw of each, and fails where an acknowledged
 * write was lost, or a reminder doubled. `--keep` leaves the logs.
 */
const NEEDED = {
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  '/usr/bin/patroni': 'patroni',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
}
const BEFORE_MS = 3000

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    times: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
})

interface Result extends Measured {
  newPrimary: string
  remindersDoubled: number
}

const missing = Object.entries(NEEDED).filter(([file]) => !existsSync(file))
if (missing.length > 0) {
  const packages = missing.map(([, name]) => name).join(' ')
  throw new Error(`This needs Debian 12 and: apt-get install --no-install-recommends ${packages}`)
}
const chosen = FAULTS.filter(({ name }) => values.only === undefined || name === values.only)
if (chosen.length === 0) throw new Error(`--only takes one of: ${FAULTS.map(({ name }) => name).join(', ')}`)

await using stack = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'traxx-rehearse-'))
stack.defer(() => {
  if (!values.keep) rmSync(folder, { recursive: true, force: true })
})
const user = isRoot() ? await unprivilegedUser() : undefined
await giveAllTo(user, folder)
const processes = openProcesses(folder, user)
const cluster = await startCluster(folder, processes)
stack.defer(() => cluster.stop())
process.once('SIGINT', () => void stack.disposeAsync().finally(() => process.exit(1)))
await cluster.healthy()
const code = resolve(import.meta.dirname, '..')
const stage = await openStage({ folder, processes, cluster, database: 'traxx', code })
let isFailed = false
for (const fault of chosen) {
  const results: Result[] = []
  for (let time = 0; time < Number(values.times); time += 1) results.push(await rehearse(fault, stage))
  tell(fault, results)
}
const remindersAmiss = await stage.close()
console.log(`\nReminders: ${stage.reminders.taken()} messages, ${remindersAmiss.length} not as the ledger has them`)
for (const each of remindersAmiss) console.log(each)
process.exitCode = isFailed || remindersAmiss.length > 0 ? 1 : 0

async function rehearse({ run }: Fault, { cluster, load, reminders, inDatabase }: Stage): Promise<Result> {
  await cluster.healthy()
  await inDatabase(reminders.addDue)
  load.begin()
  await pause(BEFORE_MS)
  const newPrimary = await run(stage)
  await cluster.healthy()
  return inDatabase(async (client) => ({
    ...(await load.measure(client)),
    newPrimary,
    remindersDoubled: await reminders.doubled(client),
  }))
}

function tell({ name, what }: Fault, results: Result[]): void {
  console.log(`\n${name}: ${what}`)
  for (const { gapSeconds, slowestSeconds, errors, newPrimary, ...counts } of results) {
    isFailed ||= counts.lost > 0 || counts.doubled > 0 || counts.remindersDoubled > 0
    const { acknowledged, found, lost, doubled, remindersDoubled } = counts
    console.log(
      `  ${acknowledged} acknowledged, ${found} found, ${lost} lost, ${doubled} doubled; longest gap ${gapSeconds.toFixed(1)} s; ` +
        `slowest answer ${slowestSeconds.toFixed(1)} s; errors ${JSON.stringify(errors)}; ` +
        `new primary ${newPrimary || 'none'}; reminders doubled ${remindersDoubled}`,
    )
  }
  if (results.length > 1) console.log(`  median of the longest gaps: ${median(results).toFixed(1)} s`)
}

function median(results: Result[]): number {
  const sorted = results.map(({ gapSeconds }) => gapSeconds).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
