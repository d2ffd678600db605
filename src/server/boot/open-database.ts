import { MikroORM } from '@mikro-orm/postgresql'
import type { PoolConfig } from 'pg'
import { AppError } from '#shared/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import { checking } from '#server/db/rows.ts'
import type { Database } from '#server/db/database.ts'
import { isLost, isUnreachable, isUnwritten, whileUnavailable } from '#server/db/connections/failover.ts'
import { openGate } from '#server/db/connections/gate.ts'
import { openLocks } from '#server/db/connections/locks.ts'
import { refuseBypass, refusePrivilegedLogin, type Logins } from '#server/db/connections/logins.ts'
import { ormConfig } from '#server/db/connections/orm-config.ts'
import { openPool } from '#server/db/connections/pool.ts'
import { answers, watchDatabase } from '#server/db/connections/silence.ts'
import { asAccount, read, type Acting } from '#server/db/connections/read.ts'
import { systemAs, type System, type SystemTransactions } from '#server/db/connections/system.ts'
import { APP_ROLE, SYSTEM_ROLE } from '#server/db/tenant-policies.ts'
import { writingDialect } from '#server/db/connections/writing-dialect.ts'
import { writeTogether } from '#server/db/connections/write-together.ts'
import { write } from '#server/db/connections/write.ts'
import { ENTITIES } from './entities.ts'

// A statement is planned once for all accounts. The planner then thinks of an average one, for which sorting would do;
// in the largest, only an index in the list's order does. Compiling plans is for statements that take seconds.
const FOR_READING =
  '-c default_transaction_read_only=on -c plan_cache_mode=force_generic_plan -c enable_sort=off -c jit=off'

// Bounds lock waits, because connections are shared.
const FOR_WRITING = '-c lock_timeout=20s'
// What waits for longer lets others have the connection, and is run again for five seconds.
const FOR_ACCOUNTS = '-c lock_timeout=300ms'

/** Connections for reading, and as many for writing. Once half are taken, an account that has one gets no second. */
const CONNECTIONS = 8
/** One for the lock of each job that runs (jobs.ts), and four for the locks that jobs take on the way. */
const JOB_CONNECTIONS = 16
/** For statements of the system role that may wait for rows of one account. */
const ACCOUNT_CONNECTIONS = 2
/** Each may wait for five seconds. */
const MOST_WAITING_FOR_ACCOUNT = 4
const GATE = { atOnce: 3, crowdedAt: CONNECTIONS / 2, mostWaiting: 100, mostAhead: 1000 }

/** How a silent database is noticed, in milliseconds; see `silence.ts`. */
interface Watching {
  patienceMs?: number
  answerMs?: number
}

/**
 * Connects as roles that row-level security binds; refuses to go on where it would not. With logins of their own the
 * roles can become no other; without, the owner's connections take them on, and a statement could give them up again.
 */
export async function openDatabase(
  owner: PoolConfig,
  logins?: Logins,
  { patienceMs, answerMs }: Watching = {},
): Promise<Database> {
  const connect = logins ? loggedIn(logins) : switched(owner)
  const refuse = logins ? refusePrivilegedLogin : refuseBypass
  const watch = watchDatabase({ isThere: () => answers(connect.system(), answerMs), patienceMs })
  const reads = openPool({ ...connect.app(FOR_READING), max: CONNECTIONS }, watch)
  const system = openPool({ ...connect.system(), max: 4 }, watch)
  await refuse(reads, APP_ROLE)
  await refuse(system, SYSTEM_ROLE)
  const ofAccounts = openPool({ ...connect.system(FOR_ACCOUNTS), max: ACCOUNT_CONNECTIONS }, watch)
  const locks = openPool({ ...connect.system(), max: CONNECTIONS }, watch)
  const jobLocks = openPool({ ...connect.system(), max: JOB_CONNECTIONS }, watch)
  const writes = openPool({ ...connect.app(FOR_WRITING), max: CONNECTIONS }, watch)
  const orm = await MikroORM.init(ormConfig(writingDialect(writes), ENTITIES))
  const reading = openGate(GATE)
  const writing = openGate(GATE)
  const changing = openGate({ ...GATE, atOnce: 1, mostWaiting: MOST_WAITING_FOR_ACCOUNT })
  const locksOf = openLocks({ locks, jobLocks })
  const systemNow = (actor: Actor) => systemAs(system, actor)
  const shared = {
    orm,
    close: async () => {
      watch.close()
      await Promise.all([orm.close(), reads.end(), system.end(), ofAccounts.end(), locks.end(), jobLocks.end()])
    },
  }
  const databaseOf = (actor: Actor): Database => ({
    ...shared,
    ...locksOf(actor),
    as: databaseOf,
    system: {
      query: (query, values) => whileUnavailable(() => systemNow(actor).query(query, values), isUnreachable),
      transaction: (statements) => whileUnavailable(() => systemNow(actor).transaction(statements), isUnreachable),
    },
    systemNow: systemNow(actor),
    systemFor: (accountId) => {
      const work = <T>(run: (system: System & SystemTransactions) => Promise<T>) =>
        inTurn(changing, { accountId, actor }, () => run(systemAs(ofAccounts, actor)))
      return {
        query: (query, values) => work((system) => system.query(query, values)),
        transaction: (statements) => work((system) => system.transaction(statements)),
      }
    },
    readAs: (accountId, { trash } = {}) => {
      const acting = { accountId, actor, trash }
      return checking((statement, planning) =>
        whileUnavailable(() => reading(acting, () => read(reads, asAccount(acting, planning), statement)), isLost),
      )
    },
    writeAs: (accountId, work) => {
      const acting = { accountId, actor }
      return whileUnavailable(() => writing(acting, () => write(orm, acting, work)), isUnwritten)
    },
    writeTogether: (work) => whileUnavailable(() => writeTogether(writes, actor, work), isUnreachable),
  })
  return databaseOf('')
}

/** Runs work that a gate lets through, again for up to five seconds while something else has locked what it needs. */
function inTurn<T>(gate: ReturnType<typeof openGate>, acting: Acting, run: () => Promise<T>): Promise<T> {
  const isBusy = (error: unknown) => error instanceof AppError && error.key === 'ACCOUNT_BUSY'
  return whileUnavailable(() => gate(acting, () => whileUnavailable(run, isBusy)), isUnreachable)
}

function loggedIn({ app, system }: Logins) {
  return { app: (options: string) => ({ ...app, options }), system: (options = '') => ({ ...system, options }) }
}

function switched(owner: PoolConfig) {
  return {
    app: (options: string) => ({ ...owner, options: `-c role=${APP_ROLE} ${options}` }),
    system: (options = '') => ({ ...owner, options: `-c role=${SYSTEM_ROLE} ${options}` }),
  }
}
