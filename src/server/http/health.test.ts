import fastify from 'fastify'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/boot/open-database.ts'
import { migrate } from '#server/db/migrating/migrate.ts'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { healthRoutes } from './health.ts'

const database = useOwnedDatabase(`health_${process.pid}`)

test('/readyz refuses, like every other call, with a sentence and a key', async () => {
  const { admin, owner } = database
  await admin.query(`grant traxx_app, traxx_system to health_${process.pid}`)
  await migrate(owner)
  const db = await openDatabase(owner)
  const app = fastify()
  await app.register(healthRoutes, { db })
  const ready = async () => {
    const { statusCode, body } = await app.inject('/readyz')
    return [statusCode, JSON.parse(body)]
  }
  expect(await ready()).toMatchObject([200, { status: 'ok' }])

  const owned = new pg.Client(owner)
  await owned.connect()
  await owned.query(`insert into migrations (name, executed_at) values ('9999-of-a-newer-version', now())`)
  expect(await ready()).toMatchObject([200, { status: 'ok' }])
  await owned.query(`delete from migrations where name = '9999-of-a-newer-version'`)
  await owned.query(`delete from migrations where name = (select max(name) from migrations)`)
  await owned.end()
  expect(await ready()).toEqual([503, { error: 'The database is not migrated', refusal: 'DATABASE_BEHIND' }])

  await db.close()
  expect(await ready()).toEqual([503, { error: 'The database does not respond', refusal: 'DATABASE_UNAVAILABLE' }])
})

test('calls of /readyz that come together ask the database once', async () => {
  const db = await openDatabase(database.owner)
  const app = fastify()
  let asked = 0
  const query: typeof db.system.query = (...statement) => {
    asked += 1
    return db.system.query(...statement)
  }
  await app.register(healthRoutes, { db: { ...db, system: { ...db.system, query } } })
  await app.inject('/readyz')
  const once = asked
  await Promise.all(Array.from({ length: 100 }, () => app.inject('/readyz')))
  expect(asked).toBe(2 * once)
  await app.inject('/readyz')
  expect(asked).toBe(3 * once)
  await db.close()
})
