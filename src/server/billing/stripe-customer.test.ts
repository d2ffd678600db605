import { expect, test } from 'vitest'
import { requireAccount, type AccountContext } from '#server/context.ts'
import { sendCard, useShop } from '#support/stripe-shop.ts'
import { anAccount, requestOf, useWorld } from '#support/world.ts'
import { storedCustomer } from './stripe-customer.ts'
import { getSubscription, openPortal, refreshSubscription, startCheckout } from './subscriptions.service.ts'

const world = useWorld()
const shop = useShop()

function services() {
  return { stripe: shop.stripe, billingNow: () => shop.standin.now() }
}

/** An account without a subscription. In these tests no webhook arrives. */
async function somebody(): Promise<AccountContext> {
  const request = await anAccount(world, { status: null, services: services() })
  return requireAccount({ ...request, origin: shop.origin })
}

/** The same person's next request, after something has changed. */
async function again({ caller }: AccountContext): Promise<AccountContext> {
  return requireAccount({ ...(await requestOf(world, caller.clerkUserId, services())), origin: shop.origin })
}

async function subscribe(ctx: AccountContext) {
  const { url } = await startCheckout(ctx)
  expect((await sendCard(url)).status).toBe(303)
  return refreshSubscription(ctx)
}

async function deleteAtStripe(ctx: AccountContext): Promise<string> {
  const customer = (await storedCustomer(ctx)) ?? ''
  await shop.stripe.customers.del(customer)
  return customer
}

async function customers() {
  return (await shop.stripe.customers.list()).data
}

test('a customer is made once, however many checkouts are asked for at once', async () => {
  const ctx = await somebody()
  await Promise.all([startCheckout(ctx), startCheckout(ctx), startCheckout(ctx)])
  expect(await customers()).toMatchObject([{ email: ctx.caller.email, metadata: { userId: ctx.caller.clerkUserId } }])
})

test('somebody whose customer was deleted at Stripe gets a new one at the next checkout', async () => {
  const ctx = await somebody()
  await startCheckout(ctx)
  const deleted = await deleteAtStripe(ctx)
  expect(await subscribe(ctx)).toMatchObject({ status: 'trialing', access: 'full' })
  expect(await storedCustomer(ctx)).not.toBe(deleted)
})

test('so does somebody whose customer Stripe has never heard of', async () => {
  const ctx = await somebody()
  await world.db.system.query(`update accounts set stripe_customer_id = 'cus_elsewhere'`)
  expect(await subscribe(ctx)).toMatchObject({ status: 'trialing' })
})

test('a subscription ends with its deleted customer: it can be read for a while, and there is no second trial', async () => {
  const ctx = await somebody()
  await subscribe(ctx)
  await deleteAtStripe(ctx)
  expect(await refreshSubscription(ctx)).toMatchObject({ status: 'canceled', access: 'read-only', screens: 'checkout' })
  const { url } = await startCheckout(ctx)
  expect(await getSubscription(ctx)).toMatchObject({ status: 'canceled', access: 'read-only' })
  await sendCard(url)
  expect(await refreshSubscription(ctx)).toMatchObject({ status: 'active', trialEnd: null })
})

test('the portal of a deleted customer is "not found"', async () => {
  const ctx = await somebody()
  await subscribe(ctx)
  await deleteAtStripe(ctx)
  await expect(openPortal(ctx)).rejects.toMatchObject({ key: 'SUBSCRIPTION_NOT_FOUND' })
})

test.each([
  ['checkout', (ctx: AccountContext) => startCheckout(ctx)],
  ['portal', (ctx: AccountContext) => openPortal(ctx)],
])('a new email of the account is told to Stripe with the next %s', async (_what, ask) => {
  const ctx = await somebody()
  await startCheckout(ctx)
  await world.db.system.query(`update accounts set email = 'new@example.com'`)
  await ask(await again(ctx))
  expect(await customers()).toMatchObject([{ email: 'new@example.com' }])
})

test('a customer whose making was not heard of is made anew under another email', async () => {
  const ctx = await somebody()
  await startCheckout(ctx)
  await world.db.system.query(`update accounts set email = 'new@example.com', stripe_customer_id = null`)
  await expect(startCheckout(await again(ctx))).resolves.toMatchObject({ sessionId: expect.stringMatching(/^cs_/) })
})

test('an account without an email has a customer without one', async () => {
  const ctx = await somebody()
  await world.db.system.query(`update accounts set email = '', trial_used_at = now()`)
  await startCheckout(await again(ctx))
  expect(await customers()).toMatchObject([{ email: null }])
})

test('an account without an email leaves that which was typed at Stripe', async () => {
  const ctx = await somebody()
  await startCheckout(ctx)
  await world.db.system.query(`update accounts set email = ''`)
  await openPortal(await again(ctx))
  expect(await customers()).toMatchObject([{ email: ctx.caller.email }])
})

test('of two subscriptions the one that is paid for stays, though the other came first', async () => {
  const ctx = await somebody()
  const { url } = await startCheckout(ctx)
  const [price] = (await shop.stripe.prices.list()).data
  const first = await shop.stripe.subscriptions.create({
    customer: (await storedCustomer(ctx)) ?? '',
    items: [{ price: price?.id ?? '' }],
    payment_behavior: 'default_incomplete',
  })
  expect(first.status).toBe('incomplete')
  await shop.advance({ seconds: 60 })
  expect((await sendCard(url)).status).toBe(303)
  expect(await refreshSubscription(ctx)).toMatchObject({ status: 'trialing', access: 'full' })
  const left = (await shop.stripe.subscriptions.list({ status: 'all' })).data
  expect(left.map(({ status }) => status)).toEqual(['trialing', 'canceled'])
})
