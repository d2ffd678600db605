import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CONTRACT_STATUSES, type ContractStatus } from '#shared/domain/contract-status.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { CONTRACT_SORTS, ListContracts } from '#shared/schemas/filters.ts'
import { CreateContract, UpdateContract } from '#shared/schemas/contracts.ts'
import { watchQueue } from '#support/held-rows.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { randomFrom } from '#support/random.ts'
import { contractFigures, getContract, listContracts, removeContract, updateContract } from './contracts.service.ts'

const world = useWorld()
const EXPIRING_EDGES = [
  ['2026-03-09', false],
  ['2026-03-10', true],
  ['2026-03-31', true],
  ['2026-04-01', false],
] as const

describe('the list', () => {
  test('is in the order in which contracts were added, until a sort is chosen', async () => {
    const request = await anAccount(world)
    for (const amount of [300, 100, 200]) await aContract(request, { amount })
    const amounts = async (filter: object) =>
      (await listContracts(requireReader(request), ListContracts.parse(filter))).rows.map((row) => row.amount)
    expect(await amounts({})).toEqual([300, 100, 200])
    expect(await amounts({ sort: 'added', direction: 'desc' })).toEqual([200, 100, 300])
    expect(await amounts({ sort: 'amount' })).toEqual([100, 200, 300])
    expect(await amounts({ sort: 'amount', direction: 'desc' })).toEqual([300, 200, 100])
  })

  test('is a page of 10 with the count of all, unless another limit is asked for', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request)
    for (let n = 0; n < 11; n += 1) await aContract(request, { customerId })
    const page = await listContracts(requireReader(request), ListContracts.parse({}))
    expect(page).toMatchObject({ total: 11, rows: { length: 10 } })
  })

  test.each(['amount', 'startDate', 'renewalDate'])('sorted by %s pages through every row once', async (sort) => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request)
    for (let n = 0; n < 12; n += 1) {
      await aContract(request, { customerId, amount: 1 + (n % 3), startDate: `2026-01-0${1 + (n % 2)}` })
    }
    const ctx = requireReader(request)
    for (const direction of ['asc', 'desc']) {
      const first = await listContracts(ctx, ListContracts.parse({ sort, direction, limit: 5 }))
      const rest = await listContracts(ctx, ListContracts.parse({ sort, direction, limit: 100, after: first.last }))
      expect(new Set([...first.rows, ...rest.rows].map((row) => row.id)).size).toBe(12)
      const again = await listContracts(ctx, ListContracts.parse({ sort, direction, limit: 5, before: rest.first }))
      expect(again.rows).toEqual(first.rows)
    }
  })

  test('openFirst: open ones by their renewal date, overdue ones on top, then the others, the latest first', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request)
    const add = (status: ContractStatus, renewalDate: string) =>
      aContract(request, { customerId, status, renewalDate, startDate: '2020-01-01' })
    await add('expired', '2024-06-01')
    await add('active', '2026-05-01')
    await add('cancelled', '2025-06-01')
    await add('pending', '2026-02-01')
    await add('expired', '2027-01-01')
    await add('active', '2026-03-10')
    const dates = async (filter: object) =>
      (await listContracts(requireReader(request), ListContracts.parse({ sort: 'openFirst', ...filter }))).rows.map(
        (row) => row.renewalDate,
      )
    const open = ['2026-02-01', '2026-03-10', '2026-05-01']
    const ended = ['2027-01-01', '2025-06-01', '2024-06-01']
    expect(await dates({})).toEqual([...open, ...ended])
    expect(await dates({ direction: 'desc' })).toEqual([...open, ...ended].toReversed())
    expect(await dates({ status: 'active' })).toEqual(['2026-03-10', '2026-05-01'])
    expect(await dates({ status: 'expired' })).toEqual(['2027-01-01', '2024-06-01'])
    expect(await dates({ renewsWithin: 60 })).toEqual(['2026-03-10', '2026-05-01'])
  })

  test('openFirst reads a page by its index, however many contracts there are', async () => {
    const request = await anAccount(world)
    const { id } = await aCustomer(request)
    await world.db.writeAs(request.caller?.id ?? 0, async (em) => {
      await em.execute(
        `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
          select ?, ?, 100, '2020-01-01', 'yearly', date '2024-01-01' + n % 2000,
            (array['active', 'pending', 'expired', 'cancelled'])[1 + n % 4] from generate_series(1, 4000) n`,
        [request.caller?.id, id],
      )
    })
    const owner = new pg.Client(world.connection)
    await owner.connect()
    await owner.query('analyze contracts')
    await owner.end()
    const plan = await world.db.writeAs(request.caller?.id ?? 0, (em) =>
      em.execute(
        `explain select k.id from contracts k where k.account_id = ? and k.deleted_at is null and (k.open_first, k.id) > (40000, 1) order by k.open_first, k.id limit 11`,
        [request.caller?.id],
      ),
    )
    expect(JSON.stringify(plan)).toMatch(/Index Cond[^}]*open_first/)
    expect(JSON.stringify(plan)).not.toContain('Sort')
  })

  const RANDOM_FILTERS = [{}, {}, { status: 'expired' }, { status: 'active' }, { cycle: 'yearly' }, { noPdf: true }]

  test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
    'whatever is in it, pages show every row once in one order, forwards and backwards (%i)',
    async (seed) => {
      const random = randomFrom(seed)
      const request = await anAccount(world)
      const { id: customerId } = await aCustomer(request)
      for (let n = random.int(0, 30); n > 0; n -= 1) {
        await aContract(request, {
          customerId,
          amount: random.int(1, 4),
          startDate: '1950-01-01',
          renewalDate: random.pick([
            '1950-01-01',
            '2026-02-28',
            '2026-03-10',
            '2026-03-10',
            '2026-04-01',
            '2999-12-31',
          ]),
          status: random.pick(CONTRACT_STATUSES),
          renewalCycle: random.pick(RENEWAL_CYCLES),
        })
      }
      const ctx = requireReader(request)
      const limit = random.int(1, 7)
      for (const sort of CONTRACT_SORTS)
        for (const direction of ['asc', 'desc']) {
          const filter = { ...random.pick(RANDOM_FILTERS), sort, direction }
          const list = (page: object) => listContracts(ctx, ListContracts.parse({ ...filter, ...page }))
          const whole = await list({ limit: 100 })
          const ids = whole.rows.map(({ id }) => id)
          expect(new Set(ids).size).toBe(whole.total)
          const [forwards, backwards]: [number[], number[]] = [[], []]
          for (let page = await list({ limit }); page.last; page = await list({ limit, after: page.last }))
            forwards.push(...page.rows.map(({ id }) => id))
          expect(forwards).toEqual(ids)
          if (!whole.last) continue
          let page = await list({ limit, before: whole.last })
          for (; page.first; page = await list({ limit, before: page.first }))
            backwards.unshift(...page.rows.map(({ id }) => id))
          expect(backwards).toEqual(ids.slice(0, -1))
        }
    },
  )

  test('filters by customer name, status and cycle, in any case', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request, { name: 'Globex' })
    await aContract(request, { customerId, status: 'pending', renewalCycle: 'yearly' })
    await aContract(request, { status: 'active' })
    const total = async (filter: object) =>
      (await listContracts(requireReader(request), ListContracts.parse(filter))).total
    expect(await total({ search: 'GLOB' })).toBe(1)
    expect(await total({ status: 'PENDING' })).toBe(1)
    expect(await total({ cycle: 'Yearly', status: 'pending' })).toBe(1)
    expect(await total({ cycle: 'monthly', status: 'pending' })).toBe(0)
  })

  test('filters by renewal date, start, email and PDF, and by all that are asked for together', async () => {
    const request = await anAccount(world)
    const { id: silent } = await aCustomer(request, { name: 'Silent' })
    const { id: reached } = await aCustomer(request, { name: 'Reached', email: 'orders@reached.test' })
    const term = { startDate: '2026-02-01' }
    await aContract(request, { ...term, customerId: silent, amount: 1, renewalDate: '2026-03-09' })
    await aContract(request, { ...term, customerId: reached, amount: 2, renewalDate: '2026-03-09', status: 'expired' })
    await aContract(request, { ...term, customerId: reached, amount: 3, renewalDate: '2026-04-09' })
    await aContract(request, { customerId: reached, amount: 4, startDate: '2026-03-11', renewalDate: '2026-04-10' })
    const { id } = await aContract(request, { ...term, customerId: reached, amount: 5, renewalDate: '2026-03-10' })
    await world.db.writeAs(request.caller?.id ?? 0, (em) =>
      em.execute(`update contracts set pdf_path = 'a.pdf', pdf_bytes = 1 where id = ?`, [id]),
    )
    const amounts = async (filter: object) => {
      const page = await listContracts(requireReader(request), ListContracts.parse(filter))
      expect(page.total).toBe(page.rows.length)
      return page.rows.map((row) => row.amount)
    }
    expect(await amounts({ overdue: 'true' })).toEqual([1])
    expect(await amounts({ renewsWithin: '30' })).toEqual([3, 5])
    expect(await amounts({ renewsWithin: 0 })).toEqual([5])
    expect(await amounts({ startedIn: '2026-02' })).toEqual([1, 2, 3, 5])
    expect(await amounts({ startedIn: '2026-03' })).toEqual([])
    expect(await amounts({ noEmail: true })).toEqual([1])
    expect(await amounts({ noPdf: true })).toEqual([1, 2, 3, 4])
    expect(await amounts({ noPdf: true, renewsWithin: 30, search: 'reached' })).toEqual([3])
    expect(await amounts({ overdue: true, renewsWithin: 30 })).toEqual([])
    expect(await amounts({ overdue: true, status: 'pending' })).toEqual([])
    expect(await amounts({ overdue: false, noEmail: 'no' })).toHaveLength(5)
  })

  test('is filtered by the last day for notice, whose column is what the domain computes', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request)
    const renewals = ['2026-03-31', '2026-05-31', '2026-04-09', '1900-01-15', '1901-12-31', '2028-02-29']
    for (const renewalDate of renewals)
      for (const noticePeriod of ['1 day', '30 days', '1 month', '24 months'])
        await aContract(request, { customerId, startDate: '1900-01-01', renewalDate, noticePeriod })
    await aContract(request, { customerId, renewalDate: '2026-03-31', noticePeriod: '10 days', status: 'expired' })
    const listed = async (filter: object) => {
      const page = await listContracts(requireReader(request), ListContracts.parse({ ...filter, limit: 100 }))
      expect(page.total).toBe(page.rows.length)
      return page.rows
    }
    const Stored = z.object({ id: z.int(), noticeDate: z.string().nullable() })
    const stored = Stored.array().parse(
      await world.db.writeAs(request.caller?.id ?? 0, (em) =>
        em.execute(`select id, notice_date as "noticeDate" from contracts order by id`),
      ),
    )
    expect(stored).toEqual((await listed({})).map(({ id, noticeDate }) => ({ id, noticeDate })))
    expect((await listed({ noticeWithin: 21 })).map(({ noticeDate }) => noticeDate)).toEqual([
      '2026-03-30',
      '2026-03-10',
    ])
  })

  test.each(EXPIRING_EDGES)('a renewal on %s is expiring this month: %s', async (renewalDate, isExpiring) => {
    const request = await anAccount(world)
    await aContract(request, { renewalDate })
    await aContract(request, { renewalDate, status: 'cancelled' })
    const page = await listContracts(requireReader(request), ListContracts.parse({ expiring: true }))
    expect(page.total).toBe(isExpiring ? 1 : 0)
    expect((await contractFigures(requireReader(request))).expiring).toBe(isExpiring ? 1 : 0)
  })
})

