import { newId } from './ids.ts'
import { everyInterval, MERCHANT, money } from './merchant.ts'
import type { Customer, Invoice, Subscription } from './object-types.ts'
import { periodOf, type Period } from './subscription-builder.ts'

export interface NewInvoice {
  id: string
  customer: Customer
  /** As it was before `period` began, where there was a before. */
  subscription: Subscription
  productName: string
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  period: Period
  isTrial: boolean
  now: number
}

/** What Stripe also shows, of what this shop does not do. */
const UNUSED = {
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  automatically_finalizes_at: null,
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  customer_tax_ids: [],
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  footer: null,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  total_taxes: [],
  webhooks_delivered_at: null,
} satisfies Partial<Invoice>

/** A draft that nobody has been charged for. */
export function anInvoice(made: NewInvoice): Invoice {
  const { id, customer, subscription, reason, period, now } = made
  const amount = amountOf(made)
  const number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`
  return {
    id,
    object: 'invoice',
    ...UNUSED,
    account_country: MERCHANT.country,
    account_name: MERCHANT.name,
    amount_due: amount,
    amount_paid: 0,
    amount_remaining: amount,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: subscription.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    default_payment_method: null,
    effective_at: null,
    ending_balance: null,
    lines: { object: 'list', data: [aLine(made)], has_more: false, url: `/v1/invoices/${id}/lines` },
    metadata: {},
    next_payment_attempt: null,
    number,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
    },
    period_end: period.start,
    period_start: periodOf(subscription).start,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
  }
}

function aLine(made: NewInvoice): Invoice['lines']['data'][number] {
  const { subscription, period } = made
  const [item] = subscription.items.data
  const amount = amountOf(made)
  return {
    id: newId.invoiceLine(),
    object: 'line_item',
    amount,
    currency: subscription.currency,
    description: descriptionOf(made),
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice: made.id,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: null,
        subscription: subscription.id,
        subscription_item: item.id,
      },
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      type: 'price_details',
      price_details: { price: item.price.id, product: item.price.product },
      unit_amount_decimal: made.isTrial ? '0' : item.price.unit_amount_decimal,
    },
    quantity: item.quantity,
    quantity_decimal: String(item.quantity),
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  }
}

function amountOf({ subscription, isTrial }: NewInvoice): number {
  const [{ price, quantity }] = subscription.items.data
  return isTrial ? 0 : price.unit_amount * quantity
}

function descriptionOf({ subscription, productName, isTrial }: NewInvoice): string {
  const [{ price, quantity }] = subscription.items.data
  if (isTrial) return `Trial period for ${productName}`
  return `${quantity} × ${productName} (at ${money(price.unit_amount, price.currency)} / ${everyInterval(price.recurring)})`
}
