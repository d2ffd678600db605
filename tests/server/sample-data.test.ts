import { describe, expect, test } from 'vitest'
import { ListContracts, ListCustomers } from '#shared/schemas/filters.ts'
import type { RequestContext } from '#server/context.ts'
import { listContracts, updateContract } from '#server/contracts/contracts.service.ts'
import { listCustomers } from '#server/customers/customers.service.ts'
import { readDashboard } from '#server/dashboard/dashboard.service.ts'
import { planAccounts } from '#server/reminders/plan-reminders.ts'
import { appRouter } from '#server/routers/index.ts'
import { createCallerFactory } from '#server/trpc.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { holdStatement } from '#support/held-rows.ts'
import { NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const callerOf = createCallerFactory(appRouter)

const dashboardOf = (request: RequestContext) => readDashboard(requireReader(request))
const contractsOf = async (request: RequestContext) =>
  (await listContracts(requireReader(request), ListContracts.parse({ limit: 100 }))).rows
const customersOf = async (request: RequestContext) =>
  (await listCustomers(requireReader(request), ListCustomers.parse({ limit: 100 }))).rows
const load = (request: RequestContext) =>
  call(server, { method: 'POST', url: '/imports/sample', headers: bearer(request) })
const remove = (request: RequestContext, id: number) =>
  call(server, { method: 'DELETE', url: `/imports/${id}`, headers: bearer(request) })

describe('sample data', () => {
  test('fills an account around today, so that every part of the dashboard has something to show', async () => {
    const request = await anAccount(world)
    const { id } = await callerOf(request).imports.loadSample()
    const dashboard = await dashboardOf(request)
    expect(dashboard).toMatchObject({ totalContracts: 22, totalCustomers: 10, sampleImportId: id, hasImported: false })
    expect(dashboard.overdueContracts.length).toBeGreaterThan(0)
    expect(dashboard.expiringContracts.length).toBeGreaterThan(3)
    expect(Object.values(dashboard.contractsByStatus).every((count) => count > 0)).toBe(true)
    expect(Object.values(dashboard.revenueByCycle).every((revenue) => revenue > 0)).toBe(true)
    expect(dashboard.months.filter(({ revenue }) => revenue > 0).length).toBeGreaterThan(3)
    for (const { createdAt } of await customersOf(request)) expect(createdAt <= NOON).toBe(true)
  })

  test('is loaded by both transports, and once', async () => {
    const request = await anAccount(world)
    expect(await load(request)).toMatchObject({
      status: 201,
      body: { fileName: 'Sample data', created: 22, createdCustomers: 10, isSample: true, status: 'finished' },
    })
    expect(await load(request)).toMatchObject({ status: 409, body: { error: 'The sample data is already loaded' } })
    await expect(callerOf(request).imports.loadSample()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await contractsOf(request)).toHaveLength(22)
  })

  test('is loaded once also by two clicks at the same time', async () => {
    const request = await anAccount(world)
    const answers = await Promise.all([load(request), load(request)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]))
    expect(await contractsOf(request)).toHaveLength(22)
  })

  test('is not mixed with contracts that are there, and needs a subscription', async () => {
    const request = await anAccount(world)
    await aContract(request)
    expect(await load(request)).toMatchObject({
      status: 409,
      body: { error: 'Sample data is for accounts without contracts' },
    })
    expect((await load(await anAccount(world, { status: null }))).status).toBe(402)
  })

  test('writes to nobody: neither to its customers nor to the owner', async () => {
    const request = await anAccount(world)
    await load(request)
    for (const { email, sendNotifications } of await customersOf(request)) {
      expect(email).toMatch(/@example\.com$/)
      expect(sendNotifications).toBe(false)
    }
    const accountId = request.caller?.id ?? 0
    const run = (text: string) => world.db.writeAs(accountId, (em) => em.execute<object[]>(text))
    const planned = async () => {
      await run(`update reminder_schedules set planned_through = '2026-03-01', next_plan_at = '2026-03-01'`)
      await planAccounts(request, [accountId])
      return run(`select from reminders where state <> 'skipped'`)
    }
    await run(`update contracts set reminders_since = '2025-01-01'`)
    expect(await planned()).toEqual([])
    const [contract] = (await dashboardOf(request)).expiringContracts
    const byHand = await call(server, {
      method: 'POST',
      url: `/contracts/${contract?.id}/reminder`,
      headers: bearer(request),
    })
    expect(byHand).toMatchObject({ status: 422, body: { error: 'Notifications are turned off for this customer' } })
    // Were its contracts like others, the owner would hear of them.
    await run('delete from contract_reminder_preferences')
    expect(await planned()).not.toEqual([])
  })

  test('takes no customer number away', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Mine', customerNumber: 'sample-01' })
    expect((await load(request)).status).toBe(201)
    const numbers = (await customersOf(request)).map(({ name, customerNumber }) => [name, customerNumber])
    expect(numbers).toContainEqual(['Mine', 'sample-01'])
    expect(numbers).toContainEqual(['Alder & Finch Architects', null])
  })

  test('is refused while one of its customer numbers is given to another customer', async () => {
    const request = await anAccount(world)
    await using other = await holdStatement(
      world,
      `insert into customers (account_id, name, customer_number) values ($1, 'Other', 'sample-01')`,
      [request.caller?.id],
    )
    const loading = load(request)
    await other.waitedFor(1)
    await other.release()
    expect(await loading).toMatchObject({
      status: 409,
      body: { refusal: 'ACCOUNT_BUSY' },
    })
    expect(await contractsOf(request)).toEqual([])
    expect((await load(request)).status).toBe(201)
  })
})

