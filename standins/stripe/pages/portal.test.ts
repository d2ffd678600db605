import { expect, test } from 'vitest'
import {
  aCustomer,
  aSubscriber,
  CARDS,
  portalOf,
  reloaded,
  sendCard,
  sendForm,
  typesOf,
  useShop,
} from '#support/stripe-shop.ts'

const shop = useShop()

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text()
}

test('the portal shows the plan, what comes next, the card, the invoices and the way back', async () => {
  const { customer } = await aSubscriber(shop)
  const text = await textOf(await portalOf(shop, customer))
  for (const words of [
    'TRAXX Pro',
    'Free trial',
    '$29.00 per month',
    'Trial ends',
    '•••• 4242',
    'Trial period for TRAXX Pro',
    'Paid',
    'Return to TRAXX',
    'ada@example.com',
  ]) {
    expect(text).toContain(words)
  }
  expect(text).toContain(`href="${shop.origin}/profile"`)
})

test('an active plan shows its next charge', async () => {
  const { customer } = await aSubscriber(shop, { trialDays: null })
  expect(await textOf(await portalOf(shop, customer))).toContain('Next charge: $29.00 on')
})

test('canceling asks first, and then ends the plan with its period', async () => {
  const { customer, subscription } = await aSubscriber(shop)
  const portal = await portalOf(shop, customer)
  expect(await textOf(`${portal}/cancel?subscription=${subscription.id}`)).toContain('Cancel TRAXX Pro?')
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ cancel_at: null })

  const response = await sendForm(`${portal}/cancel`, { subscription: subscription.id })
  expect(response.status).toBe(303)
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({
    status: 'trialing',
    cancel_at: subscription.trial_end,
    cancel_at_period_end: false,
  })
  const text = await textOf(portal)
  expect(text).toContain('Cancels on')
  expect(text).toContain('Renew plan')

  await shop.advance({ days: 15 })
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({
    status: 'canceled',
    ended_at: subscription.trial_end,
  })
  expect(await textOf(await portalOf(shop, customer))).toContain('You have no plan.')
})

test('a canceled plan can be renewed until it ends', async () => {
  const { customer, subscription } = await aSubscriber(shop)
  const portal = await portalOf(shop, customer)
  await sendForm(`${portal}/cancel`, { subscription: subscription.id })
  const response = await sendForm(`${portal}/renew`, { subscription: subscription.id })
  expect(await textOf(new URL(response.headers.get('location') ?? '', portal).href)).toContain('Your plan goes on.')
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ cancel_at: null, canceled_at: null })
  await shop.advance({ days: 15 })
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'active' })
})

test('a new card pays at once what is owed', async () => {
  const { customer, subscription } = await aSubscriber(shop, { card: CARDS.failsLater })
  await shop.advance({ days: 15 })
  const portal = await portalOf(shop, customer)
  expect(await textOf(portal)).toContain('Past due')

  expect((await sendCard(`${portal}/card`, '5555 5555 5555 4444')).headers.get('location')).toContain('done=card')

  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'active' })
  expect(await textOf(portal)).toContain('•••• 4444')
  expect((await shop.stripe.invoices.list({ customer: customer.id })).data.map(({ status }) => status)).toEqual([
    'paid',
    'paid',
  ])
  await expect
    .poll(() => typesOf(shop.heard))
    .toEqual(expect.arrayContaining(['payment_method.attached', 'customer.updated']))
})

test('a new card that fails leaves it past due, and says so', async () => {
  const { customer, subscription } = await aSubscriber(shop, { card: CARDS.failsLater })
  await shop.advance({ days: 15 })
  const portal = await portalOf(shop, customer)
  const response = await sendCard(`${portal}/card`, CARDS.failsLater)
  expect(await textOf(new URL(response.headers.get('location') ?? '', portal).href)).toContain('The payment failed.')
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'past_due' })
  expect((await sendForm(`${portal}/retry`)).headers.get('location')).toContain('done=declined')
})

test('a refused or mistyped card changes nothing', async () => {
  const { customer, subscription } = await aSubscriber(shop)
  const portal = await portalOf(shop, customer)
  const declined = await sendCard(`${portal}/card`, CARDS.declined)
  expect(declined.status).toBe(402)
  expect(await declined.text()).toContain('Your card was declined.')
  expect((await sendCard(`${portal}/card`, '4242')).status).toBe(422)
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({
    default_payment_method: subscription.default_payment_method,
  })
})

test('a paused plan goes on with its first card', async () => {
  const customer = await aCustomer(shop)
  const { data } = await shop.stripe.prices.list()
  const subscription = await shop.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: data[0]?.id ?? '' }],
    trial_period_days: 1,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  })
  await shop.advance({ days: 2 })
  const portal = await portalOf(shop, customer)
  expect(await textOf(portal)).toContain('Paused')
  await sendCard(`${portal}/card`)
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'active' })
})

test("one customer's portal does nothing to another's plan", async () => {
  const mine = await aSubscriber(shop)
  const other = await aSubscriber(shop)
  const portal = await portalOf(shop, mine.customer)
  const fields = { subscription: other.subscription.id }
  expect((await sendForm(`${portal}/cancel`, fields)).status).toBe(404)
  expect((await fetch(`${portal}/cancel?subscription=${other.subscription.id}`)).status).toBe(404)
  await expect(reloaded(shop, other.subscription)).resolves.toMatchObject({ cancel_at: null })
})

test('the portal closes after an hour, and unknown ones are not found', async () => {
  const { customer } = await aSubscriber(shop)
  const portal = await portalOf(shop, customer)
  await shop.advance({ seconds: 3601 })
  expect((await fetch(portal)).status).toBe(410)
  expect((await sendCard(`${portal}/card`)).status).toBe(410)
  expect((await fetch(`${shop.origin}/__stripe/portal/bps_1unknown`)).status).toBe(404)
})

test('a form sent from another site does nothing', async () => {
  const { customer, subscription } = await aSubscriber(shop)
  const portal = await portalOf(shop, customer)
  const fields = { subscription: subscription.id }
  expect((await sendForm(`${portal}/cancel`, fields, { origin: 'https://evil.test' })).status).toBe(403)
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ cancel_at: null })
})

test('what people type is shown as text', async () => {
  const customer = await aCustomer(shop, { email: '<script>@x.test' })
  expect(await textOf(await portalOf(shop, customer))).toContain('&lt;script&gt;@x.test')
})

test.each([{ customer: 'cus_unknown' }, { return_url: 'nonsense' }])('a portal with %j is refused', async (change) => {
  const { id } = await aCustomer(shop)
  const params = { customer: id, return_url: shop.origin, ...change }
  await expect(shop.stripe.billingPortal.sessions.create(params)).rejects.toMatchObject({ statusCode: 400 })
})
