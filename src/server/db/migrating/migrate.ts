import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { MikroORM } from '@mikro-orm/postgresql'
import pg, { type PoolConfig } from 'pg'
import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import { StartError } from '#server/start-error.ts'
import type { Logins } from '#server/db/connections/logins.ts'
import { MIGRATIONS_FOLDER, MIGRATIONS_TABLE, ormConfig } from '#server/db/connections/orm-config.ts'
import { readRows } from '#server/db/rows.ts'
import { isLockTimeout } from '#server/db/violations.ts'
import { migratingDialect } from './migrating-dialect.ts'
import type { System } from '#server/db/connections/system.ts'
import { APP_ROLE, SYSTEM_ROLE } from '#server/db/tenant-policies.ts'

const MIGRATION_LOCK = 7_238_201
const LOCK_PAUSE_MS = 200
const CONNECT_MS = 10_000
export const OLDEST_SERVER = 15

/**
 * Revokes the server's roles the right to create anything: a temporary table would hide the real one from the next user of
 * the connection. Done at each start, because a backup does not include grants on its database. If the owner may not revoke
 * it, PostgreSQL only warns, and the check of the logins fails.
 */
const CLOSED = `
  revoke create on schema public from public, ${APP_ROLE}, ${SYSTEM_ROLE};
  do $$ begin
    execute format('revoke create, temporary on database %I from public, ${APP_ROLE}, ${SYSTEM_ROLE}', current_database());
  end $$`

/**
 * How a migration waits for its locks. While it does, all other statements on the table wait behind it, and so it gives up
 * soon, and tries again a few times.
 */
export interface LockWaiting {
  lockMs: number
  pauseMs: number
  times: number
}
interface MigrateOptions {
  /** The last one to run; all by default. */
  last?: string | undefined
  waiting?: LockWaiting
}

const LOCK_WAITING = { lockMs: 3000, pauseMs: 3000, times: 10 }
const LOCKED =
  'The database could not be brought up to date, as another statement has locked a table for a minute. ' +
  'End it (pg_stat_activity lists what runs, such as a backup), and start again'

const MigrationRow = z.object({ name: z.string() })
const TableRow = z.object({ found: z.boolean() })
const VersionRow = z.object({ version: z.int() })
const LockRow = z.object({ isFree: z.boolean() })
const RoleRow = z.object({ isMember: z.boolean() })

/**
 * Migrates the database as its owner; servers that start together wait for each other. If the server's roles have logins of
 * their own, the owner need not be a member of them.
 */
export async function migrate(
  connection: PoolConfig,
  logins?: Logins,
  { last, waiting = LOCK_WAITING }: MigrateOptions = {},
): Promise<void> {
  const client = new pg.Client({ connectionTimeoutMillis: CONNECT_MS, ...connection })
  // A dropped connection fails the next statement; without a listener it would silently end the process.
  client.on('error', () => {})
  const variable = logins ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL'
  await client.connect().catch((error: unknown) => explainConnection(variable, error))
  try {
    await refuseOldServer(client)
    while (!(await takesLock(client))) await pause(LOCK_PAUSE_MS)
    if (!logins) await createRoles(client)
    if (await isBehind(client)) await runMigrations(connection, { last, waiting })
    await client.query(`grant select on ${MIGRATIONS_TABLE} to ${SYSTEM_ROLE}`)
    await client.query(CLOSED)
  } finally {
    await client.end()
  }
}

/** Whether any migration is pending. @throws StartError if a newer TRAXX has migrated the database */
export async function isBehind(client: System): Promise<boolean> {
  const asked = sql`select to_regclass(${`public.${MIGRATIONS_TABLE}`}) is not null as found`
  const [table] = await readRows(client, asked, TableRow)
  if (!table?.found) return true
  const rows = await readRows(client, sql`select name from ${raw(MIGRATIONS_TABLE)}`, MigrationRow)
  const done = new Set(rows.map((row) => row.name.replace(/\.ts$/, '')))
  const files = await readdir(MIGRATIONS_FOLDER)
  const known = new Set(files.map((file) => file.replace(/\.ts$/, '')))
  const unknown = [...done].filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new StartError(
      `The database was migrated by a newer TRAXX (${unknown.join(', ')}). Start that version instead`,
    )
  }
  return [...known].some((name) => !done.has(name))
}

function explainConnection(variable: string, error: unknown): never {
  const reason = error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error)
  throw new StartError(`Could not connect to the database of ${variable}: ${reason}`, { cause: error })
}

async function refuseOldServer(client: pg.Client) {
  const statement = sql`select current_setting('server_version_num')::int / 10000 as version`
  const [{ version } = { version: 0 }] = await readRows(client, statement, VersionRow)
  if (version >= OLDEST_SERVER) return
  throw new StartError(`The database is PostgreSQL ${version}; TRAXX needs ${OLDEST_SERVER} or newer`)
}

// Does not wait in the statement: `create index concurrently` of the other server's migration would wait for its snapshot.
async function takesLock(client: pg.Client) {
  const statement = sql`select pg_try_advisory_lock(${MIGRATION_LOCK}) as "isFree"`
  const [lock] = await readRows(client, statement, LockRow)
  return lock?.isFree === true
}

// Roles belong to the whole cluster, so a database restored elsewhere may arrive without them.
async function createRoles(client: pg.Client) {
  for (const role of [APP_ROLE, SYSTEM_ROLE]) {
    const statement = sql`
      select pg_has_role(current_user, oid, 'member') as "isMember" from pg_roles where rolname = ${role}`
    const [found] = await readRows(client, statement, RoleRow)
    if (found?.isMember) continue
    if (!found) await changeRoles(client, `create role ${role} nologin`)
    await changeRoles(client, `grant ${role} to current_user`)
  }
}

async function changeRoles(client: pg.Client, statement: string) {
  try {
    await client.query(statement)
  } catch (error) {
    // A server of another database has just created it.
    if (error instanceof pg.DatabaseError && (error.code === '42710' || error.code === '23505')) return
    throw new StartError(
      `The user of DATABASE_URL may not do this: ${statement}. Ask an administrator to run it for that user, ` +
        `for both roles that TRAXX works as, ${APP_ROLE} and ${SYSTEM_ROLE}`,
      { cause: error },
    )
  }
}

async function runMigrations(connection: PoolConfig, { last, waiting }: Required<MigrateOptions>) {
  const orm = await MikroORM.init(ormConfig(migratingDialect(connection, waiting.lockMs)))
  try {
    await whileLocked(waiting, () => orm.migrator.up(last === undefined ? {} : { to: last }))
  } finally {
    await orm.close()
  }
}

/** Those that are done are not repeated, as each has a transaction of its own. */
async function whileLocked({ pauseMs, times }: LockWaiting, run: () => Promise<unknown>): Promise<void> {
  for (let time = 1; ; time += 1) {
    try {
      await run()
      return
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (time === times) throw new StartError(LOCKED, { cause: error })
      await pause(pauseMs)
    }
  }
}
