import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { withClient } from '#bench/with-client.ts'
import { freePort } from '#support/app-process.ts'
import { HOST, POSTGRES } from './nodes.ts'
import { signalTree, until } from './processes.ts'
import { DATABASE, type Stage } from './stage.ts'

const BETWEEN_MS = 5000
const FILLED = 100_000
const SETTINGS = ['archive_mode=off', 'synchronous_standby_names=', `listen_addresses=${HOST}`]

/**
 * A full and a differential backup while clients write, and a restore to a moment after both, at another place. What was
 * acknowledged before the moment has to be there, and nothing of what was written after it. TRAXX starts on the result.
 */
export async function restoreToMoment(stage: Stage): Promise<string> {
  const { cluster, load, inDatabase, folder } = stage
  await inDatabase(fill)
  const full = await cluster.pgBackRest('backup', '--type=full')
  await pause(BETWEEN_MS)
  const differential = await cluster.pgBackRest('backup', '--type=diff')
  await pause(BETWEEN_MS)
  const before = load.written()
  const moment = await inDatabase((client) => textOf(client, 'select clock_timestamp()::text as text'))
  await pause(BETWEEN_MS)
  const after = await inDatabase((client) => idsOf(client, 'select id from customers where created_at > $1', [moment]))
  await inDatabase(archived)

  const dataFolder = join(folder, 'restored')
  const options = ['--type=time', `--target=${moment}`, '--target-action=promote', `--pg1-path=${dataFolder}`]
  const restored = await cluster.pgBackRest('restore', ...options)
  const began = performance.now()
  const { port, stop } = await startPostgres(stage, dataFolder)
  const replayed = (performance.now() - began) / 1000
  const server = await stage.startServerOver(port)
  const connection = { host: HOST, port, user: 'postgres', password: cluster.password, database: DATABASE }
  const found = await withClient(connection, (client) => compare(client, before, after))
  const shown = await customersShown(server.url, load.key)
  await server.stop()
  await stop()
  tell({ 'full backup': full, 'differential backup': differential, restore: restored }, replayed)
  console.log((await cluster.pgBackRest('info')).output.replaceAll(/^(?!.*(?:backup|size)).*\n/gm, ''))
  console.log(
    `  of ${before.size} rows before the moment ${found.missing} are missing, of ${after.length} after it ` +
      `${found.unwanted} are there; ${found.drift} totals differ from the rows; TRAXX shows ${shown} of an account's customers`,
  )
  if (found.missing + found.unwanted + found.drift > 0 || !(shown > 0) || after.length === 0) {
    throw new Error('What was restored is not the database of the moment')
  }
  return ''
}

/** So that there is something to back up: what neither the load nor the reminders look at. */
async function fill(client: Client): Promise<void> {
  await client.query(`
    with filled as (
      insert into accounts (clerk_user_id, email, time_zone) values ('filled', 'filled@example.com', 'UTC') returning id)
    insert into notifications (account_id, type, title, message)
    select id, 'other', 'Filled', (select string_agg(md5(n::text || m), '') from generate_series(1, 20) m)
    from filled, generate_series(1, ${FILLED}) n`)
}

function tell(steps: Record<string, { seconds: number }>, replayed: number): void {
  const each = Object.entries(steps).map(([name, { seconds }]) => `${name} ${seconds.toFixed(1)} s`)
  console.log(`\n  ${each.join(', ')}, and ${replayed.toFixed(1)} s until PostgreSQL takes writes`)
}

/** Waits until all that is written so far is in the repository. */
async function archived(client: Client): Promise<void> {
  const last = await textOf(client, 'select pg_walfile_name(pg_switch_wal()) as text')
  const isArchived = () => textOf(client, `select (last_archived_wal >= '${last}')::text as text from pg_stat_archiver`)
  await until('the log is archived', async () => (await isArchived()) === 'true')
}

/** PostgreSQL on a restored folder, outside of the cluster. */
async function startPostgres({ processes, cluster, folder }: Stage, dataFolder: string) {
  const port = await freePort()
  // The files of the node that was backed up name its own.
  const files = [`hba_file=${join(dataFolder, 'pg_hba.conf')}`, `ident_file=${join(dataFolder, 'pg_ident.conf')}`]
  const settings = [...SETTINGS, ...files, `port=${port}`, `unix_socket_directories=${folder}`]
  const args = ['-D', dataFolder, ...settings.flatMap((setting) => ['-c', setting])]
  const { variables } = await cluster.primary()
  const started = processes.start({ name: 'restored', file: join(POSTGRES, 'postgres'), args, variables })
  const connection = { host: HOST, port, user: 'postgres', password: cluster.password, database: DATABASE }
  const isPromoted = () =>
    withClient(connection, (client) => textOf(client, 'select (not pg_is_in_recovery())::text as text')).then(
      (text) => text === 'true',
      () => false,
    )
  await until('PostgreSQL has restored the moment', () => {
    if (!started.isRunning()) throw new Error(`PostgreSQL has ended:\n${started.output()}`)
    return isPromoted()
  })
  return {
    port,
    stop: async () => {
      signalTree([started.pid], 'SIGINT')
      await started.ended
    },
  }
}

async function compare(client: Client, before: Map<number, string>, after: number[]) {
  const { rows } = await client.query<{ id: number; name: string }>('select id, name from customers')
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const drift = await client.query('select from totals_drift()')
  return {
    missing: [...before].filter(([id, name]) => names.get(id) !== name).length,
    unwanted: after.filter((id) => names.has(id)).length,
    drift: drift.rowCount ?? 0,
  }
}

/** How many customers TRAXX counts in the account of this key. */
async function customersShown(url: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/customers?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  return Number(answer.headers.get('x-total-count'))
}

async function idsOf(client: Client, text: string, values: string[]): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(text, values)
  return rows.map(({ id }) => id)
}

async function textOf(client: Client, query: string): Promise<string> {
  const { rows } = await client.query<{ text: string }>(query)
  return rows[0]?.text ?? ''
}
