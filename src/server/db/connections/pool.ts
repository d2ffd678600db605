import pg, { type ClientConfig, type Pool, type PoolClient, type PoolConfig } from 'pg'
import { AppError } from '#shared/errors.ts'
import { isLost, ofDatabase, unreachable } from './failover.ts'
import { silentError, watchConnection, type Watch } from './silence.ts'

/** For a connection to become free. */
const FREE_MS = 10_000
/** For a new connection: a host that is gone, or a process that is frozen, never answers. */
const CONNECT_MS = 2500
const RETRY_SECONDS = 10

type Connected = Parameters<Pool['connect']>[0]

class RefusingPool extends pg.Pool {
  readonly #watch: Watch | undefined

  constructor(config: PoolConfig, watch: Watch | undefined) {
    super(config)
    this.#watch = watch
  }

  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | void {
    if (callback) return super.connect(callback)
    return this.#watch?.isSilent() ? Promise.reject(unreachable(silentError())) : super.connect().catch(explain)
  }
}

/** The pool's own timeout is also that of waiting for a free connection. */
class QuickClient extends pg.Client {
  constructor(config: ClientConfig = {}) {
    // The pool hides the password from copies of its options.
    const { password } = config
    super({ ...config, ...(password !== undefined && { password }), connectionTimeoutMillis: CONNECT_MS })
  }
}

/** @throws SERVER_BUSY if no connection became free in time */
function explain(error: unknown): never {
  if (isLost(ofDatabase(error))) throw unreachable(error)
  const isFull = error instanceof Error && error.message === 'timeout exceeded when trying to connect'
  throw isFull ? new AppError('SERVER_BUSY', { wait: { seconds: RETRY_SECONDS }, cause: error }) : error
}

/** A pool that outlives its connections: when the database restarts, or falls silent, only the running statements fail. */
export function openPool(config: PoolConfig, watch?: Watch): Pool {
  const pool = new RefusingPool({ connectionTimeoutMillis: FREE_MS, Client: QuickClient, ...config }, watch)
  // The pool replaces a connection that the server dropped; without a listener the drop would end the process.
  pool.on('error', () => {})
  // A connection that drops in use fails its statement; without a listener it would also end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  if (watch) pool.on('connect', (client) => watchConnection(client, watch))
  return pool
}

/** Runs work on a connection of the pool. One that the server has ended is not reused, even if it still looks open. */
export async function onConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isEnded = false
  try {
    return await work(client)
  } catch (error) {
    isEnded = error instanceof pg.DatabaseError && error.severity === 'FATAL'
    throw error
  } finally {
    client.release(isEnded)
  }
}