test('the figures add up the amounts of active contracts to the cent', async () => {
  const request = await anAccount(world)
  for (const amount of [0.1, 0.2, 9_999_999_999.99]) await aContract(request, { amount })
  await aContract(request, { amount: 50, status: 'pending' })
  expect(await contractFigures(requireReader(request))).toMatchObject({
    total: 4,
    active: 3,
    revenue: 10_000_000_000.29,
  })
})

describe('creating and changing', () => {
  test('answers the contract with its customer and the days left', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request, { name: 'Initech' })
    const contract = await aContract(request, { customerId, amount: 1234.5, renewalDate: '2026-03-12' })
    expect(contract).toMatchObject({ customerName: 'Initech', amount: 1234.5, daysLeft: 2, pdfPath: null })
    expect(await getContract(requireReader(request), contract)).toEqual(contract)
  })

  test('a field that is not sent keeps its value, and the order of the dates is kept', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, { startDate: '2026-02-01' })
    const change = (fields: object) =>
      asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, ...fields })))
    expect(await change({ status: 'EXPIRED' })).toMatchObject({ status: 'expired', amount: 100 })
    await expect(change({ renewalDate: '2026-01-31' })).rejects.toThrow('must not be before the start date')
  })

  test("another account's customer cannot be given a contract", async () => {
    const theirs = await aCustomer(await anAccount(world))
    const request = await anAccount(world)
    await expect(aContract(request, { customerId: theirs.id })).rejects.toMatchObject({ key: 'CUSTOMER_NOT_FOUND' })
    const mine = await aContract(request)
    const moving = asSubscriber(request, (ctx) => updateContract(ctx, { id: mine.id, customerId: theirs.id }))
    await expect(moving).rejects.toMatchObject({ key: 'CUSTOMER_NOT_FOUND' })
  })

  test.each([
    [{ amount: 0 }, 'Amount must be a positive number'],
    [{ amount: 'twelve' }, 'Amount must be a positive number'],
    [{ amount: 1.005 }, 'Amount must have at most two decimals'],
    [{ amount: 10_000_000_000 }, 'Amount must be at most 9,999,999,999.99'],
    [{ amount: undefined }, 'All fields are required'],
    [{ customerId: undefined }, 'All fields are required'],
    [{ startDate: '' }, 'All fields are required'],
    [{ startDate: '2026-02-30' }, 'Must be a date as YYYY-MM-DD'],
    [{ renewalDate: '2025-12-31' }, 'Renewal date must not be before the start date'],
    [{ status: 'open' }, 'Status must be pending, active, expired, or cancelled'],
  ])('%o is refused with "%s"', (changes, message) => {
    const valid = {
      customerId: 1,
      amount: 1,
      startDate: '2026-01-01',
      renewalCycle: 'MONTHLY',
      renewalDate: '2026-02-01',
    }
    const parsed = CreateContract.safeParse({ ...valid, status: 'Active', ...changes })
    expect(parsed.error?.issues[0]?.message).toBe(message)
  })
})

