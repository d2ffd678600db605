import pg, { type Pool, type PoolClient } from 'pg'

/** Work on a connection of the pool. One that the server has ended is given to nobody else, though it looks open a while. */
export async function onConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isEnded = false
  try {
    return await work(client)
  } catch (error) {
    isEnded = error instanceof pg.DatabaseError && error.severity === 'FATAL'
    throw error
  } finally {
    client.release(isEnded)
  }
}
