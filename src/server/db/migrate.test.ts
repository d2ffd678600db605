import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import sql from 'sql-template-tag'
import { workerConnection } from '#support/database.ts'
import { inDatabase } from '#support/template.ts'
import { openDatabase, refuseBypass } from './database.ts'
import { migrate } from './migrate.ts'

const NAME = `owner_${process.pid}`
let admin: pg.Client
let owner: pg.PoolConfig

beforeAll(async () => {
  const connection = await workerConnection()
  admin = new pg.Client(connection)
  await admin.connect()
  await admin.query(`create role ${NAME} login password 'x'`)
  await admin.query(`create database ${NAME} owner ${NAME}`)
  owner = ownedBy(connection)
})

afterAll(async () => {
  await admin.query(`drop database ${NAME} with (force)`)
  await admin.query(`drop role ${NAME}`)
  await admin.end()
})

function ownedBy(connection: pg.PoolConfig): pg.PoolConfig {
  const other = inDatabase(connection, NAME)
  if (!other.connectionString) return { ...other, user: NAME }
  const url = new URL(other.connectionString)
  url.username = NAME
  url.password = 'x'
  return { ...other, connectionString: url.href }
}

test('an owner who may not create roles is told what an administrator has to do, and then bound by the policies', async () => {
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

test('a database that a newer TRAXX has migrated is refused', async () => {
  await migrate(owner)
  const client = new pg.Client(owner)
  await client.connect()
  try {
    await client.query(`insert into migrations (name) values ('0099-from-the-future')`)
    await expect(migrate(owner)).rejects.toThrow('migrated by a newer TRAXX (0099-from-the-future)')
  } finally {
    await client.query(`delete from migrations where name = '0099-from-the-future'`)
    await client.end()
  }
})

test('a connection that row-level security does not bind is refused', async () => {
  const pool = new pg.Pool(await workerConnection())
  const { rows } = await pool.query<{ name: string }>('select current_user as name')
  await expect(refuseBypass(pool, rows[0]?.name ?? '')).rejects.toThrow('which row-level security does not bind')
  await pool.end()
})
