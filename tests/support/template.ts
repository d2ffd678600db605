import type { PoolConfig } from 'pg'

/** The migrated database that every worker's database is a copy of. */
export const TEMPLATE = 'tpl'

/** The same server, another database. */
export function inDatabase(connection: PoolConfig, database: string): PoolConfig {
  if (!connection.connectionString) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { ...connection, connectionString: url.href }
}
