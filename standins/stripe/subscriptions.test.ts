import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aCustomer, aSubscriber, CARDS, daysAfter, reloaded, typesOf, useShop, idOf } from '#support/stripe-shop.ts'

const shop = useShop()

async function aSubscription(params: Partial<Stripe.SubscriptionCreateParams> & { card?: string } = {}) {
  const { card: token = 'pm_card_visa', ...rest } = params
  const customer = await aCustomer(shop)
  const card = await shop.stripe.paymentMethods.attach(token, { customer: customer.id })
  const { data } = await shop.stripe.prices.list()
  return shop.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: data[0]?.id ?? '' }],
    default_payment_method: card.id,
    ...rest,
  })
}

test('a subscription may be made by a call, with a trial or without', async () => {
  await expect(aSubscription({ trial_period_days: 14 })).resolves.toMatchObject({ status: 'trialing' })
  await expect(aSubscription()).resolves.toMatchObject({ status: 'active' })
})

test('where the first payment fails it is incomplete, and is given up after 23 hours', async () => {
  const subscription = await aSubscription({ card: 'pm_card_chargeCustomerFail' })
  expect(subscription.status).toBe('incomplete')
  await shop.advance({ days: 1 })
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'incomplete_expired' })
  const { data } = await shop.stripe.invoices.list({ subscription: subscription.id })
  expect(data).toMatchObject([{ status: 'void' }])
})

test('where asked, a first payment that fails makes nothing', async () => {
  const params = { card: 'pm_card_chargeCustomerFail', payment_behavior: 'error_if_incomplete' } as const
  await expect(aSubscription(params)).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' })
  expect((await shop.stripe.subscriptions.list({ status: 'all' })).data).toEqual([])
})

test('an incomplete one becomes active with its payment', async () => {
  const subscription = await aSubscription({ payment_behavior: 'default_incomplete' })
  expect(subscription.status).toBe('incomplete')
  await shop.stripe.invoices.pay(idOf(subscription.latest_invoice))
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'active' })
})

test('canceled ones are listed only when asked for', async () => {
  const { customer, subscription } = await aSubscriber(shop)
  await shop.stripe.subscriptions.cancel(subscription.id)
  const count = async (status?: Stripe.SubscriptionListParams.Status) =>
    (await shop.stripe.subscriptions.list({ customer: customer.id, ...(status && { status }) })).data.length
  expect([await count(), await count('all'), await count('canceled'), await count('ended')]).toEqual([0, 1, 1, 1])
  expect(await count('active')).toBe(0)
})

test('to cancel at the end of the period is a flag and a date, both cleared by either', async () => {
  const { subscription } = await aSubscriber(shop)
  const scheduled = await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  expect(scheduled).toMatchObject({ status: 'trialing', cancel_at_period_end: true, cancel_at: subscription.trial_end })
  expect(scheduled).toMatchObject({
    canceled_at: expect.any(Number),
    cancellation_details: { reason: 'cancellation_requested' },
  })
  const kept = {
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    cancellation_details: { reason: null },
  }
  await expect(shop.stripe.subscriptions.update(subscription.id, { cancel_at: '' })).resolves.toMatchObject(kept)
  await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await expect(
    shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false }),
  ).resolves.toMatchObject(kept)
})

test('it ends on the day it was told to, and is not billed again', async () => {
  const { customer, subscription } = await aSubscriber(shop, { trialDays: null })
  const cancel_at = daysAfter(subscription.created, 5)
  await shop.stripe.subscriptions.update(subscription.id, { cancel_at })
  await shop.advance({ days: 40 })
  const ended = await reloaded(shop, subscription)
  expect(ended).toMatchObject({
    status: 'canceled',
    ended_at: cancel_at,
    cancellation_details: { reason: 'cancellation_requested' },
  })
  expect((await shop.stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1)
  await expect.poll(() => typesOf(shop.heard)).toContain('customer.subscription.deleted')
})

test('it can be canceled at once, and then no more', async () => {
  const { subscription } = await aSubscriber(shop)
  const details = { comment: 'Too many contracts', feedback: 'too_complex' } as const
  const canceled = await shop.stripe.subscriptions.cancel(subscription.id, { cancellation_details: details })
  expect(canceled).toMatchObject({ status: 'canceled', ended_at: expect.any(Number), cancellation_details: details })
  await expect(shop.stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({ statusCode: 404 })
  await expect(
    shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false }),
  ).rejects.toMatchObject({
    statusCode: 400,
  })
  await expect(shop.stripe.subscriptions.update(subscription.id, { metadata: { a: 'b' } })).resolves.toMatchObject({
    metadata: { userId: '7', a: 'b' },
  })
})

