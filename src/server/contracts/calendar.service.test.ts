import { expect, test } from 'vitest'
import { addDays } from '#shared/domain/day.ts'
import { ListContracts } from '#shared/schemas/filters.ts'
import { CalendarDays } from '#shared/schemas/calendar.ts'
import { EndContract } from '#shared/schemas/renewals.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, TODAY, useWorld } from '#support/world.ts'
import { calendarContracts, readCalendar } from './calendar.service.ts'
import { listContracts } from './contracts.service.ts'
import { endContract } from './renewals.service.ts'

const world = useWorld()

const MARCH = { from: '2026-03-01', through: '2026-03-31' }

async function calendarOf(request: Parameters<typeof requireReader>[0], days: object = MARCH) {
  return readCalendar(requireReader(request), CalendarDays.parse(days))
}

test('a day says how many open contracts renew, how many need notice, and for how much', async () => {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request)
  await aContract(request, { customerId, renewalDate: '2026-03-20', amount: 100.1 })
  await aContract(request, { customerId, renewalDate: '2026-03-20', amount: 20, status: 'pending' })
  await aContract(request, { customerId, renewalDate: '2026-03-20', amount: 5, status: 'expired' })
  await aContract(request, { customerId, renewalDate: '2026-04-20', amount: 7, noticePeriod: '1 month' })
  await aContract(request, { customerId, renewalDate: '2026-04-05', amount: 9, noticePeriod: '10 days' })
  const ending = await aContract(request, { customerId, renewalDate: '2026-04-20', noticePeriod: '1 month' })
  const end = EndContract.parse({ id: ending.id, reason: 'other', on: '2026-04-20' })
  await asSubscriber(request, (ctx) => endContract(ctx, end))
  expect(await calendarOf(request)).toEqual({
    ...MARCH,
    days: [
      { day: '2026-03-20', renewals: 2, renewalAmount: 120.1, notices: 1, noticeAmount: 7 },
      { day: '2026-03-26', renewals: 0, renewalAmount: 0, notices: 1, noticeAmount: 9 },
    ],
  })
})

test('this month is read unless other days are asked for, up to 400', async () => {
  const request = await anAccount(world)
  expect(await calendarOf(request, {})).toEqual({ ...MARCH, days: [] })
  expect(await calendarOf(request, { from: '2026-02-10' })).toMatchObject({ through: '2026-02-28' })
  const through = addDays(TODAY, 399)
  expect(await calendarOf(request, { from: TODAY, through })).toMatchObject({ days: [] })
  for (const days of [
    { from: TODAY, through: addDays(TODAY, 400) },
    { from: TODAY, through: addDays(TODAY, -1) },
    { through: '2026-02-01' },
  ])
    await expect(calendarOf(request, days)).rejects.toMatchObject({ key: 'CALENDAR_DAYS' })
})

test('the contracts of some days are the first hundred of each kind, with their count', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(
      `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
        select ?, ?, 100, '2025-01-01', 'yearly', date '2026-03-31' - n % 31, 'active' from generate_series(1, 130) n`,
      [request.caller?.id, id],
    ),
  )
  const notice = await aContract(request, { renewalDate: '2026-06-20', noticePeriod: '100 days' })
  const ctx = requireReader(request)
  const found = await calendarContracts(ctx, CalendarDays.parse(MARCH))
  expect(found).toMatchObject({ renewalTotal: 130, noticeTotal: 1 })
  expect(found.renewals).toHaveLength(100)
  expect(found.renewals.map(({ renewalDate }) => renewalDate)).toEqual(
    found.renewals.map(({ renewalDate }) => renewalDate).toSorted(),
  )
  expect(found.notices.map((contract) => contract.id)).toEqual([notice.id])
  const days = await readCalendar(ctx, CalendarDays.parse(MARCH))
  expect(days.days.reduce((sum, { renewals }) => sum + renewals, 0)).toBe(found.renewalTotal)
  const listed = await listContracts(ctx, ListContracts.parse({ renewsWithin: 21 }))
  const coming = await calendarContracts(ctx, CalendarDays.parse({ from: TODAY, through: addDays(TODAY, 21) }))
  expect(coming.renewalTotal).toBe(listed.total)
})

test("another account's contracts are on no day", async () => {
  await aContract(await anAccount(world), { renewalDate: '2026-03-20', noticePeriod: '2 days' })
  const request = await anAccount(world)
  expect(await calendarOf(request)).toMatchObject({ days: [] })
  const nothing = { renewalTotal: 0, noticeTotal: 0, renewals: [], notices: [] }
  expect(await calendarContracts(requireReader(request), CalendarDays.parse(MARCH))).toEqual(nothing)
})
