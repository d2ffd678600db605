import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { signalTree, until } from '#bench/rehearse/processes.ts'
import { startDatabaseProxy } from '#support/database-proxy.ts'
import type { Fault } from './fault.ts'
import type { Stage } from './stage.ts'

const PAUSED_MS = 30_000
const EXHAUSTED_MS = 12_000
const CUTS = 20
const CUT_EVERY_MS = 250

export const OF_THE_DATABASE: Record<string, Fault> = {
  'database-restarted': restart,
  'database-paused': freeze,
  'database-without-connections': exhaust,
  'database-cut-at-commits': cutCommits,
}

/** Something starts it again by itself, as any service manager does. */
async function restart(stage: Stage) {
  const pid = await postmaster(stage)
  process.kill(pid, 'SIGINT')
  await until('the database runs again', () =>
    postmaster(stage).then(
      (now) => now !== pid,
      () => false,
    ),
  )
  return {}
}

async function freeze(stage: Stage) {
  const pid = await postmaster(stage)
  signalTree([pid], 'SIGSTOP')
  const asked = pause(PAUSED_MS / 2).then(() => stage.call('/customers?limit=1', {}))
  await pause(PAUSED_MS)
  signalTree([pid], 'SIGCONT')
  return { said: [await asked] }
}

/** Others take every connection that there is, and those that the server loses. */
async function exhaust({ connection, inDatabase, call }: Stage) {
  const taken: Client[] = []
  const takeAll = async () => {
    for (;;) {
      const client = new Client(connection)
      client.on('error', () => {})
      try {
        await client.connect()
        taken.push(client)
      } catch {
        return
      }
    }
  }
  const asked = pause(EXHAUSTED_MS / 4).then(() => call('/customers?limit=1', {}))
  await inDatabase(async (administrator) => {
    const end = performance.now() + EXHAUSTED_MS
    while (performance.now() < end) {
      await takeAll()
      // Those that have taken a place have asked nothing.
      await administrator.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where backend_type = 'client backend' and query <> '' and pid <> pg_backend_pid()`)
    }
  })
  await Promise.all(taken.map((client) => client.end()))
  return { said: [`${taken.length} connections were taken`, await asked] }
}

/** The connection of one commit after the other breaks before its answer. */
async function cutCommits(stage: Stage) {
  const proxy = await startDatabaseProxy(stage.connection)
  await stage.restart({}, proxy.connection)
  for (let cut = 0; cut < CUTS; cut += 1) {
    proxy.conduct('cut at commit')
    await pause(CUT_EVERY_MS)
  }
  proxy.conduct('pass')
  await stage.restart()
  await proxy.stop()
  return { said: [`the answers of up to ${CUTS} commits were cut off`] }
}

/** The process of PostgreSQL that starts the others. */
async function postmaster({ inDatabase }: Stage): Promise<number> {
  return inDatabase(async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(rows[0]?.pid)], { encoding: 'utf8' }))
  })
}
