import type Stripe from 'stripe'
import { customerOf, readSubscription, type SubscriptionFacts } from '#server/billing/stripe.ts'
import { useShop } from './stripe-shop.ts'
import { standinTarget, stripeTarget, type StripeTarget } from './stripe-targets.ts'

export const LOOKUP_KEY = 'traxx_contract_monthly'

const key = process.env['STRIPE_CONTRACT_KEY']
const PATIENCE = { timeout: 180_000 }
const HEARD = { timeout: 180_000, interval: key ? 2000 : 100 }

/** Whom the contract suite asks: always the stand-in, and Stripe itself where a key of its test mode is given. */
export function useContract() {
  const shop = useShop()
  if (!key) console.info("Stripe's contract: only the stand-in is asked, because STRIPE_CONTRACT_KEY is not set")
  const targets = [standinTarget(shop), ...(key ? [stripeTarget(key)] : [])]
  return {
    patience: PATIENCE,
    heard: HEARD,
    parties: targets.map((target) => ({ name: target.name, ...partyOf(target) })),
  }
}

function partyOf(target: StripeTarget) {
  async function thePrice(): Promise<string> {
    const stripe = target.client()
    const { data } = await stripe.prices.list({ lookup_keys: [LOOKUP_KEY], active: true, limit: 1 })
    if (data[0]) return data[0].id
    const { id: product } = await stripe.products.create({ name: 'TRAXX contract suite' })
    const recurring = { interval: 'month' } as const
    const terms = { product, currency: 'usd', unit_amount: 2900, recurring, lookup_key: LOOKUP_KEY }
    return (await stripe.prices.create(terms)).id
  }

  async function aCard(customer: Stripe.Customer, card = 'pm_card_visa'): Promise<string> {
    const { id } = await target.client().paymentMethods.attach(card, { customer: customer.id })
    return id
  }

  async function aTrial({ card = 'pm_card_visa' } = {}) {
    const customer = await target.newCustomer()
    const subscription = await target.client().subscriptions.create({
      customer: customer.id,
      items: [{ price: await thePrice() }],
      default_payment_method: await aCard(customer, card),
      trial_period_days: 14,
    })
    return { customer, subscription, trialEnd: subscription.trial_end ?? 0 }
  }

  return {
    target,
    thePrice,
    aCard,
    aTrial,
    facts: ({ id }: { id: string }): Promise<SubscriptionFacts | null> => readSubscription(target.client(), id),
    heardOf: (customer: Stripe.Customer, types: string[]) => heardOf(target.client(), customer, types),
  }
}

/** The types of the events about this customer, as our webhooks would understand them. */
async function heardOf(stripe: Stripe, { id, created }: Stripe.Customer, types: string[]): Promise<string[]> {
  const events = stripe.events.list({ types, created: { gte: created - 60 }, limit: 100 })
  const about = (await events.autoPagingToArray({ limit: 500 })).filter((event) => customerOf(event) === id)
  return [...new Set(about.map(({ type }) => type))].toSorted()
}
