import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aCheckout, aCustomer, aSubscriber, daysAfter, typesOf, useShop } from '#support/stripe-shop.ts'

const shop = useShop()

test('a trial checkout charges nothing, keeps the card and starts a trialing subscription', async () => {
  const { customer, session, subscription } = await aSubscriber(shop)

  expect(subscription).toMatchObject({ status: 'trialing', cancel_at: null, metadata: { userId: '7' } })
  expect(subscription.trial_end).toBe(daysAfter(subscription.created, 14))
  expect(subscription.items.data[0]?.current_period_end).toBe(subscription.trial_end)
  const completed = await shop.stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription', 'line_items'] })
  expect(completed).toMatchObject({
    status: 'complete',
    payment_status: 'no_payment_required',
    url: null,
    customer: customer.id,
    subscription: { id: subscription.id },
    line_items: { data: [{ description: 'TRAXX Pro', quantity: 1 }] },
  })
})

test('its first invoice is for nothing, and paid', async () => {
  const { customer, subscription } = await aSubscriber(shop)
  const { data } = await shop.stripe.invoices.list({ customer: customer.id })
  expect(data).toMatchObject([
    {
      status: 'paid',
      total: 0,
      amount_paid: 0,
      billing_reason: 'subscription_create',
      number: expect.stringMatching(/^[A-Z0-9]{8}-0001$/),
      parent: { subscription_details: { subscription: subscription.id, metadata: { userId: '7' } } },
      lines: { data: [{ description: 'Trial period for TRAXX Pro', amount: 0 }] },
    },
  ])
  expect(subscription.latest_invoice).toBe(data[0]?.id)
})

test('the events of a trial checkout arrive signed, each once', async () => {
  await aSubscriber(shop)
  const expected = [
    'customer.created',
    'payment_method.attached',
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'checkout.session.completed',
  ]
  await expect.poll(() => typesOf(shop.heard).toSorted()).toEqual(expected.toSorted())
  expect((await shop.stripe.events.list()).data.map(({ type }) => type)).toEqual(expected.toReversed())
  await expect
    .poll(async () => (await shop.stripe.events.list()).data.map((event) => event.pending_webhooks))
    .toEqual(expected.map(() => 0))
})

test('a checkout without a trial charges the first month', async () => {
  const { customer, session, subscription } = await aSubscriber(shop, { trialDays: null })
  expect(subscription).toMatchObject({ status: 'active', trial_end: null })
  await expect(shop.stripe.checkout.sessions.retrieve(session.id)).resolves.toMatchObject({ payment_status: 'paid' })
  expect((await shop.stripe.invoices.list({ customer: customer.id })).data).toMatchObject([
    { status: 'paid', amount_paid: 2900, lines: { data: [{ description: '1 × TRAXX Pro (at $29.00 / month)' }] } },
  ])
})

test('a session is found by its customer and its status', async () => {
  const customer = await aCustomer(shop)
  const session = await aCheckout(shop, { customer: customer.id, client_reference_id: 'user_7' })
  await aCheckout(shop, { customer: (await aCustomer(shop)).id })
  const open = await shop.stripe.checkout.sessions.list({ customer: customer.id, status: 'open' })
  expect(open.data).toMatchObject([
    { id: session.id, client_reference_id: 'user_7', amount_total: 0, mode: 'subscription' },
  ])
  const items = await shop.stripe.checkout.sessions.listLineItems(session.id)
  expect(items.data).toMatchObject([{ price: { lookup_key: 'traxx_pro_monthly' } }])
})

test('a session can be expired once', async () => {
  const customer = await aCustomer(shop)
  const { id } = await aCheckout(shop, { customer: customer.id })
  await expect(shop.stripe.checkout.sessions.expire(id)).resolves.toMatchObject({ status: 'expired', url: null })
  await expect(shop.stripe.checkout.sessions.expire(id)).rejects.toMatchObject({ statusCode: 400 })
  await expect.poll(() => typesOf(shop.heard)).toContain('checkout.session.expired')
})

test('a session expires by itself after 24 hours of the clock', async () => {
  const customer = await aCustomer(shop)
  const { id, created, expires_at } = await aCheckout(shop, { customer: customer.id })
  expect(expires_at).toBe(daysAfter(created, 1))
  await shop.advance({ seconds: 82_800 })
  await expect(shop.stripe.checkout.sessions.retrieve(id)).resolves.toMatchObject({ status: 'open' })
  await shop.advance({ seconds: 3600 })
  await expect(shop.stripe.checkout.sessions.retrieve(id)).resolves.toMatchObject({ status: 'expired' })
})

test('the hosted page is where the success page is', async () => {
  const customer = await aCustomer(shop)
  const success_url = 'https://traxx.test:8443/checkout/success?session_id={CHECKOUT_SESSION_ID}'
  const session = await aCheckout(shop, { customer: customer.id, success_url })
  expect(session.url).toBe(`https://traxx.test:8443/__stripe/checkout/${session.id}`)
})

test.each<[Partial<Stripe.Checkout.SessionCreateParams>, string]>([
  [{ customer: 'cus_unknown' }, 'customer'],
  [{ line_items: [{ price: 'price_unknown', quantity: 1 }] }, 'line_items[0][price]'],
  [{ success_url: 'javascript:alert(1)' }, 'success_url'],
  [{ subscription_data: { trial_period_days: 731 } }, 'subscription_data[trial_period_days]'],
  [{ mode: 'payment' }, 'mode'],
  [{ expires_at: 1 }, 'expires_at'],
])('a session with %j is refused for its %s', async (change, param) => {
  const { id } = await aCustomer(shop)
  await expect(aCheckout(shop, { customer: id, ...change })).rejects.toMatchObject({ statusCode: 400, param })
})
