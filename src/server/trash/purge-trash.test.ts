import Fastify from 'fastify'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { requireReader, type RequestContext } from '#server/context.ts'
import { removeContract } from '#server/contracts/contracts.service.ts'
import { removeCustomer } from '#server/customers/customers.service.ts'
import type { Database } from '#server/db/database.ts'
import { holdStatement } from '#support/held-rows.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { purgeTrash } from './purge-trash.ts'
import { listTrash, restoreFromTrash } from './trash.service.ts'

const world = useWorld()
const DELETED_AT = new Date('2026-03-10T12:00:00Z')
const GONE_AT = new Date('2026-04-09T12:00:00Z')

const anOwner = () => anAccount(world, { services: { now: () => DELETED_AT, billingNow: () => DELETED_AT } })

async function purge(now: Date, db: Database = world.db) {
  const { log } = Fastify({ logger: { level: 'silent' } })
  const services = fakeServices({ now: () => now })
  await purgeTrash({ db: db.as('job:purge-trash'), services, log, signal: new AbortController().signal })
}

async function aDeletedContract(request: RequestContext) {
  const { id, customerId } = await aContract(request)
  await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
  await asSubscriber(request, (ctx) => removeCustomer(ctx, { id: customerId }))
}

const inTrash = async (request: RequestContext) =>
  (await listTrash(requireReader(request), { limit: 1, skip: 0 })).total

const Counted = z.object({ count: z.int() })

const storedIn = async (request: RequestContext, table: 'customers' | 'contracts') => {
  const read = world.db.readAs(request.caller?.id ?? 0, { trash: true })
  const [row] = await read(sql`select count(*)::int as count from ${raw(table)}`, Counted)
  return row?.count
}

test('what is in the trash for 30 days is gone, of every account, and nothing else', async () => {
  const [mine, theirs] = [await anOwner(), await anOwner()]
  for (const request of [mine, theirs]) {
    await aDeletedContract(request)
    await aContract(request)
  }
  await purge(new Date(GONE_AT.getTime() - 1))
  expect(await inTrash(mine)).toBe(2)
  await purge(GONE_AT)
  for (const request of [mine, theirs]) {
    expect(await inTrash(request)).toBe(0)
    expect(await storedIn(request, 'contracts')).toBe(1)
    expect(await storedIn(request, 'customers')).toBe(1)
  }
  expect((await world.db.system.query('select * from totals_drift()')).rows).toEqual([])
})

test('very many go a batch after the other', async () => {
  const request = await anOwner()
  const { id, customerId } = await aContract(request)
  await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
  const accountId = request.caller?.id ?? 0
  await world.db.writeAs(accountId, (em) =>
    em.execute(`insert into contracts
      (account_id, customer_id, amount_cents, renewal_cycle, start_date, renewal_date, status, deleted_at)
      select ${accountId}, ${customerId}, 100, 'monthly', '2026-01-01', '2026-04-01', 'active', '2026-03-10T12:00:00Z'
      from generate_series(1, 1200)`),
  )
  expect(await inTrash(request)).toBe(1201)
  await purge(GONE_AT)
  expect(await inTrash(request)).toBe(0)
})

test.each(['contracts', 'customers'] as const)(
  'of %s, what is restored and deleted again meanwhile stays in the trash',
  async (table) => {
    const request = await anOwner()
    const remove = table === 'contracts' ? removeContract : removeCustomer
    const made = async () => {
      const { id } = await (table === 'contracts' ? aContract(request) : aCustomer(request))
      await asSubscriber(request, (ctx) => remove(ctx, { id }))
      return id
    }
    const [held, again] = [await made(), await made()]
    await using lock = await holdStatement(world, `select from ${table} where id = $1 for update`, [held])
    const purging = purge(GONE_AT)
    await lock.waitedFor(1)
    await asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers: [], contracts: [], [table]: [again] }))
    await asSubscriber(request, (ctx) =>
      remove({ ...ctx, services: fakeServices({ now: () => GONE_AT }) }, { id: again }),
    )
    await lock.release()
    await purging
    const { rows } = await listTrash(requireReader(request), { limit: 10, skip: 0 })
    expect(rows).toMatchObject([{ id: again, deletedAt: GONE_AT }])
  },
)

test('whatever crashes, everything is gone once, and the totals are right', async () => {
  const request = await anOwner()
  for (let each = 0; each < 3; each += 1) await aDeletedContract(request)
  for (const failing of [1, 2]) {
    let writes = 0
    const writeAs: Database['writeAs'] = async (accountId, work) => {
      writes += 1
      const crashes = writes === failing
      return world.db.as('job:purge-trash').writeAs(accountId, async (em, write) => {
        const done = await work(em, write)
        if (crashes) throw new Error('the server was killed')
        return done
      })
    }
    const crashing: Database = { ...world.db, writeAs, as: () => crashing }
    await purge(GONE_AT, crashing)
    expect(await inTrash(request)).toBeGreaterThan(0)
    expect((await world.db.system.query('select * from totals_drift()')).rows).toEqual([])
  }
  await Promise.all([purge(GONE_AT), purge(GONE_AT)])
  expect(await inTrash(request)).toBe(0)
  expect((await world.db.system.query('select * from totals_drift()')).rows).toEqual([])
})
