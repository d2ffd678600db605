import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { getSubscription, refreshSubscription, startCheckout } from '#server/billing/subscriptions.service.ts'
import { requireAccount, type AccountContext } from '#server/context.ts'
import { heldAt, type Moment } from '#support/held-stripe.ts'
import { sendCard, useShop } from '#support/stripe-shop.ts'
import { anAccount, requestOf, useWorld } from '#support/world.ts'

const world = useWorld()
const shop = useShop()

async function inTab(userId: string, stripe = shop.stripe): Promise<AccountContext> {
  const request = await requestOf(world, userId, { stripe, billingNow: () => shop.standin.now() })
  return requireAccount({ ...request, origin: shop.origin })
}

/** Somebody with this address who has signed up, and bought nothing yet. */
async function somebody(email: string): Promise<AccountContext> {
  const { caller } = await anAccount(world, { status: null })
  await world.db.system.query('update accounts set email = $1 where id = $2', [email, caller?.id])
  return inTab(caller?.clerkUserId ?? '')
}

async function subscriptions(): Promise<Stripe.Subscription[]> {
  return (await shop.stripe.subscriptions.list({ status: 'all' })).data
}

const SEEN = { paid: 303, outcome: { key: 'ALREADY_SUBSCRIBED' } }
const CLOSED = { paid: 410, outcome: { sessionId: expect.any(String), url: expect.any(String) } }

/** Where a second checkout is when the first page is paid, and whether it sees that or has closed the page. */
const SECOND_CHECKOUT: (Moment & { paid: number; outcome: object })[] = [
  { call: 'GET /v1/checkout/sessions', at: 'asked', ...SEEN },
  { call: 'GET /v1/checkout/sessions', at: 'answered', ...SEEN },
  { call: 'GET /v1/subscriptions', at: 'asked', ...CLOSED },
  { call: 'GET /v1/subscriptions', at: 'answered', ...CLOSED },
  { call: 'POST /v1/checkout/sessions', at: 'asked', ...CLOSED },
]

describe('one account has one trial', () => {
  test.each(SECOND_CHECKOUT)('when a page is paid at "$call" ($at) of a second checkout', async (moment) => {
    const owner = await somebody('ann@mill.test')
    const first = await startCheckout(owner)
    const { stripe, reached, release } = heldAt(shop, moment)
    const second = startCheckout(await inTab(owner.caller.clerkUserId, stripe)).catch((error: unknown) => error)
    await reached
    expect((await sendCard(first.url)).status).toBe(moment.paid)
    release()
    expect(await second).toMatchObject(moment.outcome)
    const { data: open } = await shop.stripe.checkout.sessions.list({ status: 'open' })
    expect([...open, ...(await subscriptions())]).toHaveLength(1)
  })
})

describe('all accounts of a mailbox have one trial', () => {
  test('however its address is written, also for one that was there before the trial began', async () => {
    const [ann, other] = [await somebody('ann@mill.test'), await somebody('Ann+2@mill.test')]
    const stranger = await somebody('bob@mill.test')
    await sendCard((await startCheckout(ann)).url)
    expect(await refreshSubscription(ann)).toMatchObject({ status: 'trialing' })
    expect(await getSubscription(other)).toMatchObject({ status: 'none', trialUsed: true })
    await sendCard((await startCheckout(other)).url)
    expect(await refreshSubscription(other)).toMatchObject({ status: 'active', trialEnd: null })
    expect(await getSubscription(stranger)).toMatchObject({ trialUsed: false })
  })

  test('and no page stays open that still offers another', async () => {
    const [ann, other] = [await somebody('ann@mill.test'), await somebody('ann+2@mill.test')]
    const offered = await startCheckout(other)
    await sendCard((await startCheckout(ann)).url)
    await refreshSubscription(ann)
    expect((await sendCard(offered.url)).status).toBe(410)
    expect(await subscriptions()).toHaveLength(1)
  })

  test('however often it takes to close the page', async () => {
    const [ann, other] = [await somebody('ann@mill.test'), await somebody('ann+2@mill.test')]
    const offered = await startCheckout(other)
    await sendCard((await startCheckout(ann)).url)
    const { stripe, reached, release } = heldAt(shop, { call: 'GET /v1/checkout/sessions', at: 'asked' })
    const failing = refreshSubscription(await inTab(ann.caller.clerkUserId, stripe))
    await reached
    release(new TypeError('fetch failed'))
    await expect(failing).rejects.toMatchObject({ key: 'BILLING_UNAVAILABLE' })
    await refreshSubscription(ann)
    expect((await sendCard(offered.url)).status).toBe(410)
  })

  test('nor one that is made while the trial begins', async () => {
    const [ann, other] = [await somebody('ann@mill.test'), await somebody('ann+2@mill.test')]
    const { stripe, reached, release } = heldAt(shop, { call: 'POST /v1/checkout/sessions', at: 'asked' })
    const second = startCheckout(await inTab(other.caller.clerkUserId, stripe))
    await reached
    await sendCard((await startCheckout(ann)).url)
    await refreshSubscription(ann)
    release()
    await sendCard((await second).url)
    expect(await refreshSubscription(other)).toMatchObject({ status: 'active', trialEnd: null })
  })
})
