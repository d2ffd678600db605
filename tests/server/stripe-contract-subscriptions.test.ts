import { afterEach, describe, expect, test } from 'vitest'
import { isMissing } from '#server/billing/stripe.ts'
import { useContract } from '#support/stripe-contract.ts'

/** The other half of stripe-contract.test.ts: how subscriptions live, and what time does to them. */
const { parties, patience, heard: HEARD } = useContract()
const [HOUR, DAY] = [3600, 86_400]

describe.each(parties)('$name', patience, ({ target, thePrice, aCard, aTrial, facts, heardOf }) => {
  afterEach(() => target.clear())

  describe('a subscription', () => {
    test('is read with its trial, its period and its price', async () => {
      const { customer, subscription, trialEnd } = await aTrial()
      const end = new Date(trialEnd * 1000)
      expect(await facts(customer)).toEqual({
        stripeSubscriptionId: subscription.id,
        status: 'trialing',
        trialEnd: end,
        currentPeriodEnd: end,
        cancelAt: null,
        canceledAt: null,
        endedAt: null,
        pastDueSince: null,
        everPaidOrTrialed: true,
        trialUsedAt: new Date((subscription.trial_start ?? 0) * 1000),
        isBought: false,
        priceCents: 2900,
      })
      await expect.poll(() => heardOf(customer, ['customer.subscription.created']), HEARD).toHaveLength(1)
    })

    test('ends with its period where that was asked for, which can be taken back in either way', async () => {
      const { customer, subscription, trialEnd } = await aTrial()
      const { subscriptions } = target.client()
      const toEnd = { cancelAt: new Date(trialEnd * 1000), canceledAt: expect.any(Date), endedAt: null }
      await subscriptions.update(subscription.id, { cancel_at_period_end: true })
      expect(await facts(customer)).toMatchObject(toEnd)
      await subscriptions.update(subscription.id, { cancel_at_period_end: false })
      expect(await facts(customer)).toMatchObject({ cancelAt: null, canceledAt: null })
      await subscriptions.update(subscription.id, { cancel_at: trialEnd })
      expect(await facts(customer)).toMatchObject(toEnd)
      await subscriptions.update(subscription.id, { cancel_at: '' })
      expect(await facts(customer)).toMatchObject({ cancelAt: null, canceledAt: null })
      await expect.poll(() => heardOf(customer, ['customer.subscription.updated']), HEARD).toHaveLength(1)
    })

    test('can be ended at once, and then no more', async () => {
      const { customer, subscription } = await aTrial()
      const { subscriptions } = target.client()
      await subscriptions.cancel(subscription.id)
      expect(await facts(customer)).toMatchObject({ status: 'canceled', endedAt: expect.any(Date) })
      expect(await subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'canceled' })
      expect((await subscriptions.list({ customer: customer.id })).data).toEqual([])
      await expect(subscriptions.cancel(subscription.id)).rejects.toSatisfy(isMissing)
    })

    test('of which there are two stays one: the first', async () => {
      const { customer, subscription, trialEnd } = await aTrial()
      const { subscriptions } = target.client()
      await target.passTo(customer, subscription.created + HOUR)
      const items = [{ price: await thePrice() }]
      const second = await subscriptions.create({ customer: customer.id, items, trial_end: trialEnd })
      expect(await facts(customer)).toMatchObject({ stripeSubscriptionId: subscription.id, status: 'trialing' })
      expect(await subscriptions.retrieve(second.id)).toMatchObject({ status: 'canceled' })
    })
  })

  describe('with time', () => {
    test('the end of a trial is announced, and then the first month is paid', async () => {
      const { customer, trialEnd } = await aTrial()
      await target.passTo(customer, trialEnd - 2 * DAY)
      const announced = ['customer.subscription.trial_will_end']
      await expect.poll(() => heardOf(customer, announced), HEARD).toEqual(announced)
      // Stripe finalizes an invoice an hour after it is made.
      await target.passTo(customer, trialEnd + 3 * HOUR)
      expect(await facts(customer)).toMatchObject({ status: 'active', pastDueSince: null })
      const { data } = await target.client().invoices.list({ customer: customer.id, status: 'paid' })
      expect(data.map(({ amount_paid }) => amount_paid)).toEqual([2900, 0])
      const paid = ['invoice.paid', 'invoice.payment_succeeded']
      await expect.poll(() => heardOf(customer, paid), HEARD).toEqual(paid)
    })

    test('a card that fails leaves it past due since the period began, until the open invoice is paid', async () => {
      const { customer, trialEnd, subscription } = await aTrial({ card: 'pm_card_chargeCustomerFail' })
      const stripe = target.client()
      await target.passTo(customer, trialEnd + 3 * HOUR)
      expect(await facts(customer)).toMatchObject({ status: 'past_due', pastDueSince: new Date(trialEnd * 1000) })
      await expect.poll(() => heardOf(customer, ['invoice.payment_failed']), HEARD).toHaveLength(1)
      const { data } = await stripe.invoices.list({ subscription: subscription.id, status: 'open' })
      await stripe.invoices.pay(data[0]?.id ?? '', { payment_method: await aCard(customer) })
      expect(await facts(customer)).toMatchObject({ status: 'active', pastDueSince: null })
    })
  })
})
