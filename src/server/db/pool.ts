import pg, { type Pool, type PoolClient, type PoolConfig } from 'pg'

const CONNECT_MS = 10_000

/** A pool that outlives its connections: a database that restarts fails what was asked of it, and nothing else. */
export function openPool(config: PoolConfig): Pool {
  const pool = new pg.Pool({ connectionTimeoutMillis: CONNECT_MS, ...config })
  // The pool replaces a connection that the server dropped; without a listener the drop would end the process.
  pool.on('error', () => {})
  // A connection that drops while somebody has it fails their statement; without a listener it would do the same.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Work on a connection of the pool. One that the server has ended is given to nobody else, though it looks open a while. */
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
