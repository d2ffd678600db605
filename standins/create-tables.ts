import pg, { type PoolConfig } from 'pg'
import type { Env } from '#server/env.ts'
import { createDemoTable } from './demo/demo-state.ts'
import { openStandins } from './open-standins.ts'

/** All tables of the stand-ins, for rows of a backup. */
export async function createTables(env: Env, connection: PoolConfig): Promise<void> {
  // Also of those that the environment has keys for by now.
  const none = { SMTP_URL: undefined, CLERK_SECRET_KEY: undefined, STRIPE_SECRET_KEY: undefined }
  const standins = await openStandins({ ...env, ...none }, connection)
  await standins.close()
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await createDemoTable(client)
  } finally {
    await client.end()
  }
}
