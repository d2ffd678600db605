import pg, { type PoolConfig } from 'pg'
import type { Env } from '#server/env.ts'
import { createDemoTable } from './demo/demo-state.ts'
import { openStandins } from './open-standins.ts'

/** All tables of the stand-ins, for rows of a backup. */
export async function createTables(env: Env, connection: PoolConfig): Promise<void> {
  const standins = await openStandins(env, connection)
  await standins.close()
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await createDemoTable(client)
  } finally {
    await client.end()
  }
}
