import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import {
  getSubscription,
  openPortal,
  refreshSubscription,
  startCheckout,
} from '#server/billing/subscriptions.service.ts'
import { requireAccount, type AccountContext } from '#server/context.ts'
import { deleteAccount } from '#server/deletion/delete-account.service.ts'
import { heldAt, type Moment } from '#support/held-stripe.ts'
import { sendCard, useShop } from '#support/stripe-shop.ts'
import { anAccount, requestOf, useWorld } from '#support/world.ts'

/** A checkout in one tab, while the account is deleted in another: each server remembers its caller by itself. */
const world = useWorld()
const shop = useShop()

function services(stripe = shop.stripe) {
  return { stripe, billingNow: () => shop.standin.now() }
}

async function somebody(): Promise<AccountContext> {
  const request = await anAccount(world, { status: null, services: services() })
  return requireAccount({ ...request, origin: shop.origin })
}

/** The same person in another tab, on another server. */
async function elsewhere({ caller }: AccountContext, stripe?: Stripe): Promise<AccountContext> {
  const request = await requestOf(world, caller.clerkUserId, services(stripe))
  return requireAccount({ ...request, origin: shop.origin })
}

function leave(ctx: AccountContext): Promise<void> {
  return deleteAccount(ctx, { email: ctx.caller.email })
}

async function isLeaving({ accountId }: AccountContext): Promise<boolean> {
  const { rows } = await world.db.system.query('select from accounts where id = $1 and deleting_at is null', [
    accountId,
  ])
  return rows.length === 0
}

/** Who could still be charged, or could still pay. */
async function leftAtStripe() {
  const { data: customers } = await shop.stripe.customers.list()
  const { data: subscriptions } = await shop.stripe.subscriptions.list()
  const { data: open } = await shop.stripe.checkout.sessions.list({ status: 'open' })
  return [...customers, ...subscriptions, ...open].map(({ id }) => id)
}

const CHECKOUT: Moment[] = [
  { call: 'POST /v1/customers', at: 'asked' },
  { call: 'POST /v1/customers', at: 'answered' },
  { call: 'GET /v1/subscriptions', at: 'answered' },
  { call: 'POST /v1/checkout/sessions', at: 'asked' },
  { call: 'POST /v1/checkout/sessions', at: 'answered' },
]
const DELETION: Moment[] = [
  { call: 'GET /v1/customers', at: 'answered' },
  { call: 'GET /v1/customers/', at: 'answered' },
  { call: 'GET /v1/subscriptions', at: 'answered' },
  { call: 'DELETE /v1/customers/', at: 'asked' },
  { call: 'DELETE /v1/customers/', at: 'answered' },
]

describe('nothing is left at Stripe', () => {
  test.each(CHECKOUT)('of a checkout at "$call" ($at), when the account is deleted', async (moment) => {
    const { stripe, reached, release } = heldAt(shop, moment)
    const owner = await somebody()
    const checkout = startCheckout(await elsewhere(owner, stripe)).catch((error: unknown) => error)
    await reached
    const deletion = leave(owner)
    await expect.poll(() => isLeaving(owner)).toBe(true)
    release()
    await Promise.all([checkout, deletion])
    expect(await leftAtStripe()).toEqual([])
  })

  test.each(DELETION)('of a checkout that is asked for at "$call" ($at) of the deletion', async (moment) => {
    const { stripe, reached, release } = heldAt(shop, moment)
    const owner = await somebody()
    await startCheckout(owner)
    const tab = await elsewhere(owner)
    const deletion = leave(await elsewhere(owner, stripe))
    await reached
    const checkout = startCheckout(tab).catch((error: unknown) => error)
    release()
    expect(await checkout).toMatchObject({ key: 'NOT_SIGNED_IN' })
    await deletion
    expect(await leftAtStripe()).toEqual([])
  })

  test('of a checkout that is paid while the deletion closes it', async () => {
    const { stripe, reached, release } = heldAt(shop, { call: 'GET /v1/checkout/sessions', at: 'asked' })
    const owner = await somebody()
    const { url } = await startCheckout(owner)
    const deletion = leave(await elsewhere(owner, stripe))
    await reached
    expect((await sendCard(url)).status).toBe(303)
    release()
    await deletion
    expect(await leftAtStripe()).toEqual([])
  })

  test('of a customer whom the server did not live to store, also under a former email', async () => {
    const owner = await somebody()
    const metadata = { userId: owner.caller.clerkUserId }
    await shop.stripe.customers.create({ email: owner.caller.email, metadata })
    await shop.stripe.customers.create({ email: 'former@example.com', metadata })
    await leave(owner)
    expect(await leftAtStripe()).toEqual([])
  })
})

test('a customer of the same email who is somebody else stays', async () => {
  const owner = await somebody()
  const other = await shop.stripe.customers.create({ email: owner.caller.email, metadata: { userId: 'user_other' } })
  await leave(owner)
  expect((await shop.stripe.customers.list()).data).toMatchObject([{ id: other.id }])
})

test.each([
  ['subscription', getSubscription],
  ['return from payment', refreshSubscription],
  ['checkout', startCheckout],
  ['portal', openPortal],
])('the %s is for nobody whose account is gone, though a server remembers them', async (_what, ask) => {
  const owner = await somebody()
  await startCheckout(owner)
  const tab = await elsewhere(owner)
  await leave(owner)
  await expect(ask(tab)).rejects.toMatchObject({ key: 'NOT_SIGNED_IN' })
})
