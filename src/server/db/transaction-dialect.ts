import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from 'kysely'
import type { AccountTransaction } from './account-transaction.ts'

/** Lets MikroORM work inside a transaction that somebody else begins and ends. */
export function dialectOf(transaction: AccountTransaction): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOf(connectionOf(transaction)),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

function driverOf(connection: DatabaseConnection): Driver {
  const nothing = async () => {}
  return {
    acquireConnection: async () => connection,
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    init: nothing,
    destroy: nothing,
  }
}

function connectionOf(transaction: AccountTransaction): DatabaseConnection {
  return {
    executeQuery: async ({ sql, parameters }) => {
      const { command, rowCount, rows } = await transaction.query(sql, parameters)
      return { rows, ...(command !== 'SELECT' && { numAffectedRows: BigInt(rowCount ?? 0) }) }
    },
    streamQuery: () => {
      throw new Error('A transaction of an account reads no streams')
    },
  }
}
