import pg, { type Pool, type PoolConfig } from 'pg'

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
