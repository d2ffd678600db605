import { ForeignKeyConstraintViolationException } from '@mikro-orm/core'
import sql from 'sql-template-tag'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { addDays } from '#shared/domain/day.ts'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { AppError } from '#shared/errors.ts'
import { ListContracts, ListCustomers } from '#shared/schemas/filters.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { listContracts, removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import type { RequestContext } from '#server/context.ts'
import { listCustomers, removeCustomer } from '#server/customers/customers.service.ts'
import { readDashboard } from '#server/dashboard/dashboard.service.ts'
import { removeContractForGood, removeCustomerForGood, restoreFromTrash } from '#server/trash/trash.service.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, TODAY, useWorld } from '#support/world.ts'
import { readRows } from './rows.ts'
import { isViolation } from './violations.ts'

const world = useWorld()
const KEPT = ['contract_totals', 'contract_due_days', 'contract_start_months', 'customer_totals']
let owner: pg.Client

beforeAll(async () => {
  owner = new pg.Client(world.connection)
  await owner.connect()
})

afterAll(() => owner.end())

const DriftRow = z.object({ kept_table: z.string(), account_id: z.int() })

async function drift() {
  return readRows(world.db.system, sql`select * from totals_drift() order by kept_table`, DriftRow)
}

function accountOf(request: RequestContext): number {
  return requireReader(request).accountId
}

describe('after any changes by several connections at once', () => {
  test.each([1, 2, 3])('the kept totals are what the rows add up to (%i)', async (seed) => {
    const accounts = [await anAccount(world), await anAccount(world)]
    const workers = Array.from({ length: 6 }, (_, index) => work(accounts, randomFrom(seed * 100 + index)))
    await Promise.all(workers)
    expect(await drift()).toEqual([])
    for (const account of accounts) await expectTotalsToBeCounts(account)
  })
})

type Random = (below: number) => number

/** The same numbers for the same seed. */
function randomFrom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

async function work(accounts: RequestContext[], random: Random) {
  for (let step = 0; step < 25; step += 1) {
    const request = accounts[random(accounts.length)]
    const change = CHANGES[random(CHANGES.length)]
    if (request && change) await change(request, random).catch(ignoreRefusal)
  }
}

// Rows that are gone, customers that have contracts, and those in the trash, which can have none.
function ignoreRefusal(error: unknown) {
  if (error instanceof AppError || error instanceof ForeignKeyConstraintViolationException) return
  if (isViolation(error, 'foreign key')) return
  throw error
}

/** Small numbers, so that workers often meet on the same row. */
const anId = (random: Random) => 1 + random(60)
const someday = (random: Random) => addDays(TODAY, random(120) - 40)
const pick = <Value>(values: readonly Value[], random: Random) => values[random(values.length)] ?? values[0]

const CHANGES: ((request: RequestContext, random: Random) => Promise<unknown>)[] = [
  (request, random) =>
    aContract(request, {
      amount: 1 + random(1000),
      startDate: '2025-12-31',
      renewalDate: someday(random),
      renewalCycle: pick(RENEWAL_CYCLES, random) ?? 'monthly',
      status: pick(CONTRACT_STATUSES, random) ?? 'active',
    }),
  (request, random) => {
    const status = pick(CONTRACT_STATUSES, random)
    const input = UpdateContract.parse({
      id: anId(random),
      status,
      renewalDate: someday(random),
      amount: 5 + random(9),
    })
    return asSubscriber(request, (ctx) => updateContract(ctx, input))
  },
  (request, random) => asSubscriber(request, (ctx) => removeContract(ctx, { id: anId(random) })),
  (request, random) => asSubscriber(request, (ctx) => removeCustomer(ctx, { id: anId(random) })),
  (request, random) =>
    asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers: [anId(random)], contracts: [anId(random)] })),
  (request, random) => asSubscriber(request, (ctx) => removeContractForGood(ctx, { id: anId(random) })),
  (request, random) => asSubscriber(request, (ctx) => removeCustomerForGood(ctx, { id: anId(random) })),
  (request) => aCustomer(request),
  (request, random) =>
    manyRows(request, `update contracts set amount_cents = amount_cents + 1 where id % 3 = ${random(3)}`),
  (request, random) =>
    manyRows(request, `update contracts set status = '${pick(CONTRACT_STATUSES, random)}' where id % 5 = ${random(5)}`),
  (request, random) => manyRows(request, `delete from contracts where id % 7 = ${random(7)}`),
  (request, random) =>
    manyRows(
      request,
      `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
      select account_id, id, 100 * id, date '2026-03-01' + id % 20, 'yearly', date '2026-04-01' + id % 20, 'pending'
      from customers where id % 4 = ${random(4)}`,
    ),
  async (request) => {
    const undone = asSubscriber(request, async ({ em }) => {
      await em.execute('select 1')
      throw new AppError('CONTRACT_NOT_FOUND')
    })
    await undone
  },
]

