import { describe, expect, test } from 'vitest'
import { ListCustomers } from '#shared/schemas/filters.ts'
import { CreateCustomer, UpdateCustomer } from '#shared/schemas/customers.ts'
import { removeContract } from '#server/contracts/contracts.service.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import {
  createCustomer,
  customerFigures,
  getCustomer,
  listCustomers,
  removeCustomer,
  updateCustomer,
} from './customers.service.ts'

const world = useWorld()

describe('the list', () => {
  test('is sorted by name as a dictionary is, a page of 10 with the count of all', async () => {
    const request = await anAccount(world)
    for (const name of ['zeta', 'Émile', 'emil', 'Alpha', 'beta']) await aCustomer(request, { name })
    for (let n = 0; n < 7; n += 1) await aCustomer(request, { name: `Z${n}` })
    const page = await listCustomers(requireReader(request), ListCustomers.parse({}))
    expect(page.rows.map((row) => row.name).slice(0, 4)).toEqual(['Alpha', 'beta', 'emil', 'Émile'])
    expect(page).toMatchObject({ total: 12, rows: { length: 10 } })
  })

  test('goes on after its last row, back before its first, and skips to a page number', async () => {
    const request = await anAccount(world)
    for (let n = 10; n < 35; n += 1) await aCustomer(request, { name: `C${n}` })
    const ctx = requireReader(request)
    const read = (page: object) => listCustomers(ctx, ListCustomers.parse(page))
    const first = await read({})
    const second = await read({ after: first.last })
    expect(second.rows[0]?.name).toBe('C20')
    const third = await read({ after: first.last, skip: 10 })
    expect(third.rows.map((row) => row.name)).toEqual(['C30', 'C31', 'C32', 'C33', 'C34'])
    const back = await read({ before: second.first })
    expect(back.rows).toEqual(first.rows)
    expect((await read({ before: third.first, skip: 10 })).rows).toEqual(first.rows)
  })

  test.each(['name', 'phone', 'customerNumber', 'createdAt'])('sorted by %s shows every row once', async (sort) => {
    const request = await anAccount(world)
    for (let n = 0; n < 12; n += 1) {
      await aCustomer(request, {
        name: `N${n % 3}`,
        phone: n % 2 ? `555-${n}` : null,
        customerNumber: n % 4 ? `${n}` : null,
      })
    }
    const ctx = requireReader(request)
    for (const direction of ['asc', 'desc']) {
      const first = await listCustomers(ctx, ListCustomers.parse({ sort, direction, limit: 5 }))
      const second = await listCustomers(ctx, ListCustomers.parse({ sort, direction, limit: 100, after: first.last }))
      expect(new Set([...first.rows, ...second.rows].map((row) => row.id)).size).toBe(12)
    }
  })

  test('finds by a piece of the name, the phone or the customer number, in any case, and % is an ordinary character', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: '100% Pure', phone: '555-0142', customerNumber: 'K-77' })
    await aCustomer(request, { name: 'Plain' })
    const search = async (text: string) =>
      (await listCustomers(requireReader(request), ListCustomers.parse({ search: text }))).rows.map((row) => row.name)
    expect(await search('PURE')).toEqual(['100% Pure'])
    expect(await search('0142')).toEqual(['100% Pure'])
    expect(await search('k-7')).toEqual(['100% Pure'])
    expect(await search('%')).toEqual(['100% Pure'])
    expect(await search('nobody')).toEqual([])
  })

  test('finds by a piece of the name alone where that is asked for', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Mill', phone: '555-0142', customerNumber: 'Windmill-7' })
    await aCustomer(request, { name: 'Windmill Bakery', phone: '1' })
    const asked = { search: 'WINDMILL', searchBy: 'name' }
    const found = await listCustomers(requireReader(request), ListCustomers.parse(asked))
    expect(found).toMatchObject({ total: 1, rows: [{ name: 'Windmill Bakery' }] })
    const byPhone = await listCustomers(requireReader(request), ListCustomers.parse({ ...asked, search: '0142' }))
    expect(byPhone).toMatchObject({ total: 0, rows: [] })
  })

  test('refuses a cursor that it did not make', async () => {
    const ctx = requireReader(await anAccount(world))
    await expect(listCustomers(ctx, ListCustomers.parse({ after: 'e30' }))).rejects.toThrow('The cursor is not valid')
  })
})

