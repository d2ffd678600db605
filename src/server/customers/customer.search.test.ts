import { beforeEach, describe, expect, test } from 'vitest'
import { foldText } from '#shared/domain/fold-text.ts'
import { ListContracts, ListCustomers } from '#shared/schemas/filters.ts'
import { listContracts } from '#server/contracts/contracts.service.ts'
import type { ReaderContext, RequestContext } from '#server/context.ts'
import { aContract, aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'
import { listCustomers } from './customers.service.ts'

const world = useWorld()
let request: RequestContext
let ctx: ReaderContext

beforeEach(async () => {
  request = await anAccount(world)
  ctx = requireReader(request)
})

const namesOf = async (filter: object) =>
  (await listCustomers(ctx, ListCustomers.parse({ limit: 100, ...filter }))).rows.map((row) => row.name)

test.each([
  ['ÉMILE', ['Émile & Søns']],
  ['søns', ['Émile & Søns']],
  ['e & s', ['Émile & Søns']],
  ['0_1', ['Plain 0_1']],
  ['back\\slash', ['back\\slash']],
])('"%s" is found whatever its case, and pattern characters as themselves', async (search, found) => {
  for (const name of ['Émile & Søns', 'Plain 0_1', 'Plain 011', 'back\\slash']) await aCustomer(request, { name })
  expect(await namesOf({ search })).toEqual(found)
})

test.each([
  ['cafe', ['Café Central', 'Cafe Noir']],
  ['CAFÉ', ['Café Central', 'Cafe Noir']],
  ['cafe\u0301 n', ['Cafe Noir']],
  ['lodz', ['Łódź Straße']],
  ['STRASSE', ['Łódź Straße']],
  ['straße', ['Łódź Straße']],
  ['％', ['100% Cotton']],
])('"%s" is found with and without accents, by customers, their picker and contracts', async (search, found) => {
  for (const name of ['Café Central', 'Cafe Noir', 'Łódź Straße', '100% Cotton']) {
    await aContract(request, { customerId: (await aCustomer(request, { name })).id })
  }
  expect(new Set(await namesOf({ search }))).toEqual(new Set(found))
  expect(new Set(await namesOf({ search, searchBy: 'name' }))).toEqual(new Set(found))
  const contracts = await listContracts(ctx, ListContracts.parse({ search }))
  expect(new Set(contracts.rows.map((row) => row.customerName))).toEqual(new Set(found))
})

test.each([
  ['ANN@café', 'Ann'],
  ['main st', 'Ann'],
  ['5550100', 'Ann'],
  ['555-010', 'Ann'],
  ['(555) 0100', 'Ann'],
  ['+1 555', 'Ann'],
  ['555.0199', 'Bob'],
])('"%s" finds %s by email, address, or the digits of the phone number', async (search, found) => {
  await aCustomer(request, {
    name: 'Ann',
    email: 'ann@cafe.example',
    address: '1 Main St\nTown',
    phone: '+1 (555) 010-0',
  })
  await aCustomer(request, { name: 'Bob', phone: '5550199', customerNumber: 'K-5550' })
  expect(await namesOf({ search })).toEqual([found])
  expect(await namesOf({ search, searchBy: 'name' })).toEqual([])
})

test('punctuation between digits does not find them in other fields than the phone number', async () => {
  await aCustomer(request, { name: 'Ann', customerNumber: '55501', phone: '1234' })
  expect(await namesOf({ search: '555-01' })).toEqual([])
  expect(await namesOf({ search: '55501' })).toEqual(['Ann'])
})

test.each([
  'Café',
  'Cafe\u0301',
  'ÉMILE & Søns',
  'Straße',
  'STRAẞE',
  'Łódź',
  'İstanbul ılık',
  'Œuvre Æsop',
  'Москва',
  'ﬁ １２',
  '',
])('the database folds "%s" as the browser does', async (written) => {
  expect(await world.db.writeAs(ctx.accountId, (em) => em.execute('select fold_text(?) as folded', [written]))).toEqual(
    [{ folded: foldText(written) }],
  )
})

test('a text is found within one field, not across two of them', async () => {
  await aCustomer(request, { name: 'Acme', phone: '555', customerNumber: 'K-1' })
  expect(await namesOf({ search: 'acme' })).toEqual(['Acme'])
  expect(await namesOf({ search: 'acme555' })).toEqual([])
  expect(await namesOf({ search: 'acme\n555' })).toEqual([])
})

test('contracts are found by the names of their customers alone', async () => {
  const { id: customerId } = await aCustomer(request, { name: 'Acme\nLtd', phone: '555', customerNumber: 'K-1' })
  await aContract(request, { customerId })
  const total = async (search: string) => (await listContracts(ctx, ListContracts.parse({ search }))).total
  expect(await total('ACME ltd')).toBe(1)
  expect(await total('555')).toBe(0)
  expect(await total('k-1')).toBe(0)
})

describe('where many match', () => {
  beforeEach(async () => {
    await world.db.writeAs(ctx.accountId, async (em) => {
      await em.execute(`insert into customers (account_id, name, phone)
        select ${ctx.accountId}, 'Many ' || to_char(n, 'FM0000'), 1500 - n from generate_series(1, 1500) n`)
      await em.execute(`insert into contracts
        (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
        select account_id, id, 100, '2026-01-01', 'monthly', date '2026-02-01' + id % 1000, 'active' from customers`)
    })
    await aContract(request, {
      renewalDate: '2026-01-15',
      customerId: (await aCustomer(request, { name: 'Other' })).id,
    })
  })

  test('customers come in the order of the list, page by page, with the count of all', async () => {
    const first = await listCustomers(ctx, ListCustomers.parse({ search: 'MANY' }))
    expect(first).toMatchObject({ total: 1500, rows: { length: 10, 0: { name: 'Many 0001' } } })
    const second = await listCustomers(ctx, ListCustomers.parse({ search: 'many', after: first.last }))
    expect(second).toMatchObject({ total: 1500, rows: { 0: { name: 'Many 0011' } } })
    expect((await namesOf({ search: 'many', sort: 'createdAt', direction: 'desc', limit: 1 }))[0]).toBe('Many 1500')
    expect(await namesOf({ search: 'many 150', direction: 'desc' })).toEqual(['Many 1500'])
  })

  test('contracts do as well', async () => {
    const page = async (filter: object) => listContracts(ctx, ListContracts.parse({ sort: 'renewalDate', ...filter }))
    const first = await page({ search: 'many' })
    expect(first.total).toBe(1500)
    const dates = first.rows.map((row) => row.renewalDate)
    expect(dates).toEqual(dates.toSorted())
    expect(first.rows.every((row) => row.customerName.startsWith('Many'))).toBe(true)
    expect((await page({ search: 'many', status: 'active' })).total).toBe(1500)
    expect((await page({ search: 'many', status: 'pending' })).total).toBe(0)
    expect((await page({ search: 'many 000' })).total).toBe(9)
    expect((await page({ search: 'other' })).rows).toMatchObject([{ renewalDate: '2026-01-15' }])
  })
})

test("the search in the owner's name is refused for another account than the transaction's", async () => {
  const other = requireReader(await anAccount(world)).accountId
  const asking = world.db.writeAs(ctx.accountId, (em) => em.execute(`select find_customers(${other}, '%', false)`))
  await expect(asking).rejects.toThrow('customers of another account')
  await expect(world.db.system.query(`select find_customers(${other}, '%', false)`)).rejects.toThrow(
    'permission denied',
  )
})
