import { describe, expect, test } from 'vitest'
import { addDays } from '#shared/domain/day.ts'
import { isExpiringSoon, isNoticeDue, isOverdue } from '#shared/domain/contract-term.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, TODAY, useWorld } from '#support/world.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { EndContract } from '#shared/schemas/renewals.ts'
import { ListContracts } from '#shared/schemas/filters.ts'
import { contractFigures, listContracts, removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { endContract } from '#server/contracts/renewals.service.ts'
import { readDashboard } from './dashboard.service.ts'

const world = useWorld()

test('percentages and averages of nothing are 0', async () => {
  const dashboard = await readDashboard(requireReader(await anAccount(world)))
  expect(Object.values(dashboard).filter((value) => typeof value === 'number')).toEqual(Array(14).fill(0))
  expect(dashboard).toMatchObject({ overdueContracts: [], noticeContracts: [], expiringContracts: [] })
})

test('revenue counts active contracts, per month by their cycle, and the average divides by them', async () => {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request)
  await aContract(request, { customerId, amount: 100, renewalCycle: 'monthly' })
  await aContract(request, { customerId, amount: 100, renewalCycle: 'quarterly' })
  await aContract(request, { customerId, amount: 100, renewalCycle: 'yearly' })
  await aContract(request, { customerId, amount: 5000, status: 'cancelled' })
  const dashboard = await readDashboard(requireReader(request))
  expect(dashboard).toMatchObject({
    totalContracts: 4,
    activeContracts: 3,
    totalCustomers: 1,
    totalRevenue: 300,
    monthlyRevenue: 141.67,
    averageContractValue: 100,
    successRate: 75,
    contractsPerCustomer: 4,
  })
})

test.each([-1, 0, 1, 29, 30, 31])(
  '%s days from today: the filter in SQL and the rule of the domain agree',
  async (days) => {
    const request = await anAccount(world)
    const renewalDate = addDays(TODAY, days)
    await aContract(request, { renewalDate, status: 'pending' })
    await aContract(request, { renewalDate, status: 'expired' })
    const dashboard = await readDashboard(requireReader(request))
    const term = { renewalDate, status: 'pending' } as const
    expect(dashboard.overdue).toBe(isOverdue(term, TODAY) ? 1 : 0)
    expect(dashboard.overdueContracts).toHaveLength(dashboard.overdue)
    expect(dashboard.expiringSoon).toBe(isExpiringSoon(term, TODAY) ? 1 : 0)
    expect(dashboard.expiringContracts).toHaveLength(dashboard.expiringSoon)
  },
)

test.each([-1, 0, 7, 8])('%s days until the last day for notice: SQL and the domain agree', async (days) => {
  const request = await anAccount(world)
  const noticeDate = addDays(TODAY, days)
  const term = { renewalDate: addDays(noticeDate, 60), noticePeriod: '60 days' }
  await aContract(request, { ...term, status: 'pending' })
  await aContract(request, { ...term, status: 'cancelled' })
  const dashboard = await readDashboard(requireReader(request))
  expect(dashboard.noticeDue).toBe(isNoticeDue({ status: 'pending', noticeDate, endsOn: null }, TODAY) ? 1 : 0)
  expect(dashboard.noticeContracts).toHaveLength(dashboard.noticeDue)
  expect(dashboard.requiringAttention).toBe(dashboard.noticeDue)
})

test('a contract whose notice is due and which renews soon is in both lists, and counted once; one that ends is in neither', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request, { renewalDate: addDays(TODAY, 20), noticePeriod: '15 days' })
  const ending = await aContract(request, { renewalDate: addDays(TODAY, 60), noticePeriod: '2 months' })
  await aContract(request, { renewalDate: addDays(TODAY, -2), noticePeriod: '15 days' })
  await aContract(await anAccount(world), { renewalDate: addDays(TODAY, 20), noticePeriod: '15 days' })
  const end = { id: ending.id, reason: 'other', on: ending.renewalDate }
  await asSubscriber(request, (ctx) => endContract(ctx, EndContract.parse(end)))
  const dashboard = await readDashboard(requireReader(request))
  expect(dashboard).toMatchObject({ overdue: 1, noticeDue: 1, expiringSoon: 1, requiringAttention: 2 })
  expect(dashboard.noticeContracts.map((contract) => contract.id)).toEqual([id])
  expect(dashboard.expiringContracts.map((contract) => contract.id)).toEqual([id])
})

test('126 overdue contracts hide none of those that expire soon, and the other way round', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  const add = (count: number, renewalDate: string) =>
    world.db.writeAs(request.caller?.id ?? 0, (em) =>
      em.execute(
        `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
          select ?, ?, 100, '2025-01-01', 'yearly', ?, 'active' from generate_series(1, ?)`,
        [request.caller?.id, id, renewalDate, count],
      ),
    )
  await add(126, '2026-02-01')
  await add(3, '2026-03-20')
  const few = await readDashboard(requireReader(request))
  expect(few).toMatchObject({ overdue: 126, expiringSoon: 3 })
  expect([few.overdueContracts.length, few.expiringContracts.length]).toEqual([100, 3])
  await add(117, '2026-03-21')
  const many = await readDashboard(requireReader(request))
  expect([many.overdueContracts.length, many.expiringContracts.length]).toEqual([100, 100])
  const onScreen = await readDashboard(requireReader(request), 50)
  expect([onScreen.overdueContracts.length, onScreen.expiringContracts.length]).toEqual([50, 50])
  expect(onScreen.overdueContracts).toEqual(many.overdueContracts.slice(0, 50))
})

