import { z } from 'zod'
import { customerNamed } from './customer-lookup.ts'
import { catchUp } from './due.ts'
import { endpoint } from './endpoint.ts'
import { listPage, Page, whereIs } from './lists.ts'
import type { Subscription } from './object-types.ts'
import { mergedMetadata, Range, text } from './params.ts'
import { cardDeclined, missing, StripeProblem, unknownReference } from './problem.ts'
import { find, findStored, type Filter, type Stored } from './store.ts'
import type { Terms } from './subscription-builder.ts'
import { changedBy, withDetails } from './subscription-change.ts'
import { changeSubscription, endSubscription, resumeSubscription, startSubscription } from './subscription-course.ts'
import { isLive } from './subscription-life.ts'
import { Cancellation, NewSubscription, SubscriptionChange } from './subscription-params.ts'
import { trialEndOf } from './trial-params.ts'
import type { Transaction } from './transaction.ts'

const STATUSES = [
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'incomplete',
  'incomplete_expired',
  'canceled',
] as const
const NOT_CANCELED = STATUSES.filter((status) => status !== 'canceled')
const ENDED = ['canceled', 'incomplete_expired']

const SubscriptionFilter = Page.extend({
  customer: text.optional(),
  price: text.optional(),
  status: z.enum([...STATUSES, 'all', 'ended']).optional(),
  created: Range.optional(),
})

/** Canceled ones are listed only when asked for. */
export const listSubscriptions = endpoint(SubscriptionFilter, async (tx, input) => {
  const { customer, price, status, created, ...page } = input
  // A deleted customer's are still listed.
  if (customer !== undefined && !(await find(tx, 'customer', customer))) {
    throw unknownReference('customer', customer, 'customer')
  }
  const filters: Filter[] = [
    ...whereIs(['customer'], customer),
    ...whereIs(['items', 'data', '0', 'price', 'id'], price),
    ...(status === 'all' ? [] : [{ path: ['status'], oneOf: statusesOf(status) }]),
    ...(created ? [{ path: ['created'], range: created }] : []),
  ]
  return listPage(tx, 'subscription', { url: '/v1/subscriptions', page, filters })
})

export const retrieveSubscription = endpoint(z.strictObject({}), async (tx, _input, id) => {
  return (await subscriptionInPath(tx, id)).data
})

export const createSubscription = endpoint(NewSubscription, async (tx, input) => {
  const isCharged = input.payment_behavior !== 'default_incomplete'
  const { subscription, decline } = await startSubscription(tx, await termsOf(tx, input), isCharged)
  if (decline && input.payment_behavior === 'error_if_incomplete') throw cardDeclined(decline, false)
  const { cancel_at, cancel_at_period_end } = input
  if (cancel_at === undefined && cancel_at_period_end === undefined) return subscription
  return change(tx, subscription.id, { cancel_at, cancel_at_period_end })
})

export const updateSubscription = endpoint(SubscriptionChange, (tx, input, id) => change(tx, id, input))

export const cancelSubscription = endpoint(Cancellation, async (tx, { cancellation_details }, id) => {
  const { data } = await subscriptionInPath(tx, id)
  if (!isLive(data.status)) throw missing('subscription', id)
  const asked = { ...data, cancellation_details: withDetails(data, cancellation_details) }
  await endSubscription(tx, asked, 'cancellation_requested')
  return (await subscriptionInPath(tx, id)).data
})

export const resumePaused = endpoint(z.strictObject({}), async (tx, _input, id) => {
  const course = await subscriptionInPath(tx, id)
  if (course.data.status !== 'paused') throw new StripeProblem(400, 'Only a paused subscription can be resumed.')
  const { decline } = await resumeSubscription(tx, course)
  if (decline) throw cardDeclined(decline, false)
  return (await subscriptionInPath(tx, id)).data
})

async function change(tx: Transaction, id: string, input: SubscriptionChange): Promise<Subscription> {
  const course = await subscriptionInPath(tx, id)
  const { metadata, cancellation_details, ...rest } = input
  const isMore = Object.values(rest).some((value) => value !== undefined)
  if (!isLive(course.data.status) && isMore) {
    throw new StripeProblem(400, 'A canceled subscription can only update its cancellation_details and metadata.')
  }
  await refuseUnownedCard(tx, course.data.customer, input.default_payment_method)
  await changeSubscription(tx, course, changedBy(course.data, input, tx.now))
  await catchUp(tx)
  return (await subscriptionInPath(tx, id)).data
}

export async function subscriptionInPath(tx: Transaction, id: string): Promise<Stored<'subscription'>> {
  const course = await findStored(tx, 'subscription', id)
  if (!course) throw missing('subscription', id)
  return course
}

async function termsOf(tx: Transaction, input: NewSubscription): Promise<Terms> {
  const [{ price: priceId, quantity } = { price: '', quantity: 1 }] = input.items
  const customer = await customerNamed(tx, input.customer)
  const price = await find(tx, 'price', priceId)
  if (!price) throw unknownReference('price', priceId, 'items[0][price]')
  await refuseUnownedCard(tx, customer.id, input.default_payment_method)
  return {
    customer: customer.id,
    price,
    quantity,
    trialEnd: trialEndOf(input, tx.now),
    defaultPaymentMethod: input.default_payment_method ?? null,
    missingPaymentMethod: input.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    metadata: mergedMetadata({}, input.metadata),
    description: input.description ?? null,
  }
}

async function refuseUnownedCard(tx: Transaction, customer: string, id: string | null | undefined): Promise<void> {
  if (!id) return
  const card = await find(tx, 'payment_method', id)
  if (card?.customer !== customer) throw unknownReference('PaymentMethod', id, 'default_payment_method')
}

function statusesOf(status: (typeof STATUSES)[number] | 'ended' | undefined): readonly string[] {
  if (status === undefined) return NOT_CANCELED
  return status === 'ended' ? ENDED : [status]
}
