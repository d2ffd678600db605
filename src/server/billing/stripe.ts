import { Readable } from 'node:stream'
import Stripe from 'stripe'
import { z } from 'zod'
import { isLive, type SubscriptionState } from '#shared/domain/access.ts'
import { AppError } from '#shared/errors.ts'
import { openCircuit, ServiceAway, type Circuit } from '#server/outside/circuit.ts'

/** Only this file and `stripe-refunds.ts` read responses of Stripe's API. */

export interface StripeOptions {
  secretKey: string
  /** Another address of the API, as in the local environment; Stripe's own if absent. */
  api?: { host: string; port: number; protocol: 'http' }
}

const LIMIT_MS = 8000
/** Of what failed at once, with the same Idempotency-Key; what took too long is not tried again. */
const RETRIES = 1

export function stripeCircuit(limitMs = LIMIT_MS): Circuit {
  return openCircuit({ service: 'stripe', limitMs, isAway: () => true })
}

/** Stripe's SDK, whose attempts the circuit ends or refuses; it rejects then as it does for a status of 503. */
export function openStripe({ secretKey, api }: StripeOptions, circuit = stripeCircuit()): Stripe {
  const wire = Stripe.createNodeHttpClient()
  return new Stripe(secretKey, {
    telemetry: false,
    maxNetworkRetries: RETRIES,
    timeout: LIMIT_MS,
    httpClient: {
      getClientName: () => wire.getClientName(),
      makeRequest: (...call) =>
        circuit
          .run(() => wire.makeRequest(...call), { isFailed: (answer) => answer.getStatusCode() >= 500 })
          .catch(withoutRetry),
    },
    ...api,
  })
}

/** In place of an answer that is not waited for, one after which the SDK does not try again. */
function withoutRetry(error: unknown) {
  if (!(error instanceof ServiceAway)) throw error
  return {
    getStatusCode: () => 503,
    getHeaders: () => ({ 'stripe-should-retry': 'false' }),
    getRawResponse: () => undefined,
    toStream: () => Readable.from([]),
    toJSON: async () => ({ error: { message: error.message } }),
  }
}

export interface SubscriptionFacts extends SubscriptionState {
  stripeSubscriptionId: string
  currentPeriodEnd: Date | null
  cancelAt: Date | null
  canceledAt: Date | null
  trialUsedAt: Date | null
  /** Whether it was bought on one of our checkout pages, not created by hand at Stripe. */
  isBought: boolean
  /** US cents a period; null if Stripe names no single price. */
  priceCents: number | null
}

/** Makes Stripe's SDK ignore the time of a signature. */
const ANY_AGE = 0
const NEVER_STARTED = ['incomplete', 'incomplete_expired']

/**
 * A customer's subscription at Stripe: the live one, or else the latest; null if there was never one. If two were bought
 * in two tabs, the one that was paid for first is kept and the others are canceled.
 */
export async function readSubscription(stripe: Stripe, customer: string): Promise<SubscriptionFacts | null> {
  const all = await allSubscriptions(stripe, customer)
  const live = all.filter(({ status }) => isLive(status)).toSorted((a, b) => a.created - b.created)
  const [first, ...surplus] = live.toSorted((a, b) => Number(isUnpaidFor(a)) - Number(isUnpaidFor(b)))
  for (const { id } of surplus) await stripe.subscriptions.cancel(id)
  const current = first ?? all.toSorted((a, b) => b.created - a.created)[0]
  if (!current) return null
  return {
    stripeSubscriptionId: current.id,
    status: current.status,
    trialEnd: instant(current.trial_end),
    currentPeriodEnd: instant(current.items.data[0]?.current_period_end),
    cancelAt: instant(current.cancel_at) ?? (current.cancel_at_period_end ? periodEnd(current) : null),
    canceledAt: instant(current.canceled_at),
    endedAt: instant(current.ended_at),
    pastDueSince: current.status === 'past_due' ? await firstFailure(stripe, current) : null,
    everPaidOrTrialed: all.some((one) => one.trial_start !== null || !isUnpaidFor(one)),
    trialUsedAt: instant(all.map((one) => one.trial_start ?? Infinity).reduce((a, b) => Math.min(a, b), Infinity)),
    isBought: 'userId' in current.metadata,
    priceCents: priceOf(current),
  }
}

/** Whether the first payment of a subscription has not arrived. */
function isUnpaidFor({ status }: Stripe.Subscription): boolean {
  return NEVER_STARTED.includes(status)
}

