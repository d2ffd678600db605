import Fastify, { type FastifyInstance } from 'fastify'
import pg from 'pg'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { openStripeStandin, type StripeStandin } from '#standins/stripe/stripe-standin.ts'
import { emptyDatabase, workerConnection } from './database.ts'

/** Stripe's stand-in behind a real socket, the real SDK in front of it, and a receiver of its webhooks. */
export interface Shop {
  readonly pool: pg.Pool
  readonly origin: string
  readonly stripe: Stripe
  readonly standin: StripeStandin
  /** The events that arrived with a good signature and were accepted, in the order of their arrival. */
  readonly heard: Stripe.Event[]
  /** Tries that were answered 500. */
  readonly refused: Stripe.Event[]
  /** Responds to this number of webhooks with 500. */
  refuseNext(count: number): void
  /** A new client; without a key, the shop's own. */
  client(config?: Partial<Stripe.StripeConfig>, key?: string): Stripe
  /** Moves the clock by the call that a person's page makes too. */
  advance(move: { days: number } | { seconds: number }): Promise<void>
  /** The same database, another process. */
  restart(): Promise<void>
}

interface Opened {
  app: FastifyInstance
  standin: StripeStandin
  port: number
}

export function useShop(): Shop {
  let pool: pg.Pool | undefined
  let connection: pg.PoolConfig
  let opened: Opened | undefined
  let refusals = 0
  const heard: Stripe.Event[] = []
  const refused: Stripe.Event[] = []
  const current = () => {
    if (!opened) throw new Error('The shop opens with the first test')
    return opened
  }
  const receive = (event: Stripe.Event) => {
    const isRefused = refusals > 0
    refusals -= isRefused ? 1 : 0
    ;(isRefused ? refused : heard).push(event)
    return isRefused ? 500 : 200
  }
  const open = async () => {
    if (pool) opened = await openShop(pool, receive)
  }
  const close = async () => {
    await current().standin.close()
    await current().app.close()
  }

  beforeAll(async () => {
    connection = await workerConnection()
    pool = new pg.Pool({ ...connection, max: 6 })
  })
  beforeEach(async () => {
    await emptyDatabase(connection)
    refusals = 0
    heard.length = 0
    refused.length = 0
    await open()
  })
  afterEach(close)
  afterAll(() => pool?.end())

  return {
    heard,
    refused,
    get pool() {
      if (!pool) throw new Error('The shop opens with the first test')
      return pool
    },
    get origin() {
      return `http://127.0.0.1:${current().port}`
    },
    get standin() {
      return current().standin
    },
    get stripe() {
      return clientOf(current())
    },
    client: (config, key) => clientOf(current(), config, key),
    refuseNext: (count) => (refusals = count),
    advance: (move) => advance(current(), move),
    async restart() {
      await close()
      await open()
    },
  }
}

async function openShop(pool: pg.Pool, receive: (event: Stripe.Event) => number): Promise<Opened> {
  const app = Fastify({ forceCloseConnections: true })
  let port = 0
  const standin = await openStripeStandin({ pool, webhookUrl: () => `http://127.0.0.1:${port}/webhook` })
  await app.register(standin.plugin)
  await app.register(async (receiver) => {
    receiver.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body)
    receiver.post<{ Body: Buffer }>('/webhook', async ({ body, headers }, reply) => {
      const signature = headers['stripe-signature'] ?? ''
      const event = Stripe.webhooks.constructEvent(body, signature, standin.webhookSecret)
      return reply.status(receive(event)).send()
    })
  })
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  return { app, standin, port }
}

function clientOf({ standin, port }: Opened, config: Partial<Stripe.StripeConfig> = {}, key = standin.secretKey) {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', telemetry: false, ...config })
}

async function advance({ port }: Opened, move: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/__stripe/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(move),
  })
  if (!response.ok) throw new Error(`The clock answered ${response.status}`)
}

export const CARDS = {
  works: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  noFunds: '4000 0000 0000 9995',
  failsLater: '4000 0000 0000 0341',
}

/** Fills in and sends a form of a hosted page, as a browser without scripts does. */
export function sendForm(url: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  return fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) })
}

export function sendCard(url: string, number = CARDS.works) {
  return sendForm(url, { number, expiry: '12 / 40', cvc: '123', name: 'Ada Lovelace' })
}

export async function aCustomer(shop: Shop, params: Stripe.CustomerCreateParams = {}): Promise<Stripe.Customer> {
  return shop.stripe.customers.create({ email: 'ada@example.com', ...params })
}

/** An open checkout of TRAXX Pro, with the trial unless `trialDays` is null. */
export async function aCheckout(
  shop: Shop,
  {
    customer,
    trialDays = 14,
    ...rest
  }: { customer: string; trialDays?: number | null } & Partial<Stripe.Checkout.SessionCreateParams>,
) {
  const prices = await shop.stripe.prices.list({ lookup_keys: ['traxx_pro_monthly'], active: true })
  return shop.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: prices.data.map(({ id }) => ({ price: id, quantity: 1 })),
    subscription_data: { ...(trialDays !== null && { trial_period_days: trialDays }), metadata: { userId: '7' } },
    success_url: `${shop.origin}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${shop.origin}/checkout`,
    ...rest,
  })
}

/** A customer with a subscription that was bought on the hosted page. */
export async function aSubscriber(
  shop: Shop,
  { trialDays = 14, card = CARDS.works }: { trialDays?: number | null; card?: string } = {},
) {
  const customer = await aCustomer(shop)
  const session = await aCheckout(shop, { customer: customer.id, trialDays })
  await sendCard(session.url ?? '', card)
  const { data } = await shop.stripe.subscriptions.list({ customer: customer.id })
  const [subscription] = data
  if (!subscription) throw new Error('The checkout made no subscription')
  return { customer, session, subscription }
}

/** The subscription as Stripe knows it now. */
export function reloaded(shop: Shop, { id }: { id: string }): Promise<Stripe.Subscription> {
  return shop.stripe.subscriptions.retrieve(id)
}

export async function portalOf(shop: Shop, { id }: { id: string }): Promise<string> {
  const { url } = await shop.stripe.billingPortal.sessions.create({
    customer: id,
    return_url: `${shop.origin}/profile`,
  })
  return url
}

export function typesOf(events: readonly Stripe.Event[]): string[] {
  return events.map(({ type }) => type)
}

export function daysAfter(moment: number, days: number): number {
  return moment + days * 86_400
}

/** The id of something that Stripe gives by id, or whole where it was expanded. */
export function idOf(reference: string | { id: string } | null): string {
  return typeof reference === 'string' ? reference : (reference?.id ?? 'none')
}
