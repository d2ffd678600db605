import pg from 'pg'
import { expect, test } from 'vitest'
import { z } from 'zod'
import sql from 'sql-template-tag'
import { workerConnection } from '#support/database.ts'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { refuseBypass } from '#server/db/connections/logins.ts'
import { migrate } from './migrate.ts'
import { readRows } from '#server/db/rows.ts'

const NAME = `owner_${process.pid}`
const database = useOwnedDatabase(NAME)

test('an owner who may not create roles is told what an administrator has to do, and then bound by the policies', async () => {
  const { admin, owner } = database
  await expect(migrate(owner)).rejects.toThrow(/may not do this: grant traxx_app to current_user/)
  await admin.query(`grant traxx_app, traxx_system to ${NAME}`)
  await Promise.all([migrate(owner), migrate(owner)])
  const db = await openDatabase(owner)
  try {
    await db.system.query(`insert into accounts (clerk_user_id, email) values ('a', 'a@x'), ('b', 'b@x')`)
    expect(await db.readAs(2)(sql`select id from accounts`)).toEqual([{ id: 2 }])
  } finally {
    await db.close()
  }
})

test('a server that waits for the migrations of another does not hold up an index that these create concurrently', async () => {
  const { admin, owner } = database
  await migrate(owner)
  const other = new pg.Client(owner)
  await other.connect()
  try {
    await other.query('select pg_advisory_lock(7238201)')
    const waiting = migrate(owner)
    await expect
      .poll(async () => {
        const asked = sql`select from pg_stat_activity where datname = ${NAME} and query like '%advisory_lock($1)%'`
        return (await admin.query(asked)).rowCount
      })
      .toBe(1)
    // In the session that holds the lock, so that PostgreSQL notices a deadlock.
    await other.query('create index concurrently accounts_for_test on accounts (email)')
    await other.query('select pg_advisory_unlock(7238201)')
    await waiting
  } finally {
    await other.query('drop index if exists accounts_for_test')
    await other.end()
  }
})

test('a migration lets statements pass while it cannot get its lock, and is done when it can', async () => {
  const { owner } = database
  // The next one changes this table.
  const [reader, writer] = [new pg.Client(owner), new pg.Client(owner)]
  await Promise.all([reader.connect(), writer.connect()])
  try {
    await writer.query(`alter table idempotency_keys drop column if exists claim_id`)
    await writer.query(`delete from migrations where name = '${CLAIMS}'`)
    await reader.query('begin; lock table idempotency_keys in access share mode')
    const never = migrate(owner, undefined, { last: CLAIMS, waiting: { lockMs: 20, pauseMs: 20, times: 2 } })
    await expect(never).rejects.toThrow('another statement has locked a table')
    const waiting = migrate(owner, undefined, { last: CLAIMS, waiting: { lockMs: 20, pauseMs: 20, times: 10_000 } })
    await expect.poll(() => lockWaits(writer)).toBeGreaterThan(0)
    expect((await writer.query('select from idempotency_keys')).rowCount).toBe(0)
    await reader.query('commit')
    await waiting
    expect((await writer.query('select claim_id from idempotency_keys')).rowCount).toBe(0)
  } finally {
    await Promise.all([reader.end(), writer.end()])
  }
})

const CLAIMS = '0097-claims-of-idempotency-keys'

async function lockWaits(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount ?? 0
}

test('a database that a newer TRAXX has migrated is refused', async () => {
  const { owner } = database
  await migrate(owner)
  const client = new pg.Client(owner)
  await client.connect()
  try {
    await client.query(`insert into migrations (name) values ('9999-from-the-future')`)
    await expect(migrate(owner)).rejects.toThrow('migrated by a newer TRAXX (9999-from-the-future)')
  } finally {
    await client.query(`delete from migrations where name = '9999-from-the-future'`)
    await client.end()
  }
})

test('a connection that row-level security does not bind is refused', async () => {
  const pool = new pg.Pool(await workerConnection())
  const [user] = await readRows(pool, sql`select current_user as name`, z.object({ name: z.string() }))
  await expect(refuseBypass(pool, user?.name ?? '')).rejects.toThrow('not bound by row-level security')
  await pool.end()
})