test('what a card counts is what the contracts list has behind its filter', async () => {
  const request = await anAccount(world)
  for (const days of [-40, -1, 0, 12, 21, 22, 30, 31])
    for (const status of ['pending', 'active', 'expired'] as const)
      await aContract(request, { renewalDate: addDays(TODAY, days), status, startDate: '2025-12-31' })
  await aContract(request, { renewalDate: addDays(TODAY, 64), noticePeriod: '2 months', startDate: '2025-12-31' })
  await aContract(request, { startDate: '2026-03-01', renewalDate: '2027-03-01' })
  await aContract(request, { startDate: '2026-03-11', renewalDate: '2027-03-11' })
  const ctx = requireReader(request)
  const total = async (filter: object) => (await listContracts(ctx, ListContracts.parse(filter))).total
  const dashboard = await readDashboard(ctx)
  const figures = await contractFigures(ctx)
  expect(dashboard).toMatchObject({ overdue: 4, expiringSoon: 10 })
  expect(await total({ overdue: true })).toBe(dashboard.overdue)
  expect(await total({ noticeWithin: 7 })).toBe(dashboard.noticeDue)
  expect(await total({ renewsWithin: 30 })).toBe(dashboard.expiringSoon)
  expect(await total({ expiring: true })).toBe(figures.expiring)
  expect(await total({ status: 'active' })).toBe(dashboard.activeContracts)
  for (const { month, contracts } of dashboard.months) expect(await total({ startedIn: month })).toBe(contracts)
})

test('the amount at stake is the sum of the open contracts that renew within 30 days', async () => {
  const request = await anAccount(world)
  await aContract(request, { renewalDate: TODAY, amount: 100.1, status: 'pending' })
  const { id } = await aContract(request, { renewalDate: addDays(TODAY, 30), amount: 20.25 })
  await aContract(request, { renewalDate: addDays(TODAY, 31), amount: 3 })
  await aContract(request, { renewalDate: addDays(TODAY, -1), amount: 4 })
  await aContract(request, { renewalDate: addDays(TODAY, 5), amount: 5, status: 'expired' })
  const stake = async () => (await readDashboard(requireReader(request))).expiringRevenue
  expect(await stake()).toBe(120.35)
  const change = (fields: object) =>
    asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, ...fields })))
  await change({ amount: 30 })
  expect(await stake()).toBe(130.1)
  await change({ renewalDate: addDays(TODAY, 40) })
  expect(await stake()).toBe(100.1)
  await change({ renewalDate: addDays(TODAY, 4) })
  await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
  expect(await stake()).toBe(100.1)
})

test('new this month: started on or after the 1st and not after today', async () => {
  const request = await anAccount(world)
  for (const startDate of ['2026-02-28', '2026-03-01', '2026-03-10', '2026-03-11'])
    await aContract(request, { startDate })
  expect((await readDashboard(requireReader(request))).growthRate).toBe(50)
})

test("another account's contracts count nowhere", async () => {
  await aContract(await anAccount(world))
  expect((await readDashboard(requireReader(await anAccount(world)))).totalContracts).toBe(0)
})

test('100,000 contracts of the largest amount are summed to the cent', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(
      `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
        select ?, ?, 999999999999, '2026-03-01', 'quarterly', '2027-01-01', 'active' from generate_series(1, 100000)`,
      [request.caller?.id, id],
    ),
  )
  const dashboard = await readDashboard(requireReader(request))
  expect(dashboard).toMatchObject({
    totalRevenue: 999_999_999_999_000,
    monthlyRevenue: 333_333_333_333_000,
    averageContractValue: 9_999_999_999.99,
    revenueByCycle: { quarterly: 999_999_999_999_000 },
  })
  expect(dashboard.months.at(-1)).toEqual({ month: '2026-03', contracts: 100_000, revenue: 999_999_999_999_000 })
  expect((await contractFigures(requireReader(request))).revenue).toBe(999_999_999_999_000)
})

describe('the charts', () => {
  test('tell how many contracts have each status, and the revenue of the active ones by cycle', async () => {
    const request = await anAccount(world)
    await aContract(request, { amount: 100, renewalCycle: 'monthly' })
    await aContract(request, { amount: 20.5, renewalCycle: 'yearly' })
    await aContract(request, { amount: 7, renewalCycle: 'yearly', status: 'pending' })
    expect(await readDashboard(requireReader(request))).toMatchObject({
      contractsByStatus: { pending: 1, active: 2, expired: 0, cancelled: 0 },
      revenueByCycle: { monthly: 100, quarterly: 0, yearly: 20.5 },
    })
  })

  test('show 6 months including the current one: active amounts and all contracts that have started, by start month', async () => {
    const request = await anAccount(world)
    const term = { renewalDate: '2026-12-31' }
    await aContract(request, { ...term, startDate: '2025-09-30', amount: 1 })
    await aContract(request, { ...term, startDate: '2025-10-01', amount: 2 })
    await aContract(request, { ...term, startDate: '2026-02-28', amount: 4 })
    await aContract(request, { ...term, startDate: '2026-02-01', amount: 8, status: 'expired' })
    await aContract(request, { ...term, startDate: '2026-03-10', amount: 16 })
    await aContract(request, { ...term, startDate: '2026-03-11', amount: 64 })
    await aContract(request, { ...term, startDate: '2026-03-31', amount: 128, status: 'pending' })
    await aContract(request, { ...term, startDate: '2026-04-01', amount: 32 })
    expect((await readDashboard(requireReader(request))).months).toEqual([
      { month: '2025-10', contracts: 1, revenue: 2 },
      { month: '2025-11', contracts: 0, revenue: 0 },
      { month: '2025-12', contracts: 0, revenue: 0 },
      { month: '2026-01', contracts: 0, revenue: 0 },
      { month: '2026-02', contracts: 2, revenue: 4 },
      { month: '2026-03', contracts: 1, revenue: 16 },
    ])
  })
})
