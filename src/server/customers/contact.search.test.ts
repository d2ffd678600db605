import { beforeEach, describe, expect, test } from 'vitest'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { ListContracts, ListCustomers } from '#shared/schemas/filters.ts'
import { addContact, changeContact, makeFirst, removeContact } from '#server/contacts/contacts.service.ts'
import { listContracts } from '#server/contracts/contracts.service.ts'
import type { ReaderContext, RequestContext } from '#server/context.ts'
import { restoreFromTrash } from '#server/trash/trash.service.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { getCustomer, listCustomers, removeCustomer, updateCustomer } from './customers.service.ts'

const world = useWorld()
let request: RequestContext
let ctx: ReaderContext

beforeEach(async () => {
  request = await anAccount(world)
  ctx = requireReader(request)
})

const namesOf = async (search: string, filter: object = {}) =>
  (await listCustomers(ctx, ListCustomers.parse({ search, limit: 100, ...filter }))).rows.map(({ name }) => name)

const add = (id: number, fields: Partial<AddContact>, of = request) =>
  asSubscriber(of, (subscriber) => addContact(subscriber, AddContact.parse({ id, name: 'Someone', ...fields })))

async function harborWithAda() {
  const { id } = await aCustomer(request, { name: 'Harbor Bakery', contactName: 'José Peña' })
  await aCustomer(request, { name: 'Quay' })
  return add(id, { name: 'Ada Łovelace', role: 'Buyer', email: 'a.l@harbor.test', phone: '+1 (555) 010-0' })
}

test.each([
  'ADA',
  'ada lovelace',
  'łov',
  'a.l@HARBOR',
  '5550100',
  '555-010',
  '(555) 01',
  '+1 (555) 0',
  'peña',
  'JOSE',
  'é',
  'ñ',
])('"%s" finds a customer by a contact, whatever its case, accents and punctuation', async (search) => {
  await harborWithAda()
  expect(await namesOf(search)).toEqual(['Harbor Bakery'])
})

test.each(['buyer', 'ada lovelacea', 'lovelace\na', '55501009', '555-0109', '0 1', '100%'])(
  '"%s" finds nobody: each search is for one of the fields that are searched',
  async (search) => {
    await harborWithAda()
    expect(await namesOf(search)).toEqual([])
  },
)

test('a customer with several contacts that match is found once, and so is one that matches itself', async () => {
  const { id } = await aCustomer(request, { name: 'Harbor', contactName: 'Harald', phone: '555 01 00' })
  await add(id, { name: 'Harriet', phone: '555-0100' })
  await add(id, { name: 'Harvey', email: 'harvey@har.test', phone: '5550100' })
  for (const search of ['har', 'h', '555-010', '5550100']) {
    expect(await listCustomers(ctx, ListCustomers.parse({ search }))).toMatchObject({ total: 1, rows: [{ id }] })
  }
})

test('the picker of customers and the search of contracts find names of customers alone', async () => {
  const { customerId } = await harborWithAda()
  await aContract(request, { customerId })
  expect(await namesOf('ada', { searchBy: 'name' })).toEqual([])
  expect(await namesOf('5550100', { searchBy: 'name' })).toEqual([])
  expect(await listContracts(ctx, ListContracts.parse({ search: 'ada' }))).toMatchObject({ total: 0 })
  expect(await listContracts(ctx, ListContracts.parse({ search: 'jose' }))).toMatchObject({ total: 0 })
})

test('the search follows contacts that are changed, made the first, and deleted', async () => {
  const ada = await harborWithAda()
  await asSubscriber(request, (subscriber) =>
    changeContact(subscriber, { id: ada.id, name: 'Grace', phone: '777 1234' }),
  )
  expect([await namesOf('lovelace'), await namesOf('5550100')]).toEqual([[], []])
  expect([await namesOf('grace'), await namesOf('7771234')]).toEqual([['Harbor Bakery'], ['Harbor Bakery']])
  await asSubscriber(request, (subscriber) => makeFirst(subscriber, { id: ada.id, version: 2 }))
  for (const search of ['grace', '7771234', 'jose']) expect(await namesOf(search)).toEqual(['Harbor Bakery'])
  await asSubscriber(request, (subscriber) => removeContact(subscriber, { id: ada.id }))
  expect([await namesOf('jose'), await namesOf('grace')]).toEqual([[], ['Harbor Bakery']])
  const { customerId } = ada
  await asSubscriber(request, (subscriber) => updateCustomer(subscriber, { id: customerId, contactName: null }))
  expect(await namesOf('grace')).toEqual([])
})

