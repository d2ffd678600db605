import { createHash } from 'node:crypto'
import pg from 'pg'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { migrate } from './migrating/migrate.ts'
import { readRows } from './rows.ts'

const database = useOwnedDatabase(`secrets_before_${process.pid}`)
const ROWS = `insert into accounts (clerk_user_id, email, trial_used_at) values ('a', 'Ann@Mill.test', now())`

const Secrets = z.object({ key: z.string(), hash: z.instanceof(Buffer), bodies: z.string() })

async function asOwner(): Promise<z.output<typeof Secrets>> {
  const client = new pg.Client(database.owner)
  await client.connect()
  const statement = sql`
    select unsubscribe_key() as key, trial_hash(' ANN@mill.test') as hash,
    (select string_agg(prosrc, ' ') from pg_proc where proname in ('unsubscribe_key', 'trial_hash')) as bodies`
  const [row] = await readRows(client, statement, Secrets)
  await client.end()
  if (!row) throw new Error('no secrets')
  return row
}

test('secrets that were in functions stay what they were, and neither role can read where they are now', async () => {
  await database.asOf('0017-trials-by-address', ROWS)
  const before = await asOwner()
  const inBodies = [...before.bodies.matchAll(/'([\w-]{43})'/g)].map(([, secret]) => secret ?? '')
  const trialSecret = inBodies.find((secret) => secret !== before.key) ?? ''
  expect(inBodies).toContain(before.key)
  expect(createHash('sha256').update(`${trialSecret}ann@mill.test`).digest()).toEqual(before.hash)

  await migrate(database.owner)
  const after = await asOwner()
  expect(after).toMatchObject({ key: before.key, hash: before.hash })
  for (const secret of inBodies) expect(after.bodies).not.toContain(secret)

  const db = await openDatabase(database.owner)
  try {
    expect((await db.system.query('select unsubscribe_key() as key')).rows).toEqual([{ key: before.key }])
    await expect(db.readAs(1)(sql`select unsubscribe_key()`)).rejects.toThrow('permission denied for function')
    await expect(db.readAs(1)(sql`select * from secrets`)).rejects.toThrow('permission denied for table secrets')
    await expect(db.system.query('select * from secrets')).rejects.toThrow('permission denied for table secrets')
    await expect(db.writeAs(1, (em) => em.execute('select unsubscribe_key()'))).rejects.toThrow('permission denied')
    const { rows } = await db.system.query(
      `select clerk_user_id as id from accounts where trial_hash(email) = trial_hash('ann@mill.test ')`,
    )
    expect(rows).toEqual([{ id: 'a' }])
  } finally {
    await db.close()
  }
})

test('every new database has secrets of its own', async () => {
  await migrate(database.owner)
  const { rows } = await database.admin.query(`select value from secrets where value ~ '^[\\w-]{43}$'`)
  expect(rows).toHaveLength(2)
  const { key } = await asOwner()
  expect(rows).not.toContainEqual({ value: key })
})

test('no function, view or column default of a new database has a secret in its text', async () => {
  const { admin } = database
  const holding = async () => {
    const { rows } = await admin.query(`
      with texts as (
        select proname as holder, prosrc as body from pg_proc union all
        select viewname, definition from pg_views union all
        select adrelid::regclass::text, pg_get_expr(adbin, adrelid) from pg_attrdef)
      select holder from texts join secrets on position(value in body) > 0`)
    return rows.map(({ holder }) => holder)
  }
  expect(await holding()).toEqual([])
  await admin.query('begin')
  const { rows } = await admin.query('select value from secrets limit 1')
  await admin.query(`create function planted() returns text language sql as $$ select '${rows[0]?.value}' $$`)
  expect(await holding()).toEqual(['planted'])
  await admin.query('rollback')
})
