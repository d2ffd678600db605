import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { MikroORM } from '@mikro-orm/postgresql'
import Fastify from 'fastify'
import { strFromU8, unzipSync } from 'fflate'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { accessOf } from '#shared/domain/access.ts'
import { ENTITIES } from '#server/boot/entities.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { requireReader, type RequestContext } from '#server/context.ts'
import type { Database } from '#server/db/database.ts'
import { ormConfig } from '#server/db/connections/orm-config.ts'
import { readRows } from '#server/db/rows.ts'
import { exportAccount } from '#server/exports/exports.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { callerOf } from '#support/archives.ts'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { fakeServices, memoryFiles } from '#support/services.ts'
import { fixtureNames, insertionOf, readFixture } from '#support/upgrade-fixtures.ts'
import { requestOf } from '#support/world.ts'

/** Nine days after the rows were written: in every account, messages have become due. */
const NOW = new Date('2027-02-10T23:00:00Z')
const services = { now: () => NOW, billingNow: () => NOW, files: memoryFiles() }

/** Sums, which migrations may count anew. */
const KEPT_TOTALS = ['contract_due_days', 'contract_start_months', 'contract_totals', 'customer_totals']

/** Files of the export that are called as their tables are. */
const EXPORTED = ['customers', 'contracts', 'reminders', 'notifications', 'imports', 'activity', 'notes', 'tags']

const UserRow = z.object({ userId: z.string() })
const DriftRow = z.object({ kept_table: z.string(), account_id: z.int() })

test('there are rows of 0017 and of later versions', () => {
  expect(fixtureNames()[0]).toMatch(/^0017-/)
  expect(fixtureNames().length).toBeGreaterThan(4)
})

describe.each(fixtureNames())('an upgrade from %s', (name) => {
  const database = useOwnedDatabase(`as_of_${name.slice(0, 4)}_${process.pid}`)
  const old = readFixture(name)
  let db: Database
  let requests: RequestContext[]

  beforeAll(async () => {
    await database.asOf(name, insertionOf(old))
    await database.migrate()
    db = (await openDatabase(database.owner)).as('operator')
    const users = await readRows(db.system, sql`select clerk_user_id as "userId" from accounts order by id`, UserRow)
    const all = await Promise.all(users.map(({ userId }) => requestOf({ db }, userId, services)))
    requests = all.filter(({ caller }) => accessOf(caller?.subscription ?? null, NOW) !== 'checkout')
    return () => db.close()
  })

  /** How many rows of a table the account had then. */
  const before = (table: string, { caller }: RequestContext) =>
    (old[table] ?? []).filter((row) => row['account_id'] === caller?.id).length

  test('keeps the rows of every table', async () => {
    const tables = Object.keys(old).filter((table) => !KEPT_TOTALS.includes(table))
    const parts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
    const { rows } = await database.asAdmin((client) => client.query(`select ${parts.join()}`))
    expect(rows[0]).toEqual(Object.fromEntries(tables.map((table) => [table, old[table]?.length])))
  })

  test('counts totals without drift', async () => {
    expect(await readRows(db.system, sql`select * from totals_drift()`, DriftRow)).toEqual([])
  })

  test('leaves rows that entities can read', async () => {
    const orm = await MikroORM.init(ormConfig(await database.adminConnection(), ENTITIES))
    const em = orm.em.fork()
    const found: Record<string, number> = {}
    for (const { class: entity, tableName } of orm.getMetadata().getAll().values())
      if (old[tableName]) found[tableName] = (await em.find(entity, {})).length
    await orm.close()
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((table) => [table, old[table]?.length])))
    expect(found).toHaveProperty('contracts')
  })

  test('shows every account what it had', async () => {
    expect(requests.length).toBeGreaterThan(5)
    for (const request of requests) {
      const caller = callerOf(request)
      const [customers, contracts] = [
        await caller.customers.list({ limit: 100 }),
        await caller.contracts.list({ limit: 100 }),
      ]
      const inTrash = (await caller.trash.list({})).rows
      const deleted = (kind: string) => inTrash.filter((row) => row.kind === kind).length
      expect(customers.rows.length + deleted('customer')).toBe(before('customers', request))
      expect(contracts.rows.length + deleted('contract')).toBe(before('contracts', request))
      for (const { id } of contracts.rows) {
        await caller.contracts.terms({ id })
        await caller.reminders.ofContract({ id })
        await caller.activity.list({ about: 'contract', id })
      }
      await caller.dashboard.get()
      await caller.reminders.settings()
      await caller.reminders.texts()
      await caller.company.get()
      await caller.reminders.coming({})
      await caller.reminders.list({ limit: 100 })
      await caller.notifications.list({ limit: 100 })
      await caller.imports.list({})
    }
  })

  test('lets accounts export everything', async () => {
    // A simulated one, and one that used everything.
    for (const request of [requests[0], requests.at(-1)]) {
      if (!request) throw new Error('No account may read')
      const archive = unzipSync(await buffer(Readable.from(exportAccount(requireReader(request)))))
      const rowsIn = (file: string) => JSON.parse(strFromU8(archive[`${file}.json`] ?? new Uint8Array())).length
      const kept = EXPORTED.filter((table) => old[table])
      expect(kept.map(rowsIn)).toEqual(kept.map((table) => before(table, request)))
    }
  })

  test('plans new messages, and none a second time', async () => {
    const messages = () => database.asAdmin(async (client) => (await client.query(MESSAGES)).rows)
    const then = await messages()
    await planReminders({
      db,
      services: fakeServices(services),
      log: Fastify().log,
      signal: new AbortController().signal,
    })
    const now = await messages()
    expect(now.length).toBeGreaterThan(then.length)
    expect(now.filter(({ count }) => count > 1)).toEqual(then.filter(({ count }) => count > 1))
  })
})

/** How many messages there are about the same day of the same renewal, to the same reader. */
const MESSAGES = `
  select contract_id, renewal_date::text, kind, offset_days, recipient, contact_id, channel, count(*)::int
  from reminders where kind <> 'manual' and contract_id is not null group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7`