test('the figures count customers, the new ones of this month and those with contracts', async () => {
  const request = await anAccount(world, { timeZone: 'Pacific/Auckland' })
  const { id } = await aCustomer(request)
  const old = await aCustomer(request)
  // In Auckland March has begun when it is still the last of February in UTC.
  await world.db.writeAs(requireReader(request).accountId, async (em) => {
    await em.execute(
      `update customers set created_at = case id when ? then timestamptz '2026-02-28T11:30:00Z'
      else timestamptz '2026-02-28T10:30:00Z' end`,
      [id],
    )
  })
  await aContract(request, { customerId: old.id })
  await aContract(request, { customerId: old.id })
  await aContract(request, { customerId: old.id })
  const figures = await customerFigures(requireReader(request))
  expect(figures).toEqual({ total: 2, newThisMonth: 1, withContracts: 1, averageContracts: 1.5, month: '2026-03' })
  // The list that each card leads to.
  const listed = async (filter: object) => {
    const { rows, total } = await listCustomers(requireReader(request), ListCustomers.parse(filter))
    return { ids: rows.map((row) => row.id), total }
  }
  expect(await listed({ addedIn: figures.month })).toEqual({ ids: [id], total: figures.newThisMonth })
  expect(await listed({ addedIn: '2026-02' })).toEqual({ ids: [old.id], total: 1 })
  expect(await listed({ withContracts: 'true' })).toEqual({ ids: [old.id], total: figures.withContracts })
  expect(await listed({ withContracts: true, addedIn: figures.month })).toEqual({ ids: [], total: 0 })
  expect(await listed({ withContracts: false })).toMatchObject({ total: 2 })
  expect(await listed({ withContracts: true, search: old.name })).toEqual({ ids: [old.id], total: 1 })
  expect(await listed({ addedIn: '2026-02', search: old.name })).toEqual({ ids: [old.id], total: 1 })
})

test('a customer whose contracts are all in the trash counts as one without any', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request)
  await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
  const ctx = requireReader(request)
  expect(await customerFigures(ctx)).toMatchObject({ withContracts: 0 })
  expect(await listCustomers(ctx, ListCustomers.parse({ withContracts: true }))).toMatchObject({ total: 0, rows: [] })
})

test('the figures of an empty account are 0', async () => {
  const figures = await customerFigures(requireReader(await anAccount(world)))
  expect(figures).toEqual({ total: 0, newThisMonth: 0, withContracts: 0, averageContracts: 0, month: '2026-03' })
})

describe('creating and changing', () => {
  test('keeps what was sent, and notifications are enabled unless explicitly false', async () => {
    const request = await anAccount(world)
    const created = await aCustomer(request, { name: '  Acme  ', address: '', phone: '555', email: 'a@example.com' })
    expect(created).toMatchObject({
      name: 'Acme',
      address: null,
      phone: '555',
      customerNumber: null,
      email: 'a@example.com',
      sendNotifications: true,
    })
    expect(await getCustomer(requireReader(request), created)).toEqual(created)
  })

  test('a field that is not sent keeps its value', async () => {
    const request = await anAccount(world)
    const { id } = await aCustomer(request, { phone: '555', sendNotifications: false })
    const input = UpdateCustomer.parse({ id, name: 'Beta' })
    const changed = await asSubscriber(request, (ctx) => updateCustomer(ctx, input))
    expect(changed).toMatchObject({ name: 'Beta', phone: '555', sendNotifications: false })
  })

  test('a customer number belongs to one customer of the account, whatever its case', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'c-1' })
    await expect(aCustomer(request, { customerNumber: 'C-1' })).rejects.toMatchObject({ key: 'CUSTOMER_NUMBER_TAKEN' })
    const other = await anAccount(world)
    await expect(aCustomer(other, { customerNumber: 'C-1' })).resolves.toMatchObject({ customerNumber: 'C-1' })
  })

  test('a blank name is refused', () => {
    expect(CreateCustomer.safeParse({ name: '  ' }).error?.issues[0]?.message).toBe('Customer name is required')
    expect(CreateCustomer.safeParse({}).error?.issues[0]?.message).toBe('Customer name is required')
  })
})

describe('deleting', () => {
  test('a customer with contracts is not deleted', async () => {
    const request = await anAccount(world)
    const { customerId } = await aContract(request)
    const removing = asSubscriber(request, (ctx) => removeCustomer(ctx, { id: customerId }))
    await expect(removing).rejects.toThrow('Cannot delete customer - they may have existing contracts')
    await expect(getCustomer(requireReader(request), { id: customerId })).resolves.toBeDefined()
  })

  test('a customer without contracts is gone', async () => {
    const request = await anAccount(world)
    const { id } = await aCustomer(request)
    await asSubscriber(request, (ctx) => removeCustomer(ctx, { id }))
    await expect(getCustomer(requireReader(request), { id })).rejects.toThrow('Customer not found')
  })
})

test("another account gets 'Customer not found', and sees none of it", async () => {
  const { id } = await aCustomer(await anAccount(world))
  const other = await anAccount(world)
  const notFound = { key: 'CUSTOMER_NOT_FOUND' }
  await expect(getCustomer(requireReader(other), { id })).rejects.toMatchObject(notFound)
  await expect(asSubscriber(other, (ctx) => updateCustomer(ctx, { id, name: 'Mine' }))).rejects.toMatchObject(notFound)
  await expect(asSubscriber(other, (ctx) => removeCustomer(ctx, { id }))).rejects.toMatchObject(notFound)
  expect(await listCustomers(requireReader(other), ListCustomers.parse({}))).toMatchObject({ total: 0, rows: [] })
})

test('a refusal in the middle leaves nothing behind', async () => {
  const request = await anAccount(world)
  const work = asSubscriber(request, async (ctx) => {
    await createCustomer(ctx, CreateCustomer.parse({ name: 'First' }))
    await removeCustomer(ctx, { id: 999 })
  })
  await expect(work).rejects.toThrow('Customer not found')
  expect((await listCustomers(requireReader(request), ListCustomers.parse({}))).total).toBe(0)
})
