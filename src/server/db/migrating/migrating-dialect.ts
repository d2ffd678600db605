import {
  CompiledQuery,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type TransactionSettings,
} from 'kysely'
import pg, { type PoolConfig } from 'pg'

/**
 * Transactions that wait at most this long for a lock. Migrations without a transaction wait: creating an index
 * concurrently has to wait for all transactions, and leaves an invalid one if it is ended.
 */
export function migratingDialect(connection: PoolConfig, lockMs: number): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new MigratingDriver({ pool: new pg.Pool(connection) }, lockMs),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

class MigratingDriver extends PostgresDriver {
  readonly #lockMs: number

  constructor(config: ConstructorParameters<typeof PostgresDriver>[0], lockMs: number) {
    super(config)
    this.#lockMs = lockMs
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await super.beginTransaction(connection, settings)
    await connection.executeQuery(CompiledQuery.raw(`set local lock_timeout = ${this.#lockMs}`))
  }
}
