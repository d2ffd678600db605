import { z } from 'zod'
import { aCheckoutSession } from './checkout-session-builder.ts'
import { customerNamed } from './customer-lookup.ts'
import { endpoint } from './endpoint.ts'
import { emit } from './events.ts'
import { listPage, Page, whereIs } from './lists.ts'
import type { CheckoutSession, Price, Purchase } from './object-types.ts'
import { flag, mergedMetadata, metadata, text, webAddress, wholeNumber } from './params.ts'
import { missing, StripeProblem, unknownReference } from './problem.ts'
import { find, findStored, insert, update, type Stored } from './store.ts'
import { trialDays, trialEndOf, trialSettings } from './trial-params.ts'
import type { Transaction } from './transaction.ts'

const HOUR = 3600

const NewSession = z.strictObject({
  mode: z.literal('subscription', { error: 'this stand-in knows subscription mode only' }),
  line_items: z.array(z.strictObject({ price: text, quantity: wholeNumber.default(1) })).length(1),
  success_url: webAddress,
  cancel_url: webAddress.optional(),
  customer: text.optional(),
  customer_email: z.email().optional(),
  client_reference_id: z.string().max(200).optional(),
  payment_method_collection: z.enum(['always', 'if_required']).default('always'),
  subscription_data: z
    .strictObject({
      trial_period_days: trialDays.optional(),
      trial_end: wholeNumber.optional(),
      trial_settings: trialSettings.optional(),
      metadata: metadata.optional(),
      description: text.optional(),
    })
    .default({}),
  metadata: metadata.optional(),
  expires_at: wholeNumber.optional(),
  ui_mode: z.literal('hosted_page').optional(),
  locale: text.optional(),
  allow_promotion_codes: flag.optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
})
type NewSession = z.output<typeof NewSession>

const SessionFilter = Page.extend({
  customer: text.optional(),
  subscription: text.optional(),
  status: z.enum(['open', 'complete', 'expired']).optional(),
})

export const listSessions = endpoint(SessionFilter, (tx, { customer, subscription, status, ...page }) => {
  const filters = [
    ...whereIs(['customer'], customer),
    ...whereIs(['subscription'], subscription),
    ...whereIs(['status'], status),
  ]
  return listPage(tx, 'checkout.session', { url: '/v1/checkout/sessions', page, filters })
})

export const retrieveSession = endpoint(z.strictObject({}), async (tx, _input, id) => {
  return (await sessionInPath(tx, id)).data
})

export const createSession = endpoint(NewSession, async (tx, input) => {
  const [{ price: priceId, quantity } = { price: '', quantity: 1 }] = input.line_items
  const price = await find(tx, 'price', priceId)
  if (!price) throw unknownReference('price', priceId, 'line_items[0][price]')
  if (!price.active)
    throw new StripeProblem(400, 'The price specified is inactive. This field only accepts active prices.')
  trialEndOf(input.subscription_data, tx.now)
  const hidden = purchaseOf(input, quantity)
  const data = await sessionOf(tx, input, price)
  await insert(tx, { data, hidden, dueAt: data.expires_at })
  return data
})

export const expireOpenSession = endpoint(z.strictObject({}), async (tx, _input, id) => {
  const { data } = await sessionInPath(tx, id)
  if (data.status !== 'open') {
    throw new StripeProblem(
      400,
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${data.status}\`.`,
    )
  }
  await expireSession(tx, id)
  return (await sessionInPath(tx, id)).data
})

export async function expireSession(tx: Transaction, id: string): Promise<void> {
  const { data, hidden } = await sessionInPath(tx, id)
  const expired: CheckoutSession = { ...data, status: 'expired', url: null }
  await update(tx, { data: expired, hidden })
  await emit(tx, 'checkout.session.expired', expired)
}

export async function sessionInPath(tx: Transaction, id: string): Promise<Stored<'checkout.session'>> {
  const session = await findStored(tx, 'checkout.session', id)
  if (!session) throw missing('checkout.session', id)
  return session
}

async function sessionOf(tx: Transaction, input: NewSession, price: Price): Promise<CheckoutSession> {
  const { trial_period_days, trial_end } = input.subscription_data
  const [{ quantity } = { quantity: 1 }] = input.line_items
  return aCheckoutSession(
    {
      customer: input.customer === undefined ? null : await customerNamed(tx, input.customer),
      customerEmail: input.customer_email ?? null,
      clientReferenceId: input.client_reference_id ?? null,
      successUrl: input.success_url,
      cancelUrl: input.cancel_url ?? null,
      price,
      amount: price.unit_amount * quantity,
      hasTrial: trial_period_days !== undefined || trial_end !== undefined,
      collectsCard: input.payment_method_collection,
      allowPromotionCodes: input.allow_promotion_codes ?? null,
      billingAddressCollection: input.billing_address_collection ?? null,
      locale: input.locale ?? null,
      metadata: mergedMetadata({}, input.metadata),
      expiresAt: expiryOf(input.expires_at, tx.now),
    },
    tx.now,
  )
}

function purchaseOf({ line_items, subscription_data }: NewSession, quantity: number): Purchase {
  const { trial_period_days, trial_end, trial_settings } = subscription_data
  return {
    price: line_items[0]?.price ?? '',
    quantity,
    trialEndsAfterDays: trial_period_days ?? null,
    trialEnd: trial_end ?? null,
    missingPaymentMethod: trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    subscriptionMetadata: mergedMetadata({}, subscription_data.metadata),
    subscriptionDescription: subscription_data.description ?? null,
  }
}

function expiryOf(asked: number | undefined, now: number): number {
  if (asked === undefined) return now + 24 * HOUR
  if (asked >= now + HOUR / 2 && asked <= now + 24 * HOUR) return asked
  throw new StripeProblem(
    400,
    'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
    { param: 'expires_at' },
  )
}