test('a contact that is added, changed or deleted leaves the version of its customer as it was', async () => {
  const { id } = await aCustomer(request)
  const version = async () => (await getCustomer(ctx, { id })).version
  const before = await version()
  const ada = await add(id, { name: 'Ada' })
  await asSubscriber(request, (subscriber) => changeContact(subscriber, { id: ada.id, name: 'Grace' }))
  await asSubscriber(request, (subscriber) => removeContact(subscriber, { id: ada.id }))
  expect(await version()).toBe(before)
})

test('of a customer in the trash, nobody is found by a contact until it is restored', async () => {
  const { customerId } = await harborWithAda()
  await asSubscriber(request, (subscriber) => removeCustomer(subscriber, { id: customerId }))
  for (const search of ['ada', 'jose', '555-010', 'é']) expect(await namesOf(search)).toEqual([])
  await asSubscriber(request, (subscriber) => restoreFromTrash(subscriber, { customers: [customerId], contracts: [] }))
  for (const search of ['ada', 'jose', '555-010', 'é']) expect(await namesOf(search)).toEqual(['Harbor Bakery'])
})

test("another account's contacts find nobody", async () => {
  await harborWithAda()
  const other = await anAccount(world)
  const { id } = await aCustomer(other, { name: 'Mill', contactName: 'José' })
  await add(id, { name: 'Ada', email: 'ada@mill.test', phone: '555-0100' }, other)
  for (const search of ['ada', 'jose', '555-010', '5550100', 'a']) {
    expect(await namesOf(search)).not.toContain('Mill')
    const { rows } = await listCustomers(requireReader(other), ListCustomers.parse({ search, limit: 100 }))
    expect(rows).toMatchObject([{ id }])
  }
})

describe('where very many match by a contact', () => {
  beforeEach(() =>
    world.db.writeAs(ctx.accountId, async (em) => {
      await em.execute(`insert into customers (account_id, name, contact_name)
        select ${ctx.accountId}, 'Customer ' || to_char(n, 'FM0000'), case when n % 2 = 0 then 'Zoë' end
        from generate_series(1, 2400) n`)
      await em.execute(`insert into customer_contacts
        (account_id, customer_id, name, phone, reminders, reminders_from, created_at)
        select account_id, id, 'Zoe', '555-0100', true, '2026-01-01', now() from customers
        where account_id = ${ctx.accountId} and contact_name is null`)
      await em.execute(`insert into customers (account_id, name) values (${ctx.accountId}, 'Customer 0000')`)
    }),
  )

  test.each([
    ['zoe', 2400, 'Customer 0001'],
    ['ë', 2401, 'Customer 0000'],
    ['zo', 2400, 'Customer 0001'],
    ['555-01', 1200, 'Customer 0001'],
  ])('"%s" finds them in the order of the list, page by page, with the count of all', async (search, total, name) => {
    const first = await listCustomers(ctx, ListCustomers.parse({ search }))
    expect(first).toMatchObject({ total, rows: { length: 10, 0: { name } } })
    const second = await listCustomers(ctx, ListCustomers.parse({ search, after: first.last }))
    expect(second).toMatchObject({ total, rows: { length: 10 } })
    expect(second.rows[0]?.name).toBe(first.rows.at(-1)?.name.replace(/\d+$/, (number) => nextOf(number, search)))
  })

  /** Of those with a number, only the odd ones have a phone. */
  function nextOf(number: string, search: string): string {
    return String(Number(number) + (search.startsWith('555') ? 2 : 1)).padStart(4, '0')
  }
})
