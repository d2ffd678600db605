import type Stripe from 'stripe'
import type { WireObject } from './wire.ts'

/**
 * What is stored of each resource: Stripe's own shape, with every reference an id. Because each interface extends the
 * SDK's type, the compiler holds whatever builds one of them to that type, field by field.
 */
export interface Objects {
  customer: Customer | DeletedCustomer
  product: Product
  price: Price
  payment_method: PaymentMethod
  'checkout.session': CheckoutSession
  subscription: Subscription
  invoice: Invoice
  invoice_payment: InvoicePayment
  payment_intent: PaymentIntent
  refund: Refund
  'billing_portal.session': PortalSession
  event: Event
}

export type ObjectName = keyof Objects

/** What an object knows that Stripe does not show. */
export interface Hidden {
  customer: Record<string, never>
  product: Record<string, never>
  price: Record<string, never>
  payment_method: CardBehaviour
  'checkout.session': Purchase
  subscription: { reminded: boolean }
  invoice: Record<string, never>
  invoice_payment: Record<string, never>
  payment_intent: Record<string, never>
  refund: Record<string, never>
  'billing_portal.session': { expiresAt: number }
  event: Record<string, never>
}

/** What a bank says of a card: nothing (all is well), or its refusal, when it is saved and when it is charged. */
export interface CardBehaviour {
  onSave: Decline | null
  onCharge: Decline | null
}

export interface Decline {
  code: string
  declineCode?: string
  message: string
}

/** What a checkout session sells, and what its subscription will be made of. */
export interface Purchase {
  price: string
  quantity: number
  trialEndsAfterDays: number | null
  trialEnd: number | null
  missingPaymentMethod: MissingPaymentMethod
  subscriptionMetadata: Record<string, string>
  subscriptionDescription: string | null
}

export type MissingPaymentMethod = 'cancel' | 'create_invoice' | 'pause'

export interface Customer extends WireObject<Stripe.Customer> {
  email: string | null
  invoice_prefix: string
  next_invoice_sequence: number
  invoice_settings: WireObject<Stripe.Customer.InvoiceSettings> & { default_payment_method: string | null }
}

export type DeletedCustomer = Stripe.DeletedCustomer

export type Product = WireObject<Stripe.Product>

export interface Price extends WireObject<Stripe.Price> {
  product: string
  unit_amount: number
  recurring: Recurring
}

export interface Recurring extends WireObject<Stripe.Price.Recurring> {
  interval: Interval
}

export type Interval = 'day' | 'week' | 'month' | 'year'

export interface PaymentMethod extends WireObject<Stripe.PaymentMethod> {
  customer: string | null
  card: WireObject<Stripe.PaymentMethod.Card>
}

export interface CheckoutSession extends WireObject<Stripe.Checkout.Session> {
  status: 'open' | 'complete' | 'expired'
  customer: string | null
  subscription: string | null
  invoice: string | null
  success_url: string
  amount_total: number
}

export type SubscriptionStatus =
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'incomplete'
  | 'incomplete_expired'
  | 'canceled'

export interface SubscriptionItem extends WireObject<Stripe.SubscriptionItem> {
  price: Price
  quantity: number
}

export interface Subscription extends WireObject<Stripe.Subscription> {
  status: SubscriptionStatus
  customer: string
  default_payment_method: string | null
  latest_invoice: string | null
  cancellation_details: WireObject<Stripe.Subscription.CancellationDetails>
  trial_settings: { end_behavior: { billing_cycle_anchor: null; missing_payment_method: MissingPaymentMethod } }
  items: { object: 'list'; data: [SubscriptionItem]; has_more: false; url: string }
}

export interface Invoice extends WireObject<Stripe.Invoice> {
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
  customer: string
  number: string
  default_payment_method: string | null
  parent: {
    type: 'subscription_details'
    quote_details: null
    subscription_details: { subscription: string; metadata: Record<string, string> }
  }
}

export interface InvoicePayment extends WireObject<Stripe.InvoicePayment> {
  invoice: string
  payment: { type: 'payment_intent'; payment_intent: string }
}

export interface PaymentIntent extends WireObject<Stripe.PaymentIntent> {
  customer: string
  payment_method: string | null
}

export interface Refund extends WireObject<Stripe.Refund> {
  customer: string
  payment_intent: string
  metadata: Record<string, string>
}

export type PortalSession = WireObject<Stripe.BillingPortal.Session> & { return_url: string | null }

export type EventType = Stripe.Event['type']

export type Event = Omit<Stripe.EventBase, 'data' | 'type'> & {
  type: EventType
  data: { object: object; previous_attributes?: object }
}