test("another account gets 'Contract not found', and sees none of it", async () => {
  const { id } = await aContract(await anAccount(world))
  const other = await anAccount(world)
  const notFound = { key: 'CONTRACT_NOT_FOUND' }
  await expect(getContract(requireReader(other), { id })).rejects.toMatchObject(notFound)
  await expect(asSubscriber(other, (ctx) => updateContract(ctx, { id, status: 'expired' }))).rejects.toMatchObject(
    notFound,
  )
  await expect(asSubscriber(other, (ctx) => removeContract(ctx, { id }))).rejects.toMatchObject(notFound)
  expect((await listContracts(requireReader(other), ListContracts.parse({}))).total).toBe(0)
})

test('a deleted contract is gone', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request)
  await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
  await expect(getContract(requireReader(request), { id })).rejects.toThrow('Contract not found')
})

test('two changes that overtake each other leave no contract that renews before it starts', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request, { startDate: '2026-01-01', renewalDate: '2027-06-01' })
  await using queue = await watchQueue(world)
  const [changed, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = asSubscriber(request, async (ctx) => {
    await updateContract(ctx, UpdateContract.parse({ id, startDate: '2027-05-01' }))
    changed.resolve()
    await held.promise
  })
  await changed.promise
  const second = asSubscriber(request, (ctx) =>
    updateContract(ctx, UpdateContract.parse({ id, renewalDate: '2026-03-01' })),
  )
  const refusal = second.catch((error: unknown) => error)
  await queue.waitedFor(1)
  held.resolve()
  await first
  expect(await refusal).toMatchObject({ key: 'RENEWAL_BEFORE_START' })
})