function manyRows(request: RequestContext, statement: string) {
  return world.db.writeAs(accountOf(request), (em) => em.execute(statement))
}

async function expectTotalsToBeCounts(request: RequestContext) {
  const ctx = requireReader(request)
  const count = async (condition: string) => {
    const text = `select count(*)::int as counted from contracts where account_id = ${ctx.accountId} and deleted_at is null and ${condition}`
    const [row] = await readRows(owner, { text, values: [] }, z.object({ counted: z.int() }))
    return row?.counted
  }
  const total = async (filter: object) => (await listContracts(ctx, ListContracts.parse(filter))).total
  expect(await total({})).toBe(await count('true'))
  for (const status of CONTRACT_STATUSES) {
    expect(await total({ status })).toBe(await count(`status = '${status}'`))
    for (const cycle of RENEWAL_CYCLES)
      expect(await total({ status, cycle })).toBe(await count(`status = '${status}' and renewal_cycle = '${cycle}'`))
  }
  const open = `status in ('pending', 'active')`
  expect(await total({ expiring: true })).toBe(
    await count(`${open} and renewal_date between '${TODAY}' and '2026-03-31'`),
  )
  const dashboard = await readDashboard(ctx)
  expect(dashboard.overdue).toBe(await count(`${open} and renewal_date < '${TODAY}'`))
  expect(dashboard.expiringSoon).toBe(
    await count(`${open} and renewal_date between '${TODAY}' and '${addDays(TODAY, 30)}'`),
  )
  const { rows } = await owner.query(
    `select count(*)::int as counted from customers where account_id = ${ctx.accountId} and deleted_at is null`,
  )
  expect((await listCustomers(ctx, ListCustomers.parse({}))).total).toBe(rows[0]?.counted)
}

test('a deleted account takes its totals along, and leaves those of others', async () => {
  const [gone, kept] = [await anAccount(world), await anAccount(world)]
  for (const request of [gone, kept]) await aContract(request)
  await world.db.system.query('delete from accounts where id = $1', [accountOf(gone)])
  for (const table of KEPT) {
    const { rows } = await owner.query(`select distinct account_id as account from ${table}`)
    expect({ table, rows }).toEqual({ table, rows: [{ account: accountOf(kept) }] })
  }
  expect(await drift()).toEqual([])
})

test('no day is kept on which nothing is due any more', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request, { renewalDate: '2026-05-01' })
  await asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, renewalDate: '2026-06-01' })))
  const days = await owner.query('select renewal_date::text as day, contracts from contract_due_days')
  expect(days.rows).toEqual([{ day: '2026-06-01', contracts: 1 }])
  await asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, status: 'expired' })))
  expect((await owner.query('select from contract_due_days')).rowCount).toBe(0)
})

test('what was written past the triggers is told, and counted anew on request', async () => {
  const request = await anAccount(world)
  await aContract(request)
  await owner.query('alter table contracts disable trigger keep_totals_of_update')
  await owner.query(`update contracts set amount_cents = 7, status = 'cancelled', start_date = '2025-01-01'`)
  await owner.query('alter table contracts enable trigger keep_totals_of_update')
  const account_id = accountOf(request)
  expect(await drift()).toEqual([
    { kept_table: 'contract_due_days', account_id },
    { kept_table: 'contract_start_months', account_id },
    { kept_table: 'contract_totals', account_id },
  ])
  await owner.query('select recount_totals()')
  expect(await drift()).toEqual([])
})

describe('the app role', () => {
  test.each(KEPT)('reads the totals of its account in %s, and writes none', async (table) => {
    const [mine, theirs] = [await anAccount(world), await anAccount(world)]
    for (const request of [mine, theirs]) await aContract(request)
    const rows = await world.db.writeAs(accountOf(mine), (em) =>
      em.execute<{ account_id: number }[]>(`select account_id from ${table}`),
    )
    expect(new Set(rows.map((row) => row.account_id))).toEqual(new Set([accountOf(mine)]))
    for (const statement of [`delete from ${table}`, `update ${table} set account_id = account_id`])
      await expect(manyRows(mine, statement)).rejects.toThrow('permission denied')
  })

  test('cannot count anew or look for drift', async () => {
    const request = await anAccount(world)
    for (const name of ['recount_totals', 'totals_drift'])
      await expect(manyRows(request, `select ${name}()`)).rejects.toThrow('permission denied')
  })
})
