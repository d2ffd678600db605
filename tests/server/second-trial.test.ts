import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { receiveWebhook } from '#server/billing/webhooks.service.ts'
import { getSubscription, refreshSubscription, startCheckout } from '#server/billing/subscriptions.service.ts'
import { updatePerson } from '#server/identity/accounts.service.ts'
import { requireAccount, type AccountContext, type Services } from '#server/context.ts'
import { aClerk } from '#support/person-at-clerk.ts'
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

  const PAIR = ['ann@mill.test', 'ann+2@mill.test'] as const

  /** Both have paid on a page that offered the trial, before the server heard of either. */
  async function bothPaid() {
    const both = [await somebody(PAIR[0]), await somebody(PAIR[1])] as const
    const pages = [await startCheckout(both[0]), await startCheckout(both[1])]
    for (const { url } of pages) expect((await sendCard(url)).status).toBe(303)
    expect((await subscriptions()).map(({ status }) => status)).toEqual(['trialing', 'trialing'])
    return both
  }

  /** Stripe's event of this subscription, as its webhook brings it. */
  async function deliver(ctx: AccountContext, object: Stripe.Subscription) {
    const payload = JSON.stringify({
      id: `evt_of_${object.id}`,
      type: 'customer.subscription.created',
      data: { object },
    })
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: ctx.services.stripeWebhookSecret })
    await receiveWebhook(ctx, Buffer.from(payload), signature)
  }

  test('also when two pages are paid at once: the later one ends before anything is charged', async () => {
    const both = await bothPaid()
    const [one, two] = await subscriptions()
    if (!one || !two) throw new Error('Both were bought')
    await Promise.all([deliver(both[0], one), deliver(both[1], two)])
    const seen = await Promise.all(both.map((ctx) => getSubscription(ctx)))
    expect(seen.map(({ status }) => status).toSorted()).toEqual(['canceled', 'trialing'])
    expect(seen.every(({ trialUsed }) => trialUsed)).toBe(true)
    // By this the page after checkout tells that it was a second trial.
    const ended = seen.find(({ status }) => status === 'canceled')
    expect(ended?.endedAt?.getTime()).toBeLessThan(ended?.trialEnd?.getTime() ?? 0)
    const { data: invoices } = await shop.stripe.invoices.list()
    expect(invoices.every(({ amount_due }) => amount_due === 0)).toBe(true)
    const loser = both[seen.findIndex(({ status }) => status === 'canceled')]
    if (!loser) throw new Error('One was ended')
    await sendCard((await startCheckout(loser)).url)
    expect(await refreshSubscription(loser)).toMatchObject({ status: 'active', trialEnd: null })
  })

  test('and the first stays, however often both are read again', async () => {
    const [ann, other] = await bothPaid()
    expect(await refreshSubscription(ann)).toMatchObject({ status: 'trialing' })
    for (let round = 0; round < 2; round += 1) {
      expect(await refreshSubscription(other)).toMatchObject({ status: 'canceled' })
      expect(await refreshSubscription(ann)).toMatchObject({ status: 'trialing' })
    }
  })

  test('a trial that was given by hand at Stripe is left alone', async () => {
    const [ann, other] = [await somebody(PAIR[0]), await somebody(PAIR[1])]
    await startCheckout(other)
    await sendCard((await startCheckout(ann)).url)
    await refreshSubscription(ann)
    const { rows } = await shop.pool.query('select stripe_customer_id as customer from accounts where id = $1', [
      other.accountId,
    ])
    const { data: prices } = await shop.stripe.prices.list()
    await shop.stripe.subscriptions.create({
      customer: rows[0].customer,
      items: [{ price: prices[0]?.id ?? '' }],
      trial_period_days: 30,
    })
    expect(await refreshSubscription(other)).toMatchObject({ status: 'trialing' })
  })

  test('two reads at once never wait for each other', async () => {
    const both = await bothPaid()
    const deadlocks = 'select deadlocks::int from pg_stat_database where datname = current_database()'
    // Each has locked its first row for a while before it asks for the next.
    await shop.pool.query(`
      create function linger() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$;
      create trigger linger before update on accounts for each row execute function linger()`)
    const { rows: before } = await shop.pool.query(deadlocks)
    try {
      await Promise.all(both.map((ctx) => refreshSubscription(ctx)))
      await shop.pool.query('select pg_stat_force_next_flush()')
      expect((await shop.pool.query(deadlocks)).rows).toEqual(before)
    } finally {
      await shop.pool.query('drop trigger linger on accounts; drop function linger')
    }
    expect(await Promise.all(both.map((ctx) => getSubscription(ctx)))).toMatchObject([
      { trialUsed: true },
      { trialUsed: true },
    ])
  })

  /** What happens within minutes of a change with the identity provider. */
  async function verify({ caller }: AccountContext, email: string): Promise<AccountContext> {
    await using provider = await aClerk(() => ({ email }))
    expect(await updatePerson(world.db, { clerk: provider.clerk, now: () => new Date() }, caller)).toBe(true)
    return inTab(caller.clerkUserId)
  }

  test('an account whose address is verified later is offered no other', async () => {
    const [ann, unverified] = [await somebody('ann@mill.test'), await somebody('')]
    await sendCard((await startCheckout(ann)).url)
    await refreshSubscription(ann)
    const other = await verify(unverified, 'ann+2@mill.test')
    expect(await getSubscription(other)).toMatchObject({ trialUsed: true })
    await sendCard((await startCheckout(other)).url)
    expect(await refreshSubscription(other)).toMatchObject({ status: 'active', trialEnd: null })
  })

  test('nor is one into whose mailbox somebody comes who has had a trial', async () => {
    const [ann, bob] = [await somebody('ann@mill.test'), await somebody('bob@mill.test')]
    await sendCard((await startCheckout(bob)).url)
    await refreshSubscription(bob)
    await verify(bob, 'ann+2@mill.test')
    expect(await getSubscription(ann)).toMatchObject({ trialUsed: true })
    await sendCard((await startCheckout(ann)).url)
    expect(await refreshSubscription(ann)).toMatchObject({ status: 'active', trialEnd: null })
    expect(await refreshSubscription(bob)).toMatchObject({ status: 'trialing' })
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

describe('an account whose address is not verified', () => {
  /** The same person, of whom the identity provider says this by now. */
  async function known(ctx: AccountContext, provider: { clerk: Services['clerk'] }): Promise<AccountContext> {
    const changes = { stripe: shop.stripe, billingNow: () => shop.standin.now(), clerk: provider.clerk }
    return requireAccount({ ...(await requestOf(world, ctx.caller.clerkUserId, changes)), origin: shop.origin })
  }

  test('begins no trial, and nothing is asked of Stripe', async () => {
    await using provider = await aClerk(() => ({ email: 'ann@mill.test', status: 'unverified' }))
    const ann = await known(await somebody(''), provider)
    await expect(startCheckout(ann)).rejects.toMatchObject({ key: 'TRIAL_UNVERIFIED' })
    expect((await shop.stripe.customers.list()).data).toEqual([])
    expect(await getSubscription(ann)).toMatchObject({ status: 'none', trialUsed: false })
  })

  test('begins it once it is, without waiting until the server asks by itself', async () => {
    let status = 'unverified'
    await using provider = await aClerk(() => ({ email: 'ann@mill.test', status }))
    const ann = await known(await somebody(''), provider)
    await expect(startCheckout(ann)).rejects.toMatchObject({ key: 'TRIAL_UNVERIFIED' })
    status = 'verified'
    await sendCard((await startCheckout(ann)).url)
    expect(await refreshSubscription(ann)).toMatchObject({ status: 'trialing' })
    const { data } = await shop.stripe.customers.list()
    expect(data).toMatchObject([{ email: 'ann@mill.test' }])
  })

  test('has had its trial if its mailbox has, and pays at once', async () => {
    const first = await somebody('ann@mill.test')
    await sendCard((await startCheckout(first)).url)
    await refreshSubscription(first)
    await using provider = await aClerk(() => ({ email: 'ann+2@mill.test' }))
    const second = await known(await somebody(''), provider)
    expect((await sendCard((await startCheckout(second)).url)).status).toBe(303)
    expect(await refreshSubscription(second)).toMatchObject({ status: 'active', trialEnd: null })
  })

  test('may pay without a trial', async () => {
    const ann = await somebody('')
    await world.db.system.query(`update accounts set trial_used_at = '2026-01-01' where id = $1`, [ann.accountId])
    await using provider = await aClerk(() => ({ email: 'ann@mill.test', status: 'unverified' }))
    const { sessionId } = await startCheckout(await known(ann, provider))
    const { data } = await shop.stripe.checkout.sessions.list({ status: 'open' })
    expect(data).toMatchObject([{ id: sessionId, amount_total: 2900 }])
  })

  test('may pay without a trial also while nobody can be asked for it, and Stripe gets it once it is verified', async () => {
    let user: Parameters<typeof aClerk>[0] = () => undefined
    await using provider = await aClerk(() => user())
    const ann = await somebody('')
    await world.db.system.query(`update accounts set trial_used_at = '2026-01-01' where id = $1`, [ann.accountId])
    const ctx = await known(ann, provider)
    await startCheckout(ctx)
    user = () => ({ email: 'ann@mill.test' })
    await sendCard((await startCheckout(ctx)).url)
    expect(await refreshSubscription(ctx)).toMatchObject({ status: 'active' })
    expect((await shop.stripe.customers.list()).data).toMatchObject([{ email: 'ann@mill.test' }])
  })

  test('is told so where the identity provider cannot be asked', async () => {
    await using provider = await aClerk(() => undefined)
    const ann = await known(await somebody(''), provider)
    await expect(startCheckout(ann)).rejects.toMatchObject({ key: 'IDENTITY_UNAVAILABLE' })
  })
})
