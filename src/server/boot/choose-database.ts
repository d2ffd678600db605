import { resolve } from 'node:path'
import type { PoolConfig } from 'pg'
import { joinEmbedded, startEmbedded, type EmbeddedServer } from '#standins/postgres/embedded-postgres.ts'
import type { Logins } from '#server/db/logins.ts'
import type { Env } from '#server/env.ts'
import { StartError } from '#server/start-error.ts'

export interface Cluster {
  /** The PostgreSQL that came with us; undefined with DATABASE_URL. */
  embedded: EmbeddedServer | undefined
  /** As the owner of the tables. */
  connection: PoolConfig
  /** Undefined where the owner's connections have to switch to the roles. */
  logins: Logins | undefined
}

export const ONE_LOGIN =
  'The server logs in to the database as the owner of its tables. Give it SYSTEM_DATABASE_URL and ' +
  'MIGRATION_DATABASE_URL as well, so that a query can never become more than it is'

/** The PostgreSQL of the environment, or the embedded one, which is started where it does not run. */
export async function openCluster(env: Env): Promise<Cluster> {
  return givenCluster(env) ?? embeddedCluster(await startEmbedded({ dataDir: resolve(env.DATA_DIR) }))
}

/** The same, but the embedded one only where a server has started it. @throws StartError where none runs */
export async function findCluster(env: Env): Promise<Cluster> {
  const given = givenCluster(env)
  if (given) return given
  const dataDir = resolve(env.DATA_DIR)
  const embedded = await joinEmbedded({ dataDir })
  if (embedded) return embeddedCluster(embedded)
  throw new StartError(
    `No database runs in ${dataDir}. Start the server first (npm start), or set DATABASE_URL, and DATA_DIR as the server has it.`,
  )
}

function embeddedCluster(embedded: EmbeddedServer): Cluster {
  return { embedded, connection: embedded.connection, logins: embedded.logins }
}

function givenCluster(env: Env): Cluster | undefined {
  const { DATABASE_URL, SYSTEM_DATABASE_URL, MIGRATION_DATABASE_URL } = env
  if (!DATABASE_URL) return undefined
  if (!SYSTEM_DATABASE_URL || !MIGRATION_DATABASE_URL) {
    return { embedded: undefined, connection: { connectionString: DATABASE_URL }, logins: undefined }
  }
  const logins = { app: { connectionString: DATABASE_URL }, system: { connectionString: SYSTEM_DATABASE_URL } }
  return { embedded: undefined, connection: { connectionString: MIGRATION_DATABASE_URL }, logins }
}
