import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PoolConfig } from 'pg'
import { startEmbedded } from '#standins/postgres/embedded-postgres.ts'
import { migrate } from '#server/db/migrating/migrate.ts'

export interface OwnDatabase {
  connection: PoolConfig
  /** What the server logs. */
  logFile: string
  stop: () => Promise<void>
}

/** A migrated PostgreSQL in a temporary folder, or in this one. It waits for the disk as in production. */
export async function openOwnDatabase(
  settings: Record<string, string> = {},
  dataDir = mkdtempSync(join(tmpdir(), 'traxx-bench-')),
): Promise<OwnDatabase> {
  chmodSync(dataDir, 0o755)
  const { connection, location, stop } = await startEmbedded({ dataDir, settings })
  const close = async () => {
    await stop()
    for (const folder of [location, dataDir]) rmSync(folder, { recursive: true, force: true })
  }
  try {
    await migrate(connection)
    return { connection, logFile: join(location, 'server.log'), stop: close }
  } catch (error) {
    await close()
    throw error
  }
}
