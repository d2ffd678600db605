import { newId } from './ids.ts'
import type { Invoice, InvoicePayment, PaymentIntent } from './object-types.ts'

/** What Stripe also shows, of what this shop does not do. */
const UNUSED = {
  allowed_payment_method_types: null,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  client_secret: null,
  customer_account: null,
  excluded_payment_method_types: null,
  last_payment_error: null,
  // Charges of their own are not kept: a refund names the payment intent.
  latest_charge: null,
  livemode: false,
  managed_payments: null,
  metadata: {},
  next_action: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<PaymentIntent>

/** A charge of the card that succeeded. */
export function aPaymentIntent(invoice: Invoice, { card, now }: { card: string | null; now: number }): PaymentIntent {
  return {
    id: newId.paymentIntent(),
    object: 'payment_intent',
    ...UNUSED,
    amount: invoice.amount_remaining,
    amount_capturable: 0,
    amount_received: invoice.amount_remaining,
    capture_method: 'automatic',
    confirmation_method: 'automatic',
    created: now,
    currency: invoice.currency,
    customer: invoice.customer,
    description: 'Subscription update',
    payment_method: card,
    payment_method_types: ['card'],
    setup_future_usage: null,
    status: 'succeeded',
  }
}

/** That the invoice was paid by it. */
export function anInvoicePayment(invoice: Invoice, { id, amount, created }: PaymentIntent): InvoicePayment {
  return {
    id: newId.invoicePayment(),
    object: 'invoice_payment',
    amount_paid: amount,
    amount_requested: amount,
    created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: id },
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: created },
  }
}
