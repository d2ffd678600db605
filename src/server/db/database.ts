import { MikroORM, type EntityManager } from '@mikro-orm/postgresql'
import pg, { type Pool, type PoolConfig } from 'pg'
import type { Sql } from 'sql-template-tag'
import type { Actor } from './actor.ts'
import { refuseBypass, refusePrivilegedLogin, type Logins } from './logins.ts'
import { ormConfig } from './orm-config.ts'
import { TEXT_DATES } from './batch.ts'
import { asAccount, read } from './read.ts'
import { systemAs, type System } from './system.ts'
import { APP_ROLE, SYSTEM_ROLE } from './tenant-policies.ts'
import { WritingDialect } from './writing-dialect.ts'
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
  /** The same database for somebody: every transaction names them as its actor. */
  as(actor: Actor): Database
  /** Reads as the app role; the account's row-level security is set for the one statement's transaction. */
  readAs(accountId: number): Read
  /** One transaction in which entities are written and rows read, for one account. */
  writeAs<T>(accountId: number, work: (em: EntityManager, read: Read) => Promise<T>): Promise<T>
  /** One transaction for several accounts, whose every statement sees but the account that it is for. */
  writeTogether<T>(work: (write: WriteEach) => Promise<T>): Promise<T>
  /** For identity, webhooks and jobs alone, which work across accounts; it sees only the tables they need. */
  readonly system: System
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
const FOR_WRITING = '-c lock_timeout=20s'

/**
 * Connects as roles that row-level security binds; refuses to go on where it would not. With logins of their own the
 * roles can become no other; without, the owner's connections take them on, and a statement could give them up again.
 */
export async function openDatabase(owner: PoolConfig, logins?: Logins): Promise<Database> {
  const connect = logins ? loggedIn(logins) : switched(owner)
  const refuse = logins ? refusePrivilegedLogin : refuseBypass
  const reads = openPool({ ...connect.app(FOR_READING), max: 8 })
  const system = openPool({ ...connect.system(), max: 4 })
  await refuse(reads, APP_ROLE)
  await refuse(system, SYSTEM_ROLE)
  const locks = openPool({ ...connect.system(), max: 8 })
  const writes = openPool({ ...connect.app(FOR_WRITING), max: 8, types: TEXT_DATES })
  const orm = await MikroORM.init(ormConfig(new WritingDialect(writes)))
  const shared = {
    orm,
    oneAtATime: inTurn((name, work) => oneAtATime(locks, name, work)),
    close: async () => {
      await Promise.all([orm.close(), reads.end(), system.end(), locks.end()])
    },
  }
  const databaseOf = (actor: Actor): Database => ({
    ...shared,
    as: databaseOf,
    system: systemAs(system, actor),
    readAs: (accountId) => (statement, planning) => read(reads, asAccount({ accountId, actor }, planning), statement),
    writeAs: (accountId, work) => write(orm, { accountId, actor }, work),
    writeTogether: (work) => writeTogether(writes, actor, work),
  })
  return databaseOf('')
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

function loggedIn({ app, system }: Logins) {
  return { app: (options: string) => ({ ...app, options }), system: () => system }
}

function switched(owner: PoolConfig) {
  return {
    app: (options: string) => ({ ...owner, options: `-c role=${APP_ROLE} ${options}` }),
    system: () => ({ ...owner, options: `-c role=${SYSTEM_ROLE}` }),
  }
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
