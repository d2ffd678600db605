import { expect, test } from 'vitest'
import { z } from 'zod'
import { readRows } from '#server/db/rows.ts'
import { useWorld } from '#support/world.ts'
import { LARGE_TABLES } from './account-data.ts'

const world = useWorld()

/** What an account may have very many of, imports aside. */
const MANY = ['activity', 'contracts', 'customers', 'notifications', 'reminders']

test('what an account may have a row of for each contract, customer or message is deleted in batches', async () => {
  const text = `
    select conrelid::regclass::text as name, bool_or(confdeltype = 'c') as "goesWithThem" from pg_constraint
    where contype = 'f' and confrelid::regclass::text = any($1) and conrelid <> confrelid group by 1`
  const row = z.object({ name: z.string(), goesWithThem: z.boolean() })
  const tables = await readRows(world.db.system, { text, values: [MANY] }, row)
  const inOneStatement = tables.filter(({ name, goesWithThem }) => !goesWithThem && !LARGE_TABLES.includes(name))
  expect(tables.filter(({ goesWithThem }) => goesWithThem).length).toBeGreaterThan(3)
  expect(MANY.filter((name) => !LARGE_TABLES.includes(name))).toEqual([])
  expect(inOneStatement.map(({ name }) => name)).toEqual([])
})
