import { newId } from './ids.ts'
import type { PaymentMethod } from './object-types.ts'
import type { TestCard } from './test-cards.ts'

export interface CardDetails {
  number: string
  expMonth: number
  expYear: number
  name: string | null
  email: string | null
}

export interface NewCard {
  details: CardDetails
  card: TestCard
  fingerprint: string
  customer: string | null
  now: number
}

export function aPaymentMethod({ details, card, fingerprint, customer, now }: NewCard): PaymentMethod {
  return {
    id: newId.paymentMethod(),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: { address: null, email: details.email, name: details.name, phone: null, tax_id: null },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand,
      exp_month: details.expMonth,
      exp_year: details.expYear,
      fingerprint,
      funding: 'credit',
      generated_from: null,
      last4: details.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: now,
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
}