test('what it still owed is not asked for any more once it is canceled', async () => {
  const { customer, subscription } = await aSubscriber(shop, { card: CARDS.failsLater })
  await shop.advance({ days: 15 })
  await shop.stripe.subscriptions.cancel(subscription.id)
  await shop.advance({ days: 10 })
  const { data } = await shop.stripe.invoices.list({ customer: customer.id, status: 'open' })
  expect(data).toMatchObject([{ attempt_count: 1, next_payment_attempt: null }])
  expect((await shop.stripe.events.list({ type: 'invoice.payment_failed' })).data).toHaveLength(1)
})

test('the trial can be ended now, which charges the card', async () => {
  const { subscription } = await aSubscriber(shop)
  const active = await shop.stripe.subscriptions.update(subscription.id, {
    trial_end: 'now',
    expand: ['latest_invoice'],
  })
  expect(active).toMatchObject({ status: 'active', latest_invoice: { amount_paid: 2900, status: 'paid' } })
  await expect.poll(() => typesOf(shop.heard)).toContain('customer.subscription.trial_will_end')
})

test('a paused one goes on when it is resumed with a card', async () => {
  const missing_payment_method = 'pause'
  const customer = await aCustomer(shop)
  const { data } = await shop.stripe.prices.list()
  const { id } = await shop.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: data[0]?.id ?? '' }],
    trial_period_days: 1,
    trial_settings: { end_behavior: { missing_payment_method } },
  })
  await shop.advance({ days: 2 })
  await expect(shop.stripe.subscriptions.resume(id)).rejects.toMatchObject({ statusCode: 402 })
  const card = await shop.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await shop.stripe.subscriptions.update(id, { default_payment_method: card.id })
  await expect(shop.stripe.subscriptions.resume(id)).resolves.toMatchObject({ status: 'active' })
  await expect.poll(() => typesOf(shop.heard)).toContain('customer.subscription.resumed')
})

test('an open invoice can be paid by a call; a decline is an error that is on record', async () => {
  const { customer, subscription } = await aSubscriber(shop, { card: CARDS.failsLater })
  await shop.advance({ days: 15 })
  const { data } = await shop.stripe.invoices.list({ subscription: subscription.id, status: 'open' })
  const id = data[0]?.id ?? ''

  await expect(shop.stripe.invoices.pay(id, {}, { idempotencyKey: 'pay' })).rejects.toMatchObject({
    type: 'StripeCardError',
    code: 'card_declined',
    decline_code: 'generic_decline',
  })
  await expect(shop.stripe.invoices.pay(id, {}, { idempotencyKey: 'pay' })).rejects.toMatchObject({ statusCode: 402 })
  expect((await shop.stripe.events.list({ type: 'invoice.payment_failed' })).data).toHaveLength(2)
  await expect(shop.stripe.invoices.retrieve(id)).resolves.toMatchObject({ attempt_count: 1, status: 'open' })

  const card = await shop.stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id })
  await expect(shop.stripe.invoices.pay(id, { payment_method: card.id })).resolves.toMatchObject({ status: 'paid' })
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'active' })
  await expect(shop.stripe.invoices.pay(id)).rejects.toMatchObject({ statusCode: 400, code: 'invoice_already_paid' })
})

test.each([
  [{ cancel_at: 1 }, 'cancel_at'],
  [{ trial_end: 1 }, 'trial_end'],
  [{ default_payment_method: 'pm_unknown' }, 'default_payment_method'],
])('a change to %j is refused for its %s', async (change, param) => {
  const { subscription } = await aSubscriber(shop)
  await expect(shop.stripe.subscriptions.update(subscription.id, change)).rejects.toMatchObject({
    statusCode: 400,
    param,
  })
})

test.each<[string, () => Promise<unknown>]>([
  ['subscription', () => shop.stripe.subscriptions.retrieve('sub_unknown')],
  ['subscription to change', () => shop.stripe.subscriptions.update('sub_unknown', {})],
  ['subscription to cancel', () => shop.stripe.subscriptions.cancel('sub_unknown')],
  ['invoice', () => shop.stripe.invoices.retrieve('in_unknown')],
  ['payment method', () => shop.stripe.paymentMethods.retrieve('pm_unknown')],
  ['session', () => shop.stripe.checkout.sessions.retrieve('cs_unknown')],
  ['event', () => shop.stripe.events.retrieve('evt_unknown')],
])('an unknown %s is not found', async (_what, call) => {
  await expect(call()).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' })
})
