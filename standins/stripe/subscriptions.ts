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
import type { Turn } from './turn.ts'

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
export const listSubscriptions = endpoint(SubscriptionFilter, async (turn, input) => {
  const { customer, price, status, created, ...page } = input
  // A deleted customer's are still listed.
  if (customer !== undefined && !(await find(turn, 'customer', customer))) {
    throw unknownReference('customer', customer, 'customer')
  }
  const filters: Filter[] = [
    ...whereIs(['customer'], customer),
    ...whereIs(['items', 'data', '0', 'price', 'id'], price),
    ...(status === 'all' ? [] : [{ path: ['status'], oneOf: statusesOf(status) }]),
    ...(created ? [{ path: ['created'], range: created }] : []),
  ]
  return listPage(turn, 'subscription', { url: '/v1/subscriptions', page, filters })
})

export const retrieveSubscription = endpoint(z.strictObject({}), async (turn, _input, id) => {
  return (await subscriptionInPath(turn, id)).data
})

export const createSubscription = endpoint(NewSubscription, async (turn, input) => {
  const isCharged = input.payment_behavior !== 'default_incomplete'
  const { subscription, decline } = await startSubscription(turn, await termsOf(turn, input), isCharged)
  if (decline && input.payment_behavior === 'error_if_incomplete') throw cardDeclined(decline, false)
  const { cancel_at, cancel_at_period_end } = input
  if (cancel_at === undefined && cancel_at_period_end === undefined) return subscription
  return change(turn, subscription.id, { cancel_at, cancel_at_period_end })
})

export const updateSubscription = endpoint(SubscriptionChange, (turn, input, id) => change(turn, id, input))

export const cancelSubscription = endpoint(Cancellation, async (turn, { cancellation_details }, id) => {
  const { data } = await subscriptionInPath(turn, id)
  if (!isLive(data.status)) throw missing('subscription', id)
  const asked = { ...data, cancellation_details: withDetails(data, cancellation_details) }
  await endSubscription(turn, asked, 'cancellation_requested')
  return (await subscriptionInPath(turn, id)).data
})

export const resumePaused = endpoint(z.strictObject({}), async (turn, _input, id) => {
  const course = await subscriptionInPath(turn, id)
  if (course.data.status !== 'paused') throw new StripeProblem(400, 'Only a paused subscription can be resumed.')
  const { decline } = await resumeSubscription(turn, course)
  if (decline) throw cardDeclined(decline, false)
  return (await subscriptionInPath(turn, id)).data
})

async function change(turn: Turn, id: string, input: SubscriptionChange): Promise<Subscription> {
  const course = await subscriptionInPath(turn, id)
  const { metadata, cancellation_details, ...rest } = input
  const isMore = Object.values(rest).some((value) => value !== undefined)
  if (!isLive(course.data.status) && isMore) {
    throw new StripeProblem(400, 'A canceled subscription can only update its cancellation_details and metadata.')
  }
  await refuseUnownedCard(turn, course.data.customer, input.default_payment_method)
  await changeSubscription(turn, course, changedBy(course.data, input, turn.now))
  await catchUp(turn)
  return (await subscriptionInPath(turn, id)).data
}

export async function subscriptionInPath(turn: Turn, id: string): Promise<Stored<'subscription'>> {
  const course = await findStored(turn, 'subscription', id)
  if (!course) throw missing('subscription', id)
  return course
}

async function termsOf(turn: Turn, input: NewSubscription): Promise<Terms> {
  const [{ price: priceId, quantity } = { price: '', quantity: 1 }] = input.items
  const customer = await customerNamed(turn, input.customer)
  const price = await find(turn, 'price', priceId)
  if (!price) throw unknownReference('price', priceId, 'items[0][price]')
  await refuseUnownedCard(turn, customer.id, input.default_payment_method)
  return {
    customer: customer.id,
    price,
    quantity,
    trialEnd: trialEndOf(input, turn.now),
    defaultPaymentMethod: input.default_payment_method ?? null,
    missingPaymentMethod: input.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    metadata: mergedMetadata({}, input.metadata),
    description: input.description ?? null,
  }
}

async function refuseUnownedCard(turn: Turn, customer: string, id: string | null | undefined): Promise<void> {
  if (!id) return
  const card = await find(turn, 'payment_method', id)
  if (card?.customer !== customer) throw unknownReference('PaymentMethod', id, 'default_payment_method')
}

function statusesOf(status: (typeof STATUSES)[number] | 'ended' | undefined): readonly string[] {
  if (status === undefined) return NOT_CANCELED
  return status === 'ended' ? ENDED : [status]
}
