import pg from 'pg'
import { inject } from 'vitest'
import { MIGRATIONS_TABLE } from '#server/db/connections/orm-config.ts'
import { inDatabase, TEMPLATE } from './template.ts'

/**
 * Tests share a server (see cluster.ts), and every Vitest worker has a database of its own on it. A test file calls
 * `workerConnection()` once, in `beforeAll`, and finds it empty; `emptyDatabase(connection)` in `beforeEach` or
 * `afterEach` gives every test the same.
 */
export async function workerConnection(): Promise<pg.PoolConfig> {
  const server = inject('testServer')
  const name = `t_${process.env['VITEST_POOL_ID'] ?? '1'}`
  const connection = inDatabase(server, name)
  if (isMade || !(await makeDatabase(server, name))) await emptyDatabase(connection)
  isMade = true
  return connection
}

/** Whether this process has seen that its worker's database is there. */
let isMade = false

/**
 * Empties every table but the list of migrations, the secrets and the stand-in's keys, and starts ids at 1 again. Untouched
 * tables cost next to nothing.
 */
export async function emptyDatabase(connection: pg.PoolConfig): Promise<void> {
  const pool = poolOf(connection)
  const { isSuper, tables, look } = await tablesOf(pool)
  if (!isSuper) return truncate(pool, tables)

  const { rows } = await pool.query<Found>(look)
  const drawn = tables.flatMap(({ ids }, index) => (ids && rows[0]?.drawn[index] ? [ids] : []))
  const filled = tables.map((table, index) => ({ ...table, size: rows[0]?.sizes[index] })).filter(({ size }) => size)
  const [large, small] = [filled.filter(isLarge), filled.filter((table) => !isLarge(table))]
  await truncate(pool, large)
  // Few rows are deleted, without triggers: truncation makes new files for a table and its indexes.
  const deletions = small.map(({ name }) => `delete from ${name}`)
  const restarts = drawn.map((ids) => `select setval('${ids}', 1, false)`)
  if (deletions.length + restarts.length === 0) return
  await pool.query([...deletions, ...restarts].join(';'))
}

interface Table {
  name: string
  /** The sequence of its ids. */
  ids: string | null
}

/** Of each table the size where it has rows, and whether ids of it have been drawn. */
interface Found {
  sizes: (number | null)[]
  drawn: (boolean | null)[]
}

interface Tables {
  key: string
  /** Row-level security hides rows from others, who cannot do without triggers either. */
  isSuper: boolean
  tables: Table[]
  /** One statement that looks at all of them, which a connection plans once. */
  look: { name: string; text: string }
}

const TO_EMPTY = `relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'standin')
  and relname not in ('${MIGRATIONS_TABLE}', 'secrets', 'clerk_instance')`
const KEY = {
  name: 'key',
  text: `select md5(string_agg(oid::text, ',' order by oid)) as key from pg_class where ${TO_EMPTY}`,
}
const TABLES = `
  select pg_class.oid::regclass::text as name, seqrelid::regclass::text as ids
  from pg_class left join (pg_depend join pg_sequence on seqrelid = objid) on refobjid = pg_class.oid
  where ${TO_EMPTY} order by pg_class.oid`
const IS_SUPER = 'select rolsuper as "isSuper" from pg_roles where rolname = current_user'

const known = new Map<pg.Pool, Tables>()

async function tablesOf(pool: pg.Pool): Promise<Tables> {
  const key = (await pool.query<{ key: string }>(KEY)).rows[0]?.key ?? ''
  const before = known.get(pool)
  if (before?.key === key) return before
  const { rows: tables } = await pool.query<Table>(TABLES)
  const { rows } = await pool.query<{ isSuper: boolean }>(IS_SUPER)
  const sizes = tables.map(
    ({ name }) => `case when exists (select from ${name}) then pg_relation_size('${name}')::int end`,
  )
  const drawn = tables.map(({ ids }) => (ids ? `pg_sequence_last_value('${ids}') is not null` : 'null'))
  const text = `select array[${sizes.join()}] as sizes, array[${drawn.join()}]::boolean[] as drawn`
  const found = { key, isSuper: rows[0]?.isSuper ?? false, tables, look: { name: key, text } }
  known.set(pool, found)
  return found
}

const LARGE = 200_000

function isLarge({ size }: { size?: number | null | undefined }): boolean {
  return (size ?? 0) > LARGE
}

async function truncate(pool: pg.Pool, tables: Table[]): Promise<void> {
  if (tables.length === 0) return
  await pool.query(`truncate ${tables.map(({ name }) => name).join()} restart identity cascade`)
}

const pools = new Map<string, pg.Pool>()

function poolOf(connection: pg.PoolConfig): pg.Pool {
  const key = JSON.stringify(connection)
  const pool = pools.get(key) ?? new pg.Pool({ ...connection, max: 1, allowExitOnIdle: true, verify: withoutTriggers })
  if (!pools.has(key)) pool.on('error', () => {})
  pools.set(key, pool)
  return pool
}

/** For as long as the connection lasts: each change of it has every statement planned anew. Only a superuser may. */
function withoutTriggers(client: pg.PoolClient, done: () => void): void {
  client.query('set session_replication_role = replica').then(
    () => done(),
    () => done(),
  )
}

/** False when an earlier test file of this worker has made it. */
async function makeDatabase(server: pg.PoolConfig, name: string): Promise<boolean> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`)
    return true
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42P04') return false
    throw error
  } finally {
    await client.end()
  }
}
