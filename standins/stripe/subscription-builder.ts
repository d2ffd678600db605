import { nextCycleEnd } from './billing-interval.ts'
import { newId } from './ids.ts'
import type { MissingPaymentMethod, Price, Subscription, SubscriptionItem } from './object-types.ts'

export interface Terms {
  customer: string
  price: Price
  quantity: number
  trialEnd: number | null
  defaultPaymentMethod: string | null
  missingPaymentMethod: MissingPaymentMethod
  metadata: Record<string, string>
  description: string | null
}

export interface Period {
  start: number
  end: number
}

/** What Stripe also shows, of what this shop does not do. */
const UNUSED = {
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_schedules: [],
  billing_thresholds: null,
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  discounts: [],
  livemode: false,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
} satisfies Partial<Subscription>

export function aSubscription(terms: Terms, now: number): Subscription {
  const id = newId.subscription()
  const { trialEnd } = terms
  return {
    id,
    object: 'subscription',
    ...UNUSED,
    billing_cycle_anchor: trialEnd ?? now,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: terms.price.currency,
    customer: terms.customer,
    default_payment_method: terms.defaultPaymentMethod,
    description: terms.description,
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [anItem(id, terms, now)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    metadata: terms.metadata,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    start_date: now,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: terms.missingPaymentMethod },
    },
    trial_start: trialEnd === null ? null : now,
  }
}

export function periodOf({ items }: Subscription): Period {
  const [{ current_period_start: start, current_period_end: end }] = items.data
  return { start, end }
}

export function inPeriod(subscription: Subscription, { start, end }: Period): Subscription {
  const [item] = subscription.items.data
  return {
    ...subscription,
    items: { ...subscription.items, data: [{ ...item, current_period_start: start, current_period_end: end }] },
    cancel_at: subscription.cancel_at_period_end ? end : subscription.cancel_at,
  }
}

function anItem(subscription: string, { price, quantity, trialEnd }: Terms, now: number): SubscriptionItem {
  return {
    id: newId.subscriptionItem(),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: trialEnd ?? nextCycleEnd(now, price.recurring, now),
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  }
}

function planOf(price: Price): SubscriptionItem['plan'] {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring.interval,
    interval_count: price.recurring.interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}
