import { setTimeout as pause } from 'node:timers/promises'
import type Stripe from 'stripe'
import { openStripe } from '#server/billing/stripe.ts'
import type { Shop } from './stripe-shop.ts'

/** Whom the contract suite asks: the stand-in, or Stripe's own test mode. */
export interface StripeTarget {
  name: string
  client(): Stripe
  /** A customer whose time can be moved on. */
  newCustomer(): Promise<Stripe.Customer>
  /** Lets a customer's time pass, up to this moment in Unix seconds. */
  passTo(customer: Stripe.Customer, moment: number): Promise<void>
  now: () => Date
  /** Removes what the suite has made. */
  clear(): Promise<void>
}

const CLOCK_MS = 1000

export function standinTarget(shop: Shop): StripeTarget {
  const client = () => {
    const port = Number(new URL(shop.origin).port)
    return openStripe({ secretKey: shop.standin.secretKey, api: { host: '127.0.0.1', port, protocol: 'http' } })
  }
  return {
    name: 'its stand-in',
    client,
    newCustomer: () => client().customers.create({ email: 'ada@example.com' }),
    passTo: (_customer, moment) => shop.advance({ seconds: moment - Math.floor(shop.standin.now().getTime() / 1000) }),
    now: () => shop.standin.now(),
    clear: async () => {},
  }
}

/** Each customer has a test clock, and is deleted with it. @throws if the key is not a test mode key */
export function stripeTarget(secretKey: string): StripeTarget {
  if (!/^[sr]k_test_/.test(secretKey)) throw new Error('STRIPE_CONTRACT_KEY must be a key of a test mode')
  const stripe = openStripe({ secretKey })
  const clocks: string[] = []
  return {
    name: 'Stripe itself',
    client: () => stripe,
    async newCustomer() {
      const clock = await stripe.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000) })
      clocks.push(clock.id)
      return stripe.customers.create({ email: 'ada@example.com', test_clock: clock.id })
    },
    passTo: ({ test_clock: clock }, moment) => advance(stripe, idOf(clock), moment),
    now: () => new Date(),
    async clear() {
      for (const clock of clocks.splice(0)) await stripe.testHelpers.testClocks.del(clock)
    },
  }
}

async function advance(stripe: Stripe, clock: string, moment: number): Promise<void> {
  await stripe.testHelpers.testClocks.advance(clock, { frozen_time: moment })
  while ((await stripe.testHelpers.testClocks.retrieve(clock)).status === 'advancing') await pause(CLOCK_MS)
}

function idOf(clock: Stripe.Customer['test_clock']): string {
  return typeof clock === 'string' ? clock : (clock?.id ?? '')
}
