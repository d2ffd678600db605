import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  aCustomer,
  aSubscriber,
  CARDS,
  daysAfter,
  reloaded,
  sendCard,
  portalOf,
  typesOf,
  useShop,
} from '#support/stripe-shop.ts'

const shop = useShop()

async function newestInvoice({ customer }: { customer: Stripe.Customer }): Promise<Stripe.Invoice | undefined> {
  return (await shop.stripe.invoices.list({ customer: customer.id, limit: 1 })).data[0]
}

async function eventsOf(type: Stripe.Event['type']): Promise<Stripe.Event[]> {
  return (await shop.stripe.events.list({ type, limit: 100 })).data
}

test('three days before its end the trial is announced, once', async () => {
  const { subscription } = await aSubscriber(shop)
  await shop.advance({ days: 10 })
  expect(await eventsOf('customer.subscription.trial_will_end')).toEqual([])
  await shop.advance({ days: 2 })
  const announced = await eventsOf('customer.subscription.trial_will_end')
  expect(announced).toMatchObject([{ data: { object: { id: subscription.id, status: 'trialing' } } }])
  expect(announced[0]?.created).toBe(daysAfter(subscription.created, 11))
})

test('at the end of the trial the card is charged for the first month', async () => {
  const { customer, subscription } = await aSubscriber(shop)
  await shop.advance({ days: 15 })

  const active = await reloaded(shop, subscription)
  expect(active.status).toBe('active')
  expect(active.items.data[0]?.current_period_start).toBe(subscription.trial_end)
  const invoice = await newestInvoice({ customer })
  expect(invoice).toMatchObject({
    status: 'paid',
    amount_paid: 2900,
    billing_reason: 'subscription_cycle',
    attempt_count: 1,
  })
  expect(invoice?.id).toBe(active.latest_invoice)
  expect(invoice?.created).toBe(subscription.trial_end)
  expect(invoice?.lines.data[0]?.period.end).toBe(active.items.data[0]?.current_period_end)
  const [updated] = await eventsOf('customer.subscription.updated')
  expect(updated?.data.previous_attributes).toMatchObject({ status: 'trialing' })
})

test('it renews every month on the day of its anchor', async () => {
  const { customer, subscription } = await aSubscriber(shop, { trialDays: null })
  const start = new Date(subscription.created * 1000)
  await shop.advance({ days: 63 })
  const end = new Date(((await reloaded(shop, subscription)).items.data[0]?.current_period_end ?? 0) * 1000)
  expect((end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth()).toBe(3)
  expect((await shop.stripe.invoices.list({ customer: customer.id })).data.map(({ status }) => status)).toEqual([
    'paid',
    'paid',
    'paid',
  ])
})

test('a card that fails at the end of the trial leaves it past due, the invoice open', async () => {
  const { customer, subscription } = await aSubscriber(shop, { card: CARDS.failsLater })
  await shop.advance({ days: 14.5 })

  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'past_due' })
  const invoice = await newestInvoice({ customer })
  expect(invoice).toMatchObject({ status: 'open', amount_due: 2900, amount_paid: 0, attempt_count: 1 })
  expect(invoice?.next_payment_attempt).toBe(daysAfter(subscription.trial_end ?? 0, 3))
  await expect.poll(() => typesOf(shop.heard)).toContain('invoice.payment_failed')
})

test('it is tried again 3, then 5, then 7 days later, and then canceled', async () => {
  const { customer, subscription } = await aSubscriber(shop, { card: CARDS.failsLater })
  await shop.advance({ days: 14 + 14.9 })
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'past_due' })
  await shop.advance({ days: 0.2 })

  const end = subscription.trial_end ?? 0
  const failures = (await eventsOf('invoice.payment_failed')).map(({ created }) => created).toReversed()
  expect(failures).toEqual([0, 3, 8, 15].map((days) => daysAfter(end, days)))
  const canceled = await reloaded(shop, subscription)
  expect(canceled).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'payment_failed' } })
  expect(canceled.ended_at).toBe(daysAfter(end, 15))
  expect(await newestInvoice({ customer })).toMatchObject({
    status: 'open',
    next_payment_attempt: null,
    attempt_count: 4,
  })
  expect(await eventsOf('customer.subscription.deleted')).toHaveLength(1)
})

test('a try that succeeds makes it active again', async () => {
  const { customer, subscription } = await aSubscriber(shop, { card: CARDS.failsLater })
  await shop.advance({ days: 15 })
  const card = await shop.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await shop.stripe.subscriptions.update(subscription.id, { default_payment_method: card.id })
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'past_due' })
  await shop.advance({ days: 3 })
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'active' })
  expect(await newestInvoice({ customer })).toMatchObject({ status: 'paid', attempt_count: 2 })
})

test('a renewal that fails enters the new period past due', async () => {
  const { customer, subscription } = await aSubscriber(shop, { trialDays: null })
  await sendCard(`${await portalOf(shop, customer)}/card`, CARDS.failsLater)
  await shop.advance({ days: 32 })
  const renewed = await reloaded(shop, subscription)
  expect(renewed.status).toBe('past_due')
  expect(renewed.items.data[0]?.current_period_start).toBe(subscription.items.data[0]?.current_period_end)
})

test.each([
  ['cancel', 'canceled', 'customer.subscription.deleted'],
  ['pause', 'paused', 'customer.subscription.paused'],
  ['create_invoice', 'past_due', 'invoice.payment_failed'],
] as const)('a trial without a card ends as was asked: %s', async (missing_payment_method, status, type) => {
  const customer = await aCustomer(shop)
  const { data } = await shop.stripe.prices.list()
  const subscription = await shop.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: data[0]?.id ?? '' }],
    trial_period_days: 14,
    trial_settings: { end_behavior: { missing_payment_method } },
  })
  await shop.advance({ days: 14.1 })
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status })
  expect(await eventsOf(type)).toHaveLength(1)
})

test('a deep jump of the clock lives through every day in its order', async () => {
  const { subscription } = await aSubscriber(shop, { card: CARDS.failsLater })
  await shop.advance({ days: 40 })
  const { data } = await shop.stripe.events.list({ limit: 100 })
  const times = data.map(({ created }) => created).toReversed()
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'canceled' })
  await expect.poll(() => new Set(shop.heard.map(({ id }) => id)).size).toBe(data.length)
})
