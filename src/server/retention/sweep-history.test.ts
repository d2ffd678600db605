import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { checkingEach } from '#server/db/rows.ts'
import type { Database } from '#server/db/database.ts'
import { listImports } from '#server/imports/imports.service.ts'
import { STORAGE, type Storage } from '#server/limits/quotas.ts'
import { fakeServices } from '#support/services.ts'
import { aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'
import { sweepHistory } from './sweep-history.ts'

const world = useWorld()

function sweep(changes: Partial<Storage['quotas']> = {}, db = world.db, keptDays = STORAGE.keptDays) {
  const storage = { ...STORAGE, keptDays, quotas: { ...STORAGE.quotas, ...changes } }
  const { log } = Fastify({ logger: { level: 'silent' } })
  const { signal } = new AbortController()
  return sweepHistory({ db, services: fakeServices({ storage }), log, signal })
}

const run = (request: RequestContext, text: string) =>
  world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute<{ count: number }[]>(text))

const countOf = async (request: RequestContext, table: string) =>
  (await run(request, `select count(*)::int as count from ${table}`))[0]?.count

/** An import that ended so many days ago, with so many failed rows. */
function anImport(
  request: RequestContext,
  { days, failed, kept = 'null' }: { days: number; failed: number; kept?: string },
) {
  return run(
    request,
    `with added as (
      insert into imports (account_id, kind, file_name, sha256, headings, rows, failed, failed_kept, updated_at, finished_at)
      values (${request.caller?.id}, 'customers', 'a.csv', '', '[]', 9, ${failed}, ${kept},
        now() - interval '${days} days', now() - interval '${days} days') returning account_id, id)
    insert into import_failures (account_id, import_id, line, problems, cells)
    select account_id, id, line, '[]', '[]' from added, generate_series(1, ${kept === 'null' ? failed : kept}) line`,
  )
}

const importsOf = async (request: RequestContext) =>
  (await listImports(requireReader(request), { limit: 100, skip: 0 })).rows.map(({ id, failed, failedKept }) => [
    id,
    failed,
    failedKept,
  ])

test('notifications go when they were read long ago, a batch after the other, and others stay', async () => {
  const [mine, theirs] = [await anAccount(world), await anAccount(world)]
  for (const request of [mine, theirs]) {
    await run(
      request,
      `insert into notifications (account_id, type, title, message, read_at)
        select ${request.caller?.id}, 'other', '', '', case when n <= 4500 then now() - interval '181 days'
          when n <= 4600 then now() - interval '179 days' end from generate_series(1, 4700) n`,
    )
  }
  await sweep()
  for (const request of [mine, theirs]) expect(await countOf(request, 'notifications')).toBe(200)
})

test('notifications that nobody reads go after two years, or when the operator says', async () => {
  const request = await anAccount(world)
  await run(
    request,
    `insert into notifications (account_id, type, title, message, created_at, read_at)
      select ${request.caller?.id}, 'other', '', '', now() - days * interval '1 day',
        case when days = 800 then now() end from unnest(array[1, 729, 731, 800, 900]) days`,
  )
  await sweep()
  const ages = `select (now()::date - created_at::date) as count from notifications order by 1`
  expect(await run(request, ages)).toEqual([{ count: 1 }, { count: 729 }, { count: 800 }])
  await sweep({}, world.db, { ...STORAGE.keptDays, unreadNotifications: 700 })
  expect(await run(request, ages)).toEqual([{ count: 1 }, { count: 800 }])
})

test('a notification that was cleared goes a day later', async () => {
  const request = await anAccount(world)
  await run(
    request,
    `insert into notifications (account_id, type, title, message, cleared_at)
      select ${request.caller?.id}, 'other', '', '', now() - n * interval '10 hours' from generate_series(1, 5) n`,
  )
  await sweep()
  expect(await countOf(request, 'notifications')).toBe(2)
})

test('a notification that was cleared stays for as many days as the operator says', async () => {
  const request = await anAccount(world)
  await run(
    request,
    `insert into notifications (account_id, type, title, message, cleared_at)
      select ${request.caller?.id}, 'other', '', '', now() - n * interval '25 hours' from generate_series(1, 5) n`,
  )
  await sweep({}, world.db, { ...STORAGE.keptDays, clearedNotifications: 3 })
  expect(await countOf(request, 'notifications')).toBe(2)
})