describe('removing sample data', () => {
  test('leaves nothing of it, and all of what is the own', async () => {
    const request = await anAccount(world)
    const mine = await aCustomer(request, { name: 'Mine' })
    const { body } = await load(request)
    const contract = await aContract(request, { customerId: mine.id })
    expect(await remove(request, body.id)).toMatchObject({
      status: 200,
      body: { removedContracts: 22, removedCustomers: 10, keptCount: 0 },
    })
    expect((await contractsOf(request)).map(({ id }) => id)).toEqual([contract.id])
    expect((await customersOf(request)).map(({ id }) => id)).toEqual([mine.id])
    expect(await dashboardOf(request)).toMatchObject({ sampleImportId: null, totalContracts: 1 })
    await asSubscriber(request, ({ em }) => em.execute('delete from contracts'))
    expect((await load(request)).status).toBe(201)
  })

  test('keeps what has been changed since, and the customers of own contracts', async () => {
    const request = await anAccount(world)
    const { body } = await load(request)
    const [changed, ...others] = await contractsOf(request)
    if (!changed) throw new Error('there is sample data')
    await asSubscriber(request, (ctx) => updateContract(ctx, { id: changed.id, status: 'cancelled' }))
    const host = others.find(({ customerId }) => customerId !== changed.customerId)
    const own = await aContract(request, { customerId: Number(host?.customerId) })
    const answer = await remove(request, body.id)
    expect(answer.body).toMatchObject({ removedContracts: 21, removedCustomers: 8, keptCount: 3 })
    expect(new Set((await contractsOf(request)).map(({ id }) => id))).toEqual(new Set([changed.id, own.id]))
    expect(await dashboardOf(request)).toMatchObject({ sampleImportId: null })
  })

  test('of another account is refused as if it were not there, and changes nothing', async () => {
    const owner = await anAccount(world)
    const { body } = await load(owner)
    expect((await remove(await anAccount(world), body.id)).status).toBe(404)
    expect(await dashboardOf(await anAccount(world))).toMatchObject({ sampleImportId: null, totalContracts: 0 })
    expect(await contractsOf(owner)).toHaveLength(22)
  })
})

test('a file that was imported is told of by the dashboard', async () => {
  const request = await anAccount(world)
  const accountId = request.caller?.id ?? 0
  await world.db.writeAs(accountId, (em) =>
    em.execute(
      `insert into imports (account_id, kind, file_name, sha256, headings, rows, created, finished_at)
        values (?, 'customers', 'a.csv', '', '[]', 1, 1, now())`,
      [accountId],
    ),
  )
  expect(await dashboardOf(request)).toMatchObject({ hasImported: true, sampleImportId: null })
})
