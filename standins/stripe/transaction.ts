import type pg from 'pg'
import { WRITERS_LOCK } from './tables.ts'

/** One transaction, and the moment it happens at. */
export interface Transaction {
  readonly client: pg.PoolClient
  /** Unix seconds on the stand-in's clock. What fell due earlier happens at its own moment. */
  readonly now: number
  readonly request: { id: string | null; idempotency_key: string | null }
}

/** Runs `work` in a transaction, alone among the writers. */
export function writing<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return transaction(pool, 'begin', async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [WRITERS_LOCK])
    return work(client)
  })
}

/** Runs `work` on one unchanging view of the data. */
export function reading<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return transaction(pool, 'begin isolation level repeatable read read only', work)
}

async function transaction<T>(pool: pg.Pool, begin: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query(begin)
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => (broken = true))
    throw error
  } finally {
    client.release(broken)
  }
}
