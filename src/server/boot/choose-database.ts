import { resolve } from 'node:path'
import type { PoolConfig } from 'pg'
import type { Logins } from '#server/db/connections/logins.ts'
import type { Env } from '#server/env.ts'
import { StartError } from '#server/start-error.ts'
import type { LocalDatabase, LocalEnvironment } from './local-environment.ts'

export interface ChosenDatabase {
  /** The PostgreSQL that this machine runs itself; undefined with DATABASE_URL. */
  embedded: LocalDatabase | undefined
  /** As the owner of the tables. */
  connection: PoolConfig
  /** Undefined where the owner's connections have to switch to the roles. */
  logins: Logins | undefined
}

export const ONE_LOGIN =
  'The server logs in to the database as the owner of its tables. Set SYSTEM_DATABASE_URL and ' +
  'MIGRATION_DATABASE_URL as well, so that an injected query cannot act as the owner'

/** The PostgreSQL of the environment, or the local one, which is started where it does not run. */
export async function chooseDatabase(env: Env, local: LocalEnvironment | undefined): Promise<ChosenDatabase> {
  return (
    configuredDatabase(env) ?? localDatabase(await present(local).startDatabase({ dataDir: resolve(env.DATA_DIR) }))
  )
}

/** The same, but the local one only where a server has started it. @throws StartError where none runs */
export async function joinDatabase(env: Env, local: LocalEnvironment | undefined): Promise<ChosenDatabase> {
  const configured = configuredDatabase(env)
  if (configured) return configured
  const dataDir = resolve(env.DATA_DIR)
  const joined = await present(local).joinDatabase({ dataDir })
  if (joined) return localDatabase(joined)
  throw new StartError(
    `No database is running in ${dataDir}. Start the server first (npm start), or set DATABASE_URL, or the same DATA_DIR as the server.`,
  )
}

// readEnv has refused a production without DATABASE_URL.
function present(local: LocalEnvironment | undefined): LocalEnvironment {
  if (!local) throw new Error('There is neither DATABASE_URL nor a local database')
  return local
}

function localDatabase(embedded: LocalDatabase): ChosenDatabase {
  return { embedded, connection: embedded.connection, logins: embedded.logins }
}

function configuredDatabase(env: Env): ChosenDatabase | undefined {
  const { DATABASE_URL, SYSTEM_DATABASE_URL, MIGRATION_DATABASE_URL } = env
  if (!DATABASE_URL) return undefined
  if (!SYSTEM_DATABASE_URL || !MIGRATION_DATABASE_URL) {
    return { embedded: undefined, connection: { connectionString: DATABASE_URL }, logins: undefined }
  }
  const logins = { app: { connectionString: DATABASE_URL }, system: { connectionString: SYSTEM_DATABASE_URL } }
  return { embedded: undefined, connection: { connectionString: MIGRATION_DATABASE_URL }, logins }
}
