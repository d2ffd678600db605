import type { Pool } from 'pg'
import { runBatch, type Statement } from './batch.ts'
import type { Planning } from './database.ts'

/**
 * One statement in one round trip, for the account that the opening sets. It is set for the statement's transaction,
 * which begins and ends with it; the pool's connections let it only read.
 */
export async function read<Row extends object>(pool: Pool, opening: Statement, statement: Statement): Promise<Row[]> {
  const client = await pool.connect()
  try {
    const [, rows = []] = await runBatch<Row>(client, [opening, statement])
    return rows
  } finally {
    client.release()
  }
}

const ACCOUNT = `set_config('app.account_id', $1, true)`
const EACH_TIME = `set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_sort', 'on', true)`

/** Makes row-level security let through the account's rows, until the transaction ends. */
export function asAccount(accountId: number, planning: Planning = 'once'): Statement {
  return { text: planning === 'once' ? `select ${ACCOUNT}` : `select ${ACCOUNT}, ${EACH_TIME}`, values: [accountId] }
}
