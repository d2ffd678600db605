import pg from 'pg'
import { expect, test } from 'vitest'
import { fillAccount } from '#support/archives.ts'
import { emptyDatabase } from '#support/database.ts'
import { fixtureOf, insertionOf, parseFixture } from '#support/upgrade-fixtures.ts'
import { aCustomer, anAccount, requestOf, useWorld } from '#support/world.ts'

const world = useWorld()

test('rows that are kept for upgrades come back as they were, and IDs go on after them', async () => {
  const request = await anAccount(world)
  await fillAccount(request)
  const client = new pg.Client(world.connection)
  await client.connect()
  const kept = parseFixture(await fixtureOf(client))
  await emptyDatabase(world.connection)
  await client.query(insertionOf(kept))
  const again = parseFixture(await fixtureOf(client))
  await client.end()
  expect(again).toEqual(kept)
  expect(kept).toMatchObject({ accounts: [{ clerk_user_id: request.caller?.clerkUserId }] })
  const ids = (kept['customers'] ?? []).map(({ id }) => Number(id))
  const { id } = await aCustomer(await requestOf(world, request.caller?.clerkUserId ?? ''))
  expect(id).toBe(Math.max(...ids) + 1)
})
