import { expect, test } from 'vitest'
import { aCustomer, aSubscriber, reloaded, typesOf, useShop } from '#support/stripe-shop.ts'

const shop = useShop()

test('a customer is kept as it was made', async () => {
  const made = await aCustomer(shop, { name: 'Ada', metadata: { userId: 'user_1' } })
  await expect(shop.stripe.customers.retrieve(made.id)).resolves.toMatchObject({
    id: made.id,
    email: 'ada@example.com',
    name: 'Ada',
    metadata: { userId: 'user_1' },
    invoice_settings: { default_payment_method: null },
  })
})

test('an update changes what it names; an empty text clears', async () => {
  const { id } = await aCustomer(shop, { name: 'Ada', metadata: { a: '1', b: '2' } })
  const updated = await shop.stripe.customers.update(id, {
    name: '',
    email: 'new@example.com',
    metadata: { a: '', c: '3' },
  })
  expect(updated).toMatchObject({ name: null, email: 'new@example.com' })
  expect(updated.metadata).toEqual({ b: '2', c: '3' })
  await expect(shop.stripe.customers.update(id, { metadata: '' })).resolves.toMatchObject({ metadata: {} })
})

test('an update tells what was there before, and one that changes nothing tells nothing', async () => {
  const { id } = await aCustomer(shop)
  await shop.stripe.customers.update(id, { email: 'new@example.com' })
  await shop.stripe.customers.update(id, { email: 'new@example.com' })
  const { data } = await shop.stripe.events.list({ type: 'customer.updated' })
  expect(data.map((event) => event.data.previous_attributes)).toEqual([{ email: 'ada@example.com' }])
})

test.each(['nonsense', 'a b@c.de'])('the address %j is refused', async (email) => {
  await expect(aCustomer(shop, { email })).rejects.toMatchObject({ statusCode: 400, param: 'email' })
})

test('lists come newest first, a page at a time, in both directions', async () => {
  const ids: string[] = []
  for (let count = 0; count < 12; count += 1) ids.unshift((await aCustomer(shop)).id)

  const first = await shop.stripe.customers.list()
  expect(first).toMatchObject({ has_more: true, url: '/v1/customers' })
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 10))
  const next = await shop.stripe.customers.list({ starting_after: ids[9] ?? '' })
  expect(next.data.map(({ id }) => id)).toEqual(ids.slice(10))
  expect(next.has_more).toBe(false)
  const back = await shop.stripe.customers.list({ ending_before: ids[10] ?? '', limit: 3 })
  expect(back.data.map(({ id }) => id)).toEqual(ids.slice(7, 10))
  expect(back.has_more).toBe(true)
})

test('the SDK pages through a whole list by itself', async () => {
  for (let count = 0; count < 7; count += 1) await aCustomer(shop)
  const all = await shop.stripe.customers.list({ limit: 2 }).autoPagingToArray({ limit: 100 })
  expect(new Set(all.map(({ id }) => id)).size).toBe(7)
})

test.each([{ limit: 0 }, { limit: 101 }, { starting_after: 'cus_unknown' }, { ending_before: 'cus_unknown' }])(
  'a list with %j is refused',
  async (params) => {
    await expect(shop.stripe.customers.list(params)).rejects.toMatchObject({ statusCode: 400 })
  },
)

test('customers are searched by address and by metadata', async () => {
  const { id } = await aCustomer(shop, { email: 'eve@example.com', metadata: { userId: '7' } })
  await aCustomer(shop)
  const search = async (query: string) => (await shop.stripe.customers.search({ query })).data.map((found) => found.id)
  expect(await search(`email:'eve@example.com'`)).toEqual([id])
  expect(await search(`metadata['userId']:'7' AND email:"eve@example.com"`)).toEqual([id])
  expect(await search(`metadata['userId']:'8'`)).toEqual([])
  await expect(search('nonsense')).rejects.toMatchObject({ statusCode: 400 })
})

test('a search comes in pages too', async () => {
  for (let count = 0; count < 5; count += 1) await aCustomer(shop)
  const query = `email:'ada@example.com'`
  expect(await shop.stripe.customers.search({ query, limit: 2 }).autoPagingToArray({ limit: 100 })).toHaveLength(5)
})

test('a deleted customer is gone, and its subscriptions end', async () => {
  const { customer, subscription } = await aSubscriber(shop)

  await expect(shop.stripe.customers.del(customer.id)).resolves.toMatchObject({ deleted: true })

  await expect(shop.stripe.customers.retrieve(customer.id)).resolves.toMatchObject({ id: customer.id, deleted: true })
  await expect(shop.stripe.customers.update(customer.id, { name: 'x' })).rejects.toMatchObject({ statusCode: 404 })
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'canceled' })
  expect((await shop.stripe.customers.list()).data).toEqual([])
  await expect
    .poll(() => typesOf(shop.heard))
    .toEqual(expect.arrayContaining(['customer.subscription.deleted', 'customer.deleted']))
})