test('an account whose history cannot be swept keeps no other from it', async () => {
  const [first, broken, last] = [await anAccount(world), await anAccount(world), await anAccount(world)]
  for (const request of [first, broken, last]) {
    await run(
      request,
      `insert into notifications (account_id, type, title, message, read_at)
        values (${request.caller?.id}, 'other', '', '', now() - interval '181 days')`,
    )
  }
  const writeTogether: Database['writeTogether'] = (work) =>
    world.db.writeTogether((write) =>
      work(
        checkingEach((asked) => {
          if (asked.some(({ accountId }) => accountId === broken.caller?.id)) throw new Error('locked for too long')
          return write(asked)
        }),
      ),
    )
  await sweep({}, { ...world.db, writeTogether })
  for (const request of [first, last]) expect(await countOf(request, 'notifications')).toBe(0)
  expect(await countOf(broken, 'notifications')).toBe(1)
})

test('failed rows go after 90 days, and before that those of the oldest imports where there are too many', async () => {
  const request = await anAccount(world)
  await anImport(request, { days: 91, failed: 3000 })
  await anImport(request, { days: 20, failed: 50 })
  await anImport(request, { days: 10, failed: 90, kept: '60' })
  await anImport(request, { days: 1, failed: 30 })
  await sweep({ failedRows: 100 })
  expect(await importsOf(request)).toEqual([
    [4, 30, 30],
    [3, 90, 60],
    [2, 50, 0],
    [1, 3000, 0],
  ])
  expect(await countOf(request, 'import_failures')).toBe(90)
  await sweep({ failedRows: 100 })
  expect(await countOf(request, 'import_failures')).toBe(90)
})

test('what imports have changed goes after 90 days, and they say so', async () => {
  const request = await anAccount(world)
  await anImport(request, { days: 91, failed: 0 })
  await anImport(request, { days: 89, failed: 0 })
  const { id: customerId } = await aCustomer(request)
  await run(
    request,
    `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
    select account_id, id, 100, '2026-01-01', 'yearly', '2027-01-01', 'active'
    from customers, generate_series(1, 2500) where id = ${customerId}`,
  )
  await run(
    request,
    `with filled as (update imports set updated = 2500, updated_kept = 2500 returning account_id, id)
    insert into import_updates (account_id, import_id, contract_id, before, version_before, version)
    select f.account_id, f.id, k.id, '{}', 1, 2 from filled f, contracts k`,
  )
  await sweep()
  const { rows } = await listImports(requireReader(request), { limit: 10, skip: 0 })
  expect(rows).toMatchObject([
    { id: 2, updated: 2500, updatedKept: 2500 },
    { id: 1, updated: 2500, updatedKept: 0 },
  ])
  expect(await countOf(request, 'import_updates')).toBe(2500)
})

test('the oldest imports go where there are too many, and leave what they have brought', async () => {
  const request = await anAccount(world)
  for (let days = 9; days > 0; days -= 1) await anImport(request, { days, failed: 1 })
  const { id } = await aCustomer(request)
  await run(request, `update customers set import_id = 1 where id = ${id}`)
  await sweep({ imports: 4 })
  expect((await importsOf(request)).map(([number]) => number)).toEqual([9, 8, 7, 6])
  expect(await countOf(request, 'customers where import_id is null')).toBe(1)
})

test('counters whose time is over and runs of jobs of long ago go', async () => {
  await world.db.system.query(`insert into rate_limits values ('past', 1, $1), ('future', 1, $2)`, [
    Date.now() - 1000,
    Date.now() + 60_000,
  ])
  await world.db.system.query(
    `insert into job_runs (name, began_at) values ('gone', now() - interval '91 days'), ('backup', now() - interval '91 days'), ('here', now())`,
  )
  await sweep()
  expect((await world.db.system.query('select key from rate_limits')).rows).toEqual([{ key: 'future' }])
  const left = await world.db.system.query('select name from job_runs order by name')
  expect(left.rows).toEqual([{ name: 'backup' }, { name: 'here' }])
})

test('runs of jobs stay for as many days as the operator says', async () => {
  await world.db.system.query(
    `insert into job_runs (name, began_at) values ('gone', now() - interval '11 days'), ('here', now() - interval '9 days')`,
  )
  await sweep({}, world.db, { ...STORAGE.keptDays, jobRuns: 10 })
  expect((await world.db.system.query('select name from job_runs')).rows).toEqual([{ name: 'here' }])
})
