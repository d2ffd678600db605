import Stripe from 'stripe'
import { afterEach, describe, expect, test } from 'vitest'
import { customerOf, customersMadeFor, findCustomer, isMissing } from '#server/billing/stripe.ts'
import { openPortal, refreshSubscription, startCheckout } from '#server/billing/subscriptions.service.ts'
import { storedCustomer } from '#server/billing/stripe-customer.ts'
import { requireAccount, type AccountContext } from '#server/context.ts'
import { LOOKUP_KEY, useContract } from '#support/stripe-contract.ts'
import { anAccount, useWorld } from '#support/world.ts'

/** What TRAXX relies on at Stripe, by its own code: always against the stand-in, with a test key against Stripe too. */
const world = useWorld()
const { parties, patience, heard: HEARD } = useContract()

describe.each(parties)('$name', patience, ({ target, thePrice, aCard, aTrial, facts, heardOf }) => {
  const people: AccountContext[] = []

  afterEach(async () => {
    for (const ctx of people.splice(0)) {
      const customer = await storedCustomer(ctx)
      if (customer && (await findCustomer(target.client(), customer))) await target.client().customers.del(customer)
    }
    await target.clear()
  })

  /** A request of somebody, over this target. */
  async function somebody(): Promise<AccountContext> {
    await thePrice()
    const services = { stripe: target.client(), priceLookupKey: LOOKUP_KEY, billingNow: target.now }
    const ctx = requireAccount(await anAccount(world, { status: null, services }))
    people.push(ctx)
    return ctx
  }

  describe('a customer', () => {
    test('is made once for one idempotency key, which is good for nothing else', async () => {
      const stripe = target.client()
      const options = { idempotencyKey: `contract:${crypto.randomUUID()}` }
      const made = await stripe.customers.create({ email: 'a@example.com' }, options)
      expect((await stripe.customers.create({ email: 'a@example.com' }, options)).id).toBe(made.id)
      const other = stripe.customers.create({ email: 'b@example.com' }, options)
      await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
      await stripe.customers.del(made.id)
    })

    test('keeps the email, and can be given another', async () => {
      const { id } = await target.newCustomer()
      expect(await findCustomer(target.client(), id)).toEqual({ email: 'ada@example.com' })
      await target.client().customers.update(id, { email: 'new@example.com' })
      expect(await findCustomer(target.client(), id)).toEqual({ email: 'new@example.com' })
    })

    test('is found at once by email and user, and in time by the user alone', async () => {
      const stripe = target.client()
      const userId = `user_${crypto.randomUUID()}`
      const { id } = await stripe.customers.create({ email: 'a@example.com', metadata: { userId } })
      expect(await customersMadeFor(stripe, { userId, email: 'a@example.com' })).toContain(id)
      expect(await customersMadeFor(stripe, { userId: 'user_other', email: 'a@example.com' })).toEqual([])
      await expect.poll(() => customersMadeFor(stripe, { userId, email: '' }), HEARD).toEqual([id])
      await stripe.customers.del(id)
    })

    test('who is deleted is gone, and so is the subscription', async () => {
      const { customer } = await aTrial()
      const stripe = target.client()
      expect(await stripe.customers.del(customer.id)).toMatchObject({ id: customer.id, deleted: true })
      expect(await findCustomer(stripe, customer.id)).toBeUndefined()
      expect((await facts(customer))?.status ?? 'canceled').toBe('canceled')
      const update = stripe.customers.update(customer.id, { email: 'new@example.com' })
      await expect(update).rejects.toSatisfy(isMissing)
      const page = { customer: customer.id, return_url: 'https://example.com/' }
      await expect(stripe.billingPortal.sessions.create(page)).rejects.toSatisfy(isMissing)
      const types = ['customer.deleted', 'customer.subscription.deleted']
      await expect.poll(() => heardOf(customer, types), HEARD).toEqual(types)
    })

    test('who never was is an error, not somebody without a subscription', async () => {
      expect(await findCustomer(target.client(), 'cus_never00000000')).toBeUndefined()
      await expect(facts({ id: 'cus_never00000000' })).rejects.toSatisfy(isMissing)
    })
  })

  describe('a checkout', () => {
    test('is a page of its own, and closes the one before', async () => {
      const ctx = await somebody()
      const [first, second] = [await startCheckout(ctx), await startCheckout(ctx)]
      const { sessions } = target.client().checkout
      expect(new URL(second.url).protocol).toMatch(/^https?:$/)
      expect(await sessions.retrieve(first.sessionId)).toMatchObject({ status: 'expired', url: null })
      expect(await sessions.retrieve(second.sessionId)).toMatchObject({
        status: 'open',
        mode: 'subscription',
        subscription: null,
        customer: await storedCustomer(ctx),
        client_reference_id: ctx.caller.clerkUserId,
      })
      const customer = (await storedCustomer(ctx)) ?? ''
      const open = await sessions.list({ customer, status: 'open' })
      expect(open.data.map(({ id }) => id)).toEqual([second.sessionId])
      await expect(sessions.expire(first.sessionId)).rejects.toMatchObject({ statusCode: 400 })
    })

    test('is refused while a subscription lives, whose portal has an address', async () => {
      const ctx = await somebody()
      const { customer } = await aTrial()
      await world.db.system.query('update accounts set stripe_customer_id = $1', [customer.id])
      await expect(startCheckout(ctx)).rejects.toMatchObject({ key: 'ALREADY_SUBSCRIBED' })
      expect(await refreshSubscription(ctx)).toMatchObject({ status: 'trialing', trialUsed: true, price: 29 })
      expect(new URL((await openPortal(ctx)).url).protocol).toMatch(/^https?:$/)
    })
  })

  describe('errors', () => {
    test('a declined card is a card error that says which', async () => {
      const customer = await target.newCustomer()
      const declined = { type: 'StripeCardError', statusCode: 402, code: 'card_declined' }
      await expect(aCard(customer, 'pm_card_chargeDeclined')).rejects.toMatchObject(declined)
      const card = await aCard(customer, 'pm_card_chargeCustomerFail')
      const terms = { customer: customer.id, items: [{ price: await thePrice() }], default_payment_method: card }
      const bought = target.client().subscriptions.create({ ...terms, payment_behavior: 'error_if_incomplete' })
      await expect(bought).rejects.toMatchObject(declined)
    })

    test('a wrong key is turned away', async () => {
      const stripe = target.client()
      const wrong = stripe.customers.list({}, { apiKey: 'sk_test_wrong' })
      await expect(wrong).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
    })
  })

  test('an event is read from the signed bytes of its webhook, and from no others', async () => {
    const customer = await target.newCustomer()
    const types = ['customer.created']
    await expect.poll(() => heardOf(customer, types), HEARD).toEqual(types)
    const { data } = await target.client().events.list({ types, limit: 20 })
    const event = data.find((one) => customerOf(one) === customer.id)
    const payload = JSON.stringify(event)
    const secret = 'whsec_contract'
    const header = Stripe.webhooks.generateTestHeaderString({ payload, secret })
    expect(customerOf(Stripe.webhooks.constructEvent(payload, header, secret))).toBe(customer.id)
    expect(event).toMatchObject({ object: 'event', id: expect.stringMatching(/^evt_/), livemode: false })
    expect(() => Stripe.webhooks.constructEvent(`${payload} `, header, secret)).toThrow(
      Stripe.errors.StripeSignatureVerificationError,
    )
  })
})
