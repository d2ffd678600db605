import { anAccount, useWorld } from '#support/world.ts'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginDemo, finishDemo, readDemoState } from './demo-state.ts'

const world = useWorld()
let client: pg.Client

beforeEach(async () => {
  client = new pg.Client(world.connection)
  await client.connect()
})

afterEach(() => client.end())

async function aUser(): Promise<string> {
  const { caller } = await anAccount(world)
  return caller?.clerkUserId ?? ''
}

test('a demo is possible while nobody has an account', async () => {
  expect(await readDemoState(client)).toBe('possible')
})

test('there will be no demo in a database that somebody uses', async () => {
  await aUser()
  expect(await readDemoState(client)).toBe('none')
})

test('a demo that was begun is known as such, before and after its account is made', async () => {
  await beginDemo(client, 'user_demo')
  expect(await readDemoState(client)).toBe('begun')
  await beginDemo(client, await aUser())
  expect(await readDemoState(client)).toBe('begun')
})

test('a finished demo stays while its account does', async () => {
  const user = await aUser()
  await beginDemo(client, user)
  await finishDemo(client)
  expect(await readDemoState(client)).toBe('finished')
  await world.db.system.query('delete from accounts where clerk_user_id = $1', [user])
  expect(await readDemoState(client)).toBe('none')
})
