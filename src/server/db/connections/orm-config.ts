import { join } from 'node:path'
import { UnderscoreNamingStrategy, type EntitySchema } from '@mikro-orm/core'
import { defineConfig } from '@mikro-orm/postgresql'
import { Migrator } from '@mikro-orm/migrations'
import type { Dialect } from 'kysely'
import type { PoolConfig } from 'pg'

export const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../../../migrations')
export const MIGRATIONS_TABLE = 'migrations'

/** For the server, on a pool as the app role; without entities, for migrations, on connections as the owner. */
export function ormConfig(connection: PoolConfig | Dialect, entities: readonly EntitySchema[] = []) {
  return defineConfig({
    entities: [...entities],
    discovery: { warnWhenNoEntities: entities.length > 0 },
    dbName: ('database' in connection && connection.database) || 'traxx',
    driverOptions: connection,
    // It exists, whatever its name is: a connection string also says it.
    ensureDatabase: false,
    namingStrategy: UnderscoreNamingStrategy,
    forceUtcTimezone: true,
    extensions: [Migrator],
    migrations: {
      path: MIGRATIONS_FOLDER,
      tableName: MIGRATIONS_TABLE,
      glob: '*.ts',
      snapshot: false,
      silent: true,
      // Each in a transaction of its own: the locks of one end before the next, and one may do without a transaction.
      allOrNothing: false,
    },
  })
}
