import { MikroORM, type EntityManager } from '@mikro-orm/postgresql'
import pg, { type Pool, type PoolConfig } from 'pg'
import type { Sql } from 'sql-template-tag'
import { StartError } from '#server/start-error.ts'
import { ormConfig } from './orm-config.ts'
import { asAccount, read } from './read.ts'
import { APP_ROLE, SYSTEM_ROLE } from './tenant-policies.ts'
import { writeTogether, type WriteEach } from './write-together.ts'
import { write } from './write.ts'

/** Runs one statement and answers its plain rows. `Row` says what the statement selects. */
export type Read = <Row extends object>(statement: Sql, planning?: Planning) => Promise<Row[]>

/**
 * Once for all accounts, which suits a statement that has one good plan; or each time for its values, where what is
 * good depends on how many rows there are.
 */
export type Planning = 'once' | 'each time'

const CONNECT_MS = 10_000

export interface Database {
  /** Reads as the app role; the account's row-level security is set for the one statement's transaction. */
  readAs(accountId: number): Read
  /** One transaction in which entities are written and rows read, for one account. */
  writeAs<T>(accountId: number, work: (em: EntityManager, read: Read) => Promise<T>): Promise<T>
  /** One transaction for several accounts, whose every statement sees but the account that it is for. */
  writeTogether<T>(work: (write: WriteEach) => Promise<T>): Promise<T>
  /** For identity, webhooks and jobs alone, which work across accounts; it sees only the tables they need. */
  readonly system: Pool
  /** Runs `work` while no other process runs work of the same name. It holds no transaction open. */
  oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T>
  readonly orm: MikroORM
  close(): Promise<void>
}

// A statement is planned once for all accounts. The planner then thinks of an average one, for which sorting would do;
// in the largest, only an index in the list's order does. Compiling plans is for statements that take seconds.
const FOR_READING =
  '-c default_transaction_read_only=on -c plan_cache_mode=force_generic_plan -c enable_sort=off -c jit=off'

// Who waits for another of the same account, at its sums, waits so long at most: the connection is everybody's.
const FOR_WRITING = { max: 8, connectionTimeoutMillis: CONNECT_MS, options: `${asRole(APP_ROLE)} -c lock_timeout=20s` }

/** Connects as roles that row-level security binds; refuses to go on where it would not. */
export async function openDatabase(connection: PoolConfig): Promise<Database> {
  const reads = openPool({ ...connection, max: 8, options: `${asRole(APP_ROLE)} ${FOR_READING}` })
  const system = openPool({ ...connection, max: 4, options: asRole(SYSTEM_ROLE) })
  await refuseBypass(reads, APP_ROLE)
  await refuseBypass(system, SYSTEM_ROLE)
  const locks = openPool({ ...connection, max: 8, options: asRole(SYSTEM_ROLE) })
  const orm = await MikroORM.init(ormConfig({ ...connection, ...FOR_WRITING }))
  return {
    orm,
    system,
    readAs: (accountId) => (statement, planning) => read(reads, asAccount(accountId, planning), statement),
    writeAs: (accountId, work) => write(orm, accountId, work),
    writeTogether: (work) => writeTogether(orm, work),
    oneAtATime: inTurn((name, work) => oneAtATime(locks, name, work)),
    close: async () => {
      await Promise.all([orm.close(), reads.end(), system.end(), locks.end()])
    },
  }
}

type OneAtATime = Database['oneAtATime']

// Within the process a name waits for its turn before it takes a connection, so that one name never takes them all.
function inTurn(run: OneAtATime): OneAtATime {
  const turns = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const turn = (turns.get(name) ?? Promise.resolve()).catch(() => {}).then(() => run(name, work))
    turns.set(name, turn)
    const leave = () => turns.get(name) === turn && turns.delete(name)
    turn.then(leave, leave)
    return turn
  }
}

// A lock of the session, not of a transaction: the work may wait for services outside.
async function oneAtATime<T>(locks: Pool, name: string, work: () => Promise<T>): Promise<T> {
  const client = await locks.connect()
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
    return await work()
  } finally {
    const unlocked = await client.query('select pg_advisory_unlock_all()').catch(() => undefined)
    client.release(unlocked === undefined)
  }
}

function asRole(role: string): string {
  return `-c role=${role}`
}

/** A pool that outlives its connections: a database that restarts fails what was asked of it, and nothing else. */
export function openPool(config: PoolConfig): Pool {
  const pool = new pg.Pool({ connectionTimeoutMillis: CONNECT_MS, ...config })
  // The pool replaces a connection that the server dropped; without a listener the drop would end the process.
  pool.on('error', () => {})
  // A connection that drops while somebody has it fails their statement; without a listener it would do the same.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** @throws StartError where the pool's connections are not of this role, or row-level security does not bind it. */
export async function refuseBypass(pool: Pool, role: string) {
  const { rows } = await pool.query<{ name: string; bypasses: boolean }>(
    'select rolname as name, rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
  )
  const current = rows[0]
  if (current?.name === role && !current.bypasses) return
  throw new StartError(`The database connection works as ${current?.name}, which row-level security does not bind`)
}