/** The email of a customer at Stripe; undefined if the customer was deleted or never existed. */
export async function findCustomer(stripe: Stripe, id: string): Promise<{ email: string | null } | undefined> {
  try {
    const customer = await stripe.customers.retrieve(id)
    return customer.deleted ? undefined : { email: customer.email }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * All customers created for a user ID; an email alone would prove nothing, as anybody could have typed it. Stripe's list by
 * email is up to date. Its search finds them under a former email too, but is a minute late and includes deleted ones.
 */
export async function customersMadeFor(stripe: Stripe, { userId, email }: { userId: string; email: string }) {
  const [ofEmail, searched] = await Promise.all([
    email ? stripe.customers.list({ email }).autoPagingToArray({ limit: 500 }) : [],
    stripe.customers.search({ query: `metadata['userId']:'${userId}'` }).autoPagingToArray({ limit: 500 }),
  ])
  return [...ofEmail, ...searched].filter(({ metadata }) => metadata['userId'] === userId).map(({ id }) => id)
}

/** Whether the object does not exist at Stripe, or no longer. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
}

/** Whether the error is about one customer, so that a call for another may succeed. */
export function isAboutOne(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}

/** Closes the customer's open checkouts. One that is paid meanwhile stays, and its subscription is synced later. */
export async function closeCheckouts({ checkout: { sessions } }: Stripe, customer: string): Promise<void> {
  for await (const { id } of sessions.list({ customer, status: 'open' })) {
    await sessions.expire(id).catch((error: unknown) => {
      if (!isAboutOne(error)) throw error
    })
  }
}

async function allSubscriptions(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  try {
    const list = stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
    return await list.autoPagingToArray({ limit: 500 })
  } catch (error) {
    // A deleted customer has nothing left to read. One that Stripe never had may mean that the key is wrong.
    if (isMissing(error) && (await stripe.customers.retrieve(customer)).deleted) return []
    throw error
  }
}

function priceOf({ items }: Stripe.Subscription): number | null {
  const [item] = items.data
  return typeof item?.price.unit_amount === 'number' ? item.price.unit_amount * (item.quantity ?? 1) : null
}

async function firstFailure(stripe: Stripe, subscription: Stripe.Subscription): Promise<Date> {
  const { data } = await stripe.invoices.list({ subscription: subscription.id, status: 'open', limit: 100 })
  const failed = data.filter((invoice) => invoice.attempt_count > 0).map((invoice) => invoice.created)
  return new Date(Math.min(...failed, periodStart(subscription)) * 1000)
}

function periodStart(subscription: Stripe.Subscription): number {
  return subscription.items.data[0]?.current_period_start ?? subscription.created
}

function periodEnd(subscription: Stripe.Subscription): Date | null {
  return instant(subscription.items.data[0]?.current_period_end)
}

function instant(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined || !Number.isFinite(seconds) ? null : new Date(seconds * 1000)
}

const StripeId = z.string().regex(/^[!-~]{1,255}$/)

/** The parts of a webhook's event that are read. A signature proves the sender, not the shape. */
const StripeEvent = z.object({
  id: StripeId,
  type: StripeId,
  data: z.object({
    object: z.object({
      object: z.string().optional(),
      id: StripeId.optional(),
      customer: z.union([StripeId, z.object({ id: StripeId })]).nullish(),
    }),
  }),
})
export type StripeEvent = z.output<typeof StripeEvent>

/** @throws WEBHOOK_UNSIGNED, WEBHOOK_STALE, WEBHOOK_UNREADABLE */
export function readEvent(body: Buffer, signature: string, secret: string): StripeEvent {
  const event = StripeEvent.safeParse(signedEvent(body, signature, secret))
  if (!event.success) throw new AppError('WEBHOOK_UNREADABLE', { cause: event.error })
  return event.data
}

function signedEvent(body: Buffer, signature: string, secret: string): unknown {
  try {
    return Stripe.webhooks.constructEvent(body, signature, secret)
  } catch (error) {
    throw new AppError(wasSigned(body, signature, secret) ? 'WEBHOOK_STALE' : 'WEBHOOK_UNSIGNED', { cause: error })
  }
}

/** Whether the signature is right, however old. */
function wasSigned(body: Buffer, signature: string, secret: string): boolean {
  try {
    return Boolean(Stripe.webhooks.constructEvent(body, signature, secret, ANY_AGE))
  } catch {
    return false
  }
}

/** The customer that an event is about; undefined if it is about none. */
export function customerOf({ data: { object } }: StripeEvent): string | undefined {
  if (object.object === 'customer') return object.id
  return typeof object.customer === 'string' ? object.customer : object.customer?.id
}
