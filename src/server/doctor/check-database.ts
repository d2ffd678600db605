import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ChosenDatabase } from '#server/boot/choose-database.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { isBehind, OLDEST_SERVER } from '#server/db/migrating/migrate.ts'
import { readRows } from '#server/db/rows.ts'
import { reminderRuns } from '#server/reminders/reminder-runs.service.ts'
import { clockFinding } from './clock.ts'
import type { Finding } from './finding.ts'

const CONNECT_MS = 10_000
/** What one process opens at most, and what PostgreSQL, starting and backups need: see README, Deployment. */
const CONNECTIONS_OF_ONE = 56
const OLD_BACKUP_HOURS = 36

const ServerRow = z.object({ version: z.int(), connections: z.int(), now: z.number() })
const BackupRow = z.object({ hours: z.number() })

/** The database: whether it can be reached, is up to date, has room for connections, and has this machine's time. */
export async function checkDatabase({ connection, logins, embedded }: ChosenDatabase): Promise<Finding[]> {
  const client = new pg.Client({ connectionTimeoutMillis: CONNECT_MS, ...connection })
  client.on('error', () => {})
  await client.connect()
  try {
    const statement = sql`
      select current_setting('server_version_num')::int / 10000 as version,
        current_setting('max_connections')::int as connections, extract(epoch from clock_timestamp())::float8 as now`
    const [server] = await readRows(client, statement, ServerRow)
    if (!server) throw new Error('The database does not answer')
    const findings = [
      versionOf(server),
      connectionsOf(server, embedded !== undefined),
      clockFinding('the database', server.now * 1000),
    ]
    if (await isBehind(client)) {
      const text = 'It is not up to date. The next start of the server brings it up to date: back it up first'
      return [...findings, { check: 'Database', state: 'warning', text }]
    }
    const backup = embedded ? [await backupOf(client)] : []
    return [...findings, ...backup, ...(await checkRoles(connection, logins))]
  } finally {
    await client.end()
  }
}

function versionOf({ version }: z.output<typeof ServerRow>): Finding {
  return version < OLDEST_SERVER
    ? { check: 'Database', state: 'problem', text: `It is PostgreSQL ${version}. Use ${OLDEST_SERVER} or newer` }
    : { check: 'Database', state: 'ok', text: `PostgreSQL ${version} answers` }
}

function connectionsOf({ connections }: z.output<typeof ServerRow>, isEmbedded: boolean): Finding {
  return connections < CONNECTIONS_OF_ONE && !isEmbedded
    ? {
        check: 'Connections',
        state: 'problem',
        text: `max_connections is ${connections}. Set it to ${CONNECTIONS_OF_ONE} or more for one server process, and 46 more for each other`,
      }
    : { check: 'Connections', state: 'ok', text: `max_connections is ${connections}` }
}

async function backupOf(client: pg.Client): Promise<Finding> {
  const statement = sql`
    select extract(epoch from now() - ended_at)::float8 / 3600 as hours from job_runs
    where name = 'backup' and ended_at is not null`
  const [last] = await readRows(client, statement, BackupRow)
  if (!last)
    return { check: 'Backup', state: 'warning', text: 'None has been made. Run npm run backup -- /backups each night' }
  const age = `The latest was made ${Math.round(last.hours)} hours ago`
  return last.hours > OLD_BACKUP_HOURS
    ? { check: 'Backup', state: 'warning', text: `${age}. Run npm run backup -- /backups each night` }
    : { check: 'Backup', state: 'ok', text: age }
}

/** As the server would: the roles have to be bound by row-level security. */
async function checkRoles(connection: pg.PoolConfig, logins: ChosenDatabase['logins']): Promise<Finding[]> {
  const opened = openDatabase(connection, logins)
  const db = await Promise.race([opened, setTimeout(CONNECT_MS, undefined, { ref: false })])
  if (!db) throw new Error('The roles of the server could not log in within 10 seconds')
  try {
    const { lastRunAt, isStalled } = await reminderRuns(db)
    const since = lastRunAt ? `since ${lastRunAt.toISOString()}` : 'ever'
    const reminders: Finding = isStalled
      ? {
          check: 'Reminders',
          state: 'problem',
          text: `Their jobs have not run ${since}. Start the server with JOBS=on, or npm run worker`,
        }
      : {
          check: 'Reminders',
          state: 'ok',
          text: lastRunAt
            ? `Their jobs ran last at ${lastRunAt.toISOString()}`
            : 'Their jobs run when the server starts',
        }
    return [{ check: 'Roles', state: 'ok', text: 'Row-level security binds the roles of the server' }, reminders]
  } finally {
    await db.close()
  }
}
