import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aCheckout, aCustomer, aSubscriber, typesOf, useShop } from '#support/stripe-shop.ts'

const shop = useShop()

interface Call {
  method?: string
  body?: string | URLSearchParams
  headers?: Record<string, string>
}

async function raw(path: string, { headers = {}, ...init }: Call = {}) {
  const authorization = `Bearer ${shop.standin.secretKey}`
  const response = await fetch(`${shop.origin}${path}`, { ...init, headers: { authorization, ...headers } })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

test('a wrong key is turned away, and so is none', async () => {
  await expect(shop.client({}, 'sk_test_wrong').customers.list()).rejects.toBeInstanceOf(
    Stripe.errors.StripeAuthenticationError,
  )
  expect(await raw('/v1/customers', { headers: { authorization: '' } })).toMatchObject({
    status: 401,
    body: { error: { type: 'invalid_request_error' } },
  })
})

test('the key may come by basic authentication', async () => {
  const authorization = `Basic ${Buffer.from(`${shop.standin.secretKey}:`).toString('base64')}`
  expect(await raw('/v1/customers', { headers: { authorization } })).toMatchObject({ status: 200 })
})

test('every answer names its request, good or bad', async () => {
  const customer = await aCustomer(shop)
  expect(customer).toHaveProperty('lastResponse.requestId', expect.stringMatching(/^req_/))
  const unknown = shop.stripe.customers.retrieve('cus_unknown')
  await expect(unknown).rejects.toMatchObject({ requestId: expect.stringMatching(/^req_/) })
})

test('an unknown call is an error to the SDK too', async () => {
  await expect(shop.stripe.coupons.list()).rejects.toMatchObject({
    statusCode: 404,
    message: 'Unrecognized request URL (GET: /v1/coupons).',
  })
})

test('the API version of the SDK is accepted', async () => {
  expect(await aCustomer(shop)).toHaveProperty('lastResponse.apiVersion', Stripe.API_VERSION)
})

test('an unknown parameter is refused by its name', async () => {
  const body = new URLSearchParams({ 'metadata[a]': 'b', nickname: 'x' })
  expect(await raw('/v1/customers', { method: 'POST', body })).toMatchObject({
    status: 400,
    body: { error: { code: 'parameter_unknown', param: 'nickname', message: 'Received unknown parameter: nickname' } },
  })
})

test('a missing parameter is named as it stands in the form', async () => {
  const body = new URLSearchParams({ mode: 'subscription', success_url: shop.origin, 'line_items[0][quantity]': '1' })
  expect(await raw('/v1/checkout/sessions', { method: 'POST', body })).toMatchObject({
    status: 400,
    body: { error: { code: 'parameter_missing', param: 'line_items[0][price]' } },
  })
})

test('forms are read by the stand-in alone', async () => {
  const response = await fetch(`${shop.origin}/webhook`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) })
  expect(response.status).toBe(415)
})

test('a repeated request gets the first answer', async () => {
  const first = await shop.stripe.customers.create({ email: 'a@b.test' }, { idempotencyKey: 'customer:7' })
  const second = await shop.stripe.customers.create({ email: 'a@b.test' }, { idempotencyKey: 'customer:7' })
  expect(second.id).toBe(first.id)
  expect((await shop.stripe.customers.list()).data).toHaveLength(1)
})

test('of requests that race with one key, one is carried out', async () => {
  const create = () => shop.stripe.customers.create({ email: 'a@b.test' }, { idempotencyKey: 'customer:8' })
  const made = await Promise.all([create(), create(), create(), create()])
  expect(new Set(made.map(({ id }) => id)).size).toBe(1)
})

test('a key is not good for other parameters, nor for another call', async () => {
  await shop.stripe.customers.create({ email: 'a@b.test' }, { idempotencyKey: 'k' })
  await expect(shop.stripe.customers.create({ email: 'c@d.test' }, { idempotencyKey: 'k' })).rejects.toBeInstanceOf(
    Stripe.errors.StripeIdempotencyError,
  )
  await expect(shop.stripe.products.create({ name: 'x' }, { idempotencyKey: 'k' })).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
  })
  const customers = [await aCustomer(shop), await aCustomer(shop)]
  const [first, second] = customers.map(
    ({ id }) =>
      () =>
        shop.stripe.customers.update(id, {}, { idempotencyKey: 'u' }),
  )
  await first?.()
  await expect(second?.()).rejects.toMatchObject({ type: 'StripeIdempotencyError' })
})

test('a refused request leaves its key unused', async () => {
  const wrong = shop.stripe.customers.create({ email: 'nonsense' }, { idempotencyKey: 'k' })
  await expect(wrong).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
  await expect(shop.stripe.customers.create({ email: 'a@b.test' }, { idempotencyKey: 'k' })).resolves.toMatchObject({
    email: 'a@b.test',
  })
})

test('ids are expanded, in objects and throughout lists', async () => {
  const { customer } = await aSubscriber(shop)
  const { data } = await shop.stripe.subscriptions.list({
    customer: customer.id,
    expand: ['data.default_payment_method', 'data.customer', 'data.latest_invoice'],
  })
  expect(data[0]).toMatchObject({
    default_payment_method: { card: { last4: '4242', brand: 'visa' } },
    customer: { email: 'ada@example.com' },
    latest_invoice: { status: 'paid', total: 0 },
  })
})

test('what is null stays null, and what cannot be expanded is refused', async () => {
  const customer = await aCustomer(shop)
  const session = await aCheckout(shop, { customer: customer.id, expand: ['subscription', 'customer'] })
  expect(session).toMatchObject({ subscription: null, customer: { id: customer.id } })
  await expect(shop.stripe.customers.retrieve(customer.id, { expand: ['email'] })).rejects.toMatchObject({
    message: 'This property cannot be expanded (email).',
  })
  await expect(shop.stripe.customers.retrieve(customer.id, { expand: ['nothing'] })).rejects.toMatchObject({
    statusCode: 400,
  })
})

test("a customer's subscriptions are listed in it when asked for", async () => {
  const { customer, subscription } = await aSubscriber(shop)
  const found = await shop.stripe.customers.retrieve(customer.id, { expand: ['subscriptions'] })
  expect(found).toMatchObject({ subscriptions: { data: [{ id: subscription.id }] } })
})

test('events can be read again, by type and by time', async () => {
  const { subscription } = await aSubscriber(shop)
  const { data } = await shop.stripe.events.list({ type: 'customer.subscription.created' })
  expect(data).toMatchObject([{ data: { object: { id: subscription.id } }, api_version: Stripe.API_VERSION }])
  await expect(shop.stripe.events.retrieve(data[0]?.id ?? '')).resolves.toMatchObject({ object: 'event' })
  const types = ['invoice.paid', 'invoice.created']
  expect(typesOf((await shop.stripe.events.list({ types })).data)).toEqual(types)
  expect((await shop.stripe.events.list({ created: { gt: subscription.created + 60 } })).data).toEqual([])
})
