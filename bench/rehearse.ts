import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { giveAllTo, isRoot, unprivilegedUser } from '#standins/postgres/server-user.ts'
import { startCluster } from './rehearse/cluster.ts'
import { FAULTS, type Fault } from './rehearse/faults.ts'
import type { Measured } from './rehearse/load.ts'
import { checkOut, olderCommit } from './rehearse/older-code.ts'
import { rehearseJourney } from './rehearse/journey.ts'
import { openProcesses } from './rehearse/processes.ts'
import { openStage, type Stage } from './rehearse/stage.ts'

/**
 * `npm run rehearse -- [--only primary-killed,restore] [--times 5] [--old v1.2] [--keep]`: high availability as
 * `deploy/patroni` sets it up, on this machine, under load, with one fault after the other; a restore of a backup; and a
 * journey over all servers. Prints what clients saw of each, and fails where an acknowledged write was lost, or something
 * doubled. `--keep` leaves the logs.
 */
const NEEDED = {
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  '/usr/bin/patroni': 'patroni',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/bin/pgbackrest': 'pgbackrest',
}
const JOURNEY = 'journey'
const ROOT = resolve(import.meta.dirname, '..')

interface Result extends Measured {
  newPrimary: string
  remindersDoubled: number
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    times: { type: 'string', default: '1' },
    old: { type: 'string', default: olderCommit(ROOT) },
    keep: { type: 'boolean', default: false },
  },
})
const times = Number(values.times)
const isChosen = (name: string) => values.only === undefined || values.only.split(',').includes(name)
const chosen = FAULTS.filter(({ name }) => isChosen(name))
if (chosen.length === 0 && !isChosen(JOURNEY)) {
  throw new Error(`--only takes some of: ${[JOURNEY, ...FAULTS.map(({ name }) => name)].join(',')}`)
}
refuseMissing()

let isFailed = false
await using stack = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stack.disposeAsync().finally(() => process.exit(1)))
}
const folder = mkdtempSync(join(tmpdir(), 'traxx-rehearse-'))
stack.defer(() => {
  if (values.keep) console.log(`The logs are in ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
})
const user = isRoot() ? await unprivilegedUser() : undefined
await giveAllTo(user, folder)
const processes = openProcesses(folder, user)
const cluster = await startCluster(folder, processes)
stack.defer(() => cluster.stop())
await cluster.healthy()
await cluster.pgBackRest('stanza-create')

if (isChosen(JOURNEY)) {
  const counts = await rehearseJourney({ folder, processes, cluster, code: ROOT })
  const each = [...counts].map(([server, count]) => `${server} ${count}`)
  console.log(`\n${JOURNEY}: one person's journey, each call at another server; calls: ${each.join(', ')}`)
}
const ofOneVersion = chosen.filter(({ startsOlder }) => !startsOlder)
if (ofOneVersion.length > 0) {
  await onStage(ROOT, async (stage) => {
    for (const fault of ofOneVersion) {
      const results: Result[] = []
      for (let time = 0; time < times; time += 1) results.push(await rehearse(fault, stage))
      tell(fault, results)
    }
  })
}
for (const fault of chosen.filter(({ startsOlder }) => startsOlder)) {
  const older = join(folder, 'older')
  stack.defer(checkOut(ROOT, values.old, older))
  const results: Result[] = []
  for (let time = 0; time < times; time += 1) {
    await onStage(older, async (stage) => {
      results.push(await rehearse(fault, stage))
    })
  }
  tell({ ...fault, what: `${fault.what}, from ${values.old}` }, results)
}
process.exitCode = isFailed ? 1 : 0

/** Servers and workers of this code, and what became of their reminders in the end. */
async function onStage(code: string, work: (stage: Stage) => Promise<void>) {
  const stage = await openStage({ folder, processes, cluster, code })
  await work(stage)
  const mismatches = await stage.close()
  isFailed ||= mismatches.length > 0
  console.log(`\n${stage.reminders.taken()} reminders were sent; ${mismatches.length} differ from the ledger`)
  for (const mismatch of mismatches) console.log(`  ${mismatch}`)
}

async function rehearse({ run }: Fault, stage: Stage): Promise<Result> {
  const { apps, load, reminders, inDatabase } = stage
  await cluster.healthy()
  load.begin()
  await reminders.send(inDatabase)
  const newPrimary = await run(stage, ROOT)
  await cluster.healthy()
  const gone = apps.gone()
  if (gone.length > 0) throw new Error(`These have ended by themselves: ${gone.join(', ')}`)
  return inDatabase(async (client) => ({
    ...(await load.measure(client)),
    newPrimary,
    remindersDoubled: await reminders.doubled(client),
  }))
}

function tell({ name, what }: Pick<Fault, 'name' | 'what'>, results: Result[]): void {
  console.log(`\n${name}: ${what}`)
  for (const { gapSeconds, slowestSeconds, errors, newPrimary, ...counts } of results) {
    const { acknowledged, found, lost, doubled, remindersDoubled } = counts
    isFailed ||= lost > 0 || doubled > 0 || remindersDoubled > 0
    console.log(
      `  acknowledged ${acknowledged}, found ${found}, lost ${lost}, doubled ${doubled}; longest gap ${gapSeconds.toFixed(1)} s, ` +
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

function refuseMissing(): void {
  const missing = Object.entries(NEEDED).filter(([file]) => !existsSync(file))
  if (missing.length === 0) return
  const packages = missing.map(([, name]) => name).join(' ')
  throw new Error(`This needs Debian 12 and, as root: apt-get install --no-install-recommends ${packages}`)
}
