import { PostgresDialect, PostgresDriver, type TransactionSettings } from 'kysely'
import type { Pool } from 'pg'

/** Lets MikroORM work on our pool. */
export class WritingDialect extends PostgresDialect {
  readonly #pool: Pool

  constructor(pool: Pool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): PostgresDriver {
    return new ReleasingDriver({ pool: this.#pool })
  }
}

type Connection = Parameters<PostgresDriver['releaseConnection']>[0]

/** Kysely keeps a connection on which a transaction could not begin, or not be rolled back: one that the server has ended. */
class ReleasingDriver extends PostgresDriver {
  override async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    try {
      await super.beginTransaction(connection, settings)
    } catch (error) {
      await this.releaseConnection(connection)
      throw error
    }
  }

  override async rollbackTransaction(connection: Connection): Promise<void> {
    // The server has rolled back by itself, and what the work failed with tells why.
    await super.rollbackTransaction(connection).catch(() => {})
  }
}
