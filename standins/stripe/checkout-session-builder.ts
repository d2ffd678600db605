import { newId } from './ids.ts'
import type { CheckoutSession, Customer, Price } from './object-types.ts'

export interface NewSession {
  customer: Customer | null
  customerEmail: string | null
  clientReferenceId: string | null
  successUrl: string
  cancelUrl: string | null
  price: Price
  amount: number
  hasTrial: boolean
  collectsCard: 'always' | 'if_required'
  allowPromotionCodes: boolean | null
  billingAddressCollection: string | null
  locale: string | null
  metadata: Record<string, string>
  expiresAt: number
}

/** What Stripe also shows, of what this shop does not do. */
const UNUSED = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer_account: null,
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: null,
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_configuration_details: null,
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  wallet_options: null,
} satisfies Partial<CheckoutSession>

export function aCheckoutSession(made: NewSession, now: number): CheckoutSession {
  const id = newId.checkoutSession()
  const due = made.hasTrial ? 0 : made.amount
  return {
    id,
    object: 'checkout.session',
    ...UNUSED,
    allow_promotion_codes: made.allowPromotionCodes,
    amount_subtotal: due,
    amount_total: due,
    billing_address_collection: made.billingAddressCollection,
    cancel_url: made.cancelUrl,
    client_reference_id: made.clientReferenceId,
    created: now,
    currency: made.price.currency,
    customer: made.customer?.id ?? null,
    customer_creation: made.customer ? null : 'always',
    customer_details: detailsOf(made.customer?.email ?? made.customerEmail, made.customer?.name ?? null),
    customer_email: made.customerEmail,
    expires_at: made.expiresAt,
    locale: made.locale,
    metadata: made.metadata,
    mode: 'subscription',
    payment_method_collection: made.collectsCard,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    saved_payment_method_options: {
      allow_redisplay_filters: ['always'],
      payment_method_remove: 'disabled',
      payment_method_save: null,
    },
    status: 'open',
    subscription: null,
    success_url: made.successUrl,
    ui_mode: 'hosted_page',
    url: `${new URL(made.successUrl).origin}/__stripe/checkout/${id}`,
  }
}

export function detailsOf(email: string | null, name: string | null): CheckoutSession['customer_details'] {
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  }
}
