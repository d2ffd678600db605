import { emptyDatabase, workerConnection } from '#support/database.ts'
import pg from 'pg'
import { afterEach, beforeAll, expect, test } from 'vitest'

let connection: pg.PoolConfig

beforeAll(async () => {
  connection = await workerConnection()
})

afterEach(() => emptyDatabase(connection))

async function ask(statement: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const ADD_ACCOUNT = `insert into accounts (clerk_user_id, email) values ('user_1', 'ann@example.test') returning id`

test('a worker finds a migrated and empty database', async () => {
  expect(await ask('select count(*)::int as accounts from accounts')).toEqual([{ accounts: 0 }])
})

test('emptying forgets all rows and drawn numbers', async () => {
  await ask(ADD_ACCOUNT)
  await emptyDatabase(connection)
  expect(await ask('select id from accounts')).toEqual([])
  expect(await ask(ADD_ACCOUNT)).toEqual([{ id: 1 }])
})

test('emptying starts numbers again where the row itself is gone already', async () => {
  await ask(ADD_ACCOUNT)
  await ask('delete from accounts')
  await emptyDatabase(connection)
  expect(await ask(ADD_ACCOUNT)).toEqual([{ id: 1 }])
})

test('emptying keeps the list of migrations', async () => {
  await emptyDatabase(connection)
  expect(await ask('select * from migrations')).not.toEqual([])
})
