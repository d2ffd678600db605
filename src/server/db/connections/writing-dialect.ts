import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { commitUnclear, isLost } from './failover.ts'
import { noAnswer, runBatch, type Answer, type Statement } from './batch.ts'
import type { Planning } from '#server/db/database.ts'
import { wireValue } from './wire-value.ts'

/** Lets MikroORM work on our pool, with prepared statements and fewer round trips. */
export function writingDialect(pool: Pool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOf(pool),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

function driverOf(pool: Pool): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => new WritingConnection(await pool.connect()),
    beginTransaction: async (connection: WritingConnection, { isolationLevel, accessMode }) => {
      if (isolationLevel ?? accessMode) throw new Error('Transactions begin with the settings of their connection')
      connection.begin()
    },
    commitTransaction: async (connection: WritingConnection) => {
      const { command } = await connection.run('commit').catch(unlessUnclear)
      if (command !== 'COMMIT') throw new Error('The transaction had failed, and nothing was written')
    },
    rollbackTransaction: async (connection: WritingConnection) => {
      // If this fails, the server has ended the connection and rolled back; the work's own error says why.
      await connection.rollback().catch(() => {})
    },
    releaseConnection: async (connection: WritingConnection) => connection.release(),
    destroy: () => pool.end(),
  }
}

function unlessUnclear(error: unknown): never {
  throw isLost(error) ? commitUnclear(error) : error
}

/** When a statement is planned, or that it is sent with the next one. */
export type Sending = Planning | 'later'

interface PlannedQuery extends CompiledQuery {
  planning?: Sending
}

export function planned(query: CompiledQuery, planning: Sending): PlannedQuery {
  return { ...query, planning }
}

/** How MikroORM's statement starts that sets the account and the actor, right after the transaction begins. */
const SESSION = 'select set_config('

class WritingConnection implements DatabaseConnection {
  readonly #client: PoolClient
  /** Statements whose results nobody reads; they share a round trip with the next one. */
  #opening: Statement[] = []
  /** The same, of the work itself: a rollback drops them. */
  #later: Statement[] = []

  constructor(client: PoolClient) {
    this.#client = client
  }

  begin(): void {
    this.#opening.push({ text: 'begin', values: [] })
  }

  async run(text: string, values: readonly unknown[] = [], isPrepared = true): Promise<Answer> {
    // First, so that a value that cannot be encoded does not lose what opens the transaction.
    const statement = { text, values: values.map(wireValue), isPrepared }
    const answers = await runBatch(this.#client, [...this.#opening.splice(0), ...this.#later.splice(0), statement])
    return answers.at(-1) ?? noAnswer()
  }

  rollback(): Promise<Answer> {
    this.#later = []
    return this.run('rollback')
  }

  async executeQuery<Row>({ sql: text, parameters: values, planning }: PlannedQuery): Promise<QueryResult<Row>> {
    if (this.#opening.length === 1 && text.startsWith(SESSION)) {
      this.#opening.push({ text, values })
      return { rows: [] }
    }
    if (planning === 'later') {
      this.#later.push({ text, values: values.map(wireValue) })
      return { rows: [] }
    }
    const { rows, rowCount } = await this.run(text, values, planning !== 'each time')
    // oxlint-disable-next-line typescript/consistent-type-assertions -- Kysely lets callers say which rows they expect
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount) }
  }

  streamQuery(): never {
    throw new Error('Rows are read in pages, not streamed')
  }

  /** A connection that is still in a transaction is not reused. */
  release(): void {
    this.#client.release(this.#client.getTransactionStatus() !== 'I')
  }
}
