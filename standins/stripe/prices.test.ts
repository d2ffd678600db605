import { expect, test } from 'vitest'
import { useShop } from '#support/stripe-shop.ts'

const shop = useShop()

test('TRAXX Pro is for sale from the start, for $29.00 a month', async () => {
  const { data } = await shop.stripe.prices.list({
    lookup_keys: ['traxx_pro_monthly'],
    active: true,
    expand: ['data.product'],
  })
  expect(data).toMatchObject([
    {
      unit_amount: 2900,
      currency: 'usd',
      recurring: { interval: 'month', interval_count: 1 },
      product: { name: 'TRAXX Pro' },
    },
  ])
  expect(String(data[0]?.unit_amount_decimal)).toBe('2900')
})

test('it is for sale once, however often the stand-in starts', async () => {
  await shop.restart()
  expect((await shop.stripe.products.list()).data).toHaveLength(1)
  expect((await shop.stripe.prices.list()).data).toHaveLength(1)
})

test('other products and prices can be made, changed and found', async () => {
  const product = await shop.stripe.products.create({ name: 'TRAXX Team', metadata: { seats: '5' } })
  const price = await shop.stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 29_000,
    recurring: { interval: 'year' },
    lookup_key: 'team_yearly',
    active: false,
  })
  await shop.stripe.products.update(product.id, { name: 'TRAXX Teams' })

  await expect(shop.stripe.products.retrieve(product.id)).resolves.toMatchObject({
    name: 'TRAXX Teams',
    metadata: { seats: '5' },
  })
  await expect(shop.stripe.prices.retrieve(price.id)).resolves.toMatchObject({ recurring: { interval: 'year' } })
  expect((await shop.stripe.prices.list({ product: product.id })).data).toHaveLength(1)
  expect((await shop.stripe.prices.list({ lookup_keys: ['team_yearly'], active: true })).data).toEqual([])
})

test('a lookup key belongs to one price', async () => {
  const { data } = await shop.stripe.products.list()
  const again = shop.stripe.prices.create({
    product: data[0]?.id ?? '',
    currency: 'usd',
    unit_amount: 100,
    recurring: { interval: 'month' },
    lookup_key: 'traxx_pro_monthly',
  })
  await expect(again).rejects.toMatchObject({ statusCode: 400, code: 'resource_already_exists' })
})

test('a price needs a product that exists, and an inactive price is not sold', async () => {
  const params = { currency: 'usd', unit_amount: 100, recurring: { interval: 'month' } } as const
  await expect(shop.stripe.prices.create({ ...params, product: 'prod_unknown' })).rejects.toMatchObject({
    statusCode: 400,
    param: 'product',
  })
  const { data } = await shop.stripe.products.list()
  const inactive = await shop.stripe.prices.create({ ...params, product: data[0]?.id ?? '', active: false })
  const session = shop.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: inactive.id }],
    success_url: `${shop.origin}/done`,
  })
  await expect(session).rejects.toMatchObject({ statusCode: 400, message: expect.stringContaining('inactive') })
})
