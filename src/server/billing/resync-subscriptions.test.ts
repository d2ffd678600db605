import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { requireAccount, type AccountContext } from '#server/context.ts'
import { fakeServices } from '#support/services.ts'
import { CARDS, sendCard, useShop } from '#support/stripe-shop.ts'
import { anAccount, useWorld } from '#support/world.ts'
import { resyncSubscriptions } from './resync-subscriptions.ts'
import { storedCustomer } from './stripe-customer.ts'
import { getSubscription, refreshSubscription, startCheckout } from './subscriptions.service.ts'

const world = useWorld()
const shop = useShop()

function services() {
  return { stripe: shop.stripe, billingNow: () => shop.standin.now() }
}

/** A customer who paid on the hosted page; in these tests no webhook arrives. */
async function whoHasPaid(card = CARDS.works): Promise<AccountContext> {
  const request = await anAccount(world, { status: null, services: services() })
  const ctx = requireAccount({ ...request, origin: shop.origin })
  const { url } = await startCheckout(ctx)
  await sendCard(url, card)
  return ctx
}

async function unasked(hours: number, { accountId }: { accountId: number }) {
  const text = `update accounts set subscription_read_at = now() - make_interval(hours => $2) where id = $1`
  await world.db.system.query(text, [accountId, hours])
}

async function run(changes = services(), log = Fastify().log) {
  const ctx = { db: world.db, services: fakeServices(changes), log, signal: new AbortController().signal }
  await resyncSubscriptions(ctx)
}

/** The customers whose subscriptions Stripe is asked for from here on, in that order. */
function asked(stripe = shop.stripe) {
  const customers: string[] = []
  stripe.on('request', ({ path }: { path: string }) => {
    const customer = /^\/v1\/subscriptions\?customer=(\w+)/.exec(path)?.[1]
    if (customer) customers.push(customer)
  })
  return { stripe, customers }
}

async function waiting(): Promise<number> {
  const text = `select from accounts where subscription_read_at < now() - interval '6 hours'`
  return (await world.db.system.query(text)).rowCount ?? 0
}

test('a checkout of which no webhook has told is found', async () => {
  const ctx = await whoHasPaid()
  await unasked(7, ctx)
  expect(await getSubscription(ctx)).toMatchObject({ status: 'none' })
  await run()
  expect(await getSubscription(ctx)).toMatchObject({ status: 'trialing', access: 'full', trialUsed: true })
})

test('so is a payment that failed, and the log says that no webhook came', async () => {
  const ctx = await whoHasPaid(CARDS.failsLater)
  await refreshSubscription(ctx)
  await shop.advance({ days: 15 })
  await unasked(7, ctx)
  const { log } = Fastify()
  const warn = vi.spyOn(log, 'warn')
  await run(services(), log)
  expect(await getSubscription(ctx)).toMatchObject({ status: 'past_due', pastDueSince: expect.any(Date) })
  expect(warn).toHaveBeenCalledWith(
    { accountId: ctx.accountId, readAt: expect.anything(), from: 'trialing', to: 'past_due' },
    'a subscription changed without a webhook',
  )
})

test('what changed nothing is not spoken of', async () => {
  const ctx = await whoHasPaid()
  await refreshSubscription(ctx)
  await unasked(7, ctx)
  const { log } = Fastify()
  const warn = vi.spyOn(log, 'warn')
  await run(services(), log)
  expect(warn).not.toHaveBeenCalled()
})

test('who was asked about longest ago comes first, and within six hours nobody twice', async () => {
  const people = [await whoHasPaid(), await whoHasPaid(), await whoHasPaid()]
  const [newest, oldest, older] = people
  for (const [ctx, hours] of [
    [newest, 5],
    [oldest, 90],
    [older, 20],
  ] as const) {
    if (ctx) await unasked(hours, ctx)
  }
  const { stripe, customers } = asked()
  await run({ ...services(), stripe })
  await run({ ...services(), stripe })
  const ids = await Promise.all(people.map(storedCustomer))
  expect(customers).toEqual([ids[1], ids[2]])
})

test('accounts that are being deleted are left alone', async () => {
  const ctx = await whoHasPaid()
  await unasked(7, ctx)
  await world.db.system.query('update accounts set deleting_at = now()')
  const { stripe, customers } = asked()
  await run({ ...services(), stripe })
  expect(customers).toEqual([])
})

test('at most a hundred are asked about in one run, and one whom Stripe refuses stops nobody', async () => {
  await world.db.system.query(`
    insert into accounts (clerk_user_id, email, stripe_customer_id, subscription_read_at)
    select 'user_x' || n, '', 'cus_unknown' || n, now() - interval '2 days' from generate_series(1, 101) n`)
  await run()
  expect(await waiting()).toBe(1)
})

test('while Stripe is away the others wait for the next run', async () => {
  for (const ctx of [await whoHasPaid(), await whoHasPaid()]) await unasked(7, ctx)
  const { stripe } = fakeServices()
  await run({ ...services(), stripe })
  expect(await waiting()).toBe(1)
})
