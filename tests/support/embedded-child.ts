import { startEmbedded } from '#standins/postgres/embedded-postgres.ts'
import pg from 'pg'

/**
 * An app process for the tests of the embedded server: `embedded-child.ts <data folder>` starts it, tells how that
 * went, and then commits one number after the other, telling each, until it is killed.
 */
const { connection, created, adopted } = await startEmbedded({ dataDir: process.argv[2] ?? '' })
const client = new pg.Client(connection)
await client.connect()
// Two processes that create it at once would disturb each other even with "if not exists".
await client.query('select pg_advisory_lock(1)')
await client.query('create table if not exists numbers (number int)')
await client.query('select pg_advisory_unlock(1)')
tell({ connection, created, adopted })

for (let number = 1; ; number++) {
  await client.query('insert into numbers values ($1)', [number])
  tell({ committed: number })
}

function tell(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
