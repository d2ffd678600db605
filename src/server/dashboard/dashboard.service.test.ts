import { expect, test } from 'vitest'
import { addDays } from '#shared/domain/day.ts'
import { isExpiringSoon, isOverdue } from '#shared/domain/contract-term.ts'
import { aContract, aCustomer, anAccount, requireReader, TODAY, useWorld } from '#support/world.ts'
import { readDashboard } from './dashboard.service.ts'

const world = useWorld()

test('percentages and averages of nothing are 0', async () => {
  const dashboard = await readDashboard(requireReader(await anAccount(world)))
  expect(Object.values(dashboard).filter((value) => typeof value === 'number')).toEqual(Array(11).fill(0))
  expect(dashboard).toMatchObject({ overdueContracts: [], expiringContracts: [] })
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
