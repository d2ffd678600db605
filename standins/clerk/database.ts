import type pg from 'pg'

/** One connection inside a transaction. */
export type Db = Pick<pg.ClientBase, 'query'>

export async function inTransaction<Result>(pool: pg.Pool, work: (db: Db) => Promise<Result>): Promise<Result> {
  const connection = await pool.connect()
  try {
    await connection.query('begin')
    const result = await work(connection)
    await connection.query('commit')
    connection.release()
    return result
  } catch (error) {
    await abandon(connection)
    throw error
  }
}

/** A connection that cannot even roll back is not lent again. */
async function abandon(connection: pg.PoolClient): Promise<void> {
  try {
    await connection.query('rollback')
    connection.release()
  } catch {
    connection.release(true)
  }
}

/** The row of a statement that always gives one. */
export function only<Row>({ rows: [row] }: { rows: Row[] }): Row {
  if (row === undefined) throw new Error('The statement gave no row')
  return row
}
