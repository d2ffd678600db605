import { customerNamed } from './customer-lookup.ts'
import { emit } from './events.ts'
import { anInvoice, type NewInvoice } from './invoice-builder.ts'
import type { Decline, Invoice, Subscription } from './object-types.ts'
import { anInvoicePayment, aPaymentIntent } from './payment-builder.ts'
import { missing } from './problem.ts'
import { find, findStored, insert, listAll, update } from './store.ts'
import { nextAttempt } from './subscription-life.ts'
import type { Transaction } from './transaction.ts'

const NOBODY_TO_CHARGE: Decline = {
  code: 'resource_missing',
  message: 'This customer has no attached payment source or default payment method.',
}

export type Bill = Pick<NewInvoice, 'id' | 'reason' | 'period' | 'isTrial'>

export interface Attempt {
  /** A card for this time only. */
  paymentMethod?: string | undefined
  /** An automatic try counts, and sets the day of the next one. */
  isAutomatic: boolean
}

export interface Charged {
  invoice: Invoice
  decline: Decline | null
}

/** The invoice of a period, made and finalized and not yet charged. */
export async function issueInvoice(tx: Transaction, subscription: Subscription, bill: Bill): Promise<Invoice> {
  const customer = await customerNamed(tx, subscription.customer)
  const product = await find(tx, 'product', subscription.items.data[0].price.product)
  const productName = product?.name ?? 'Subscription'
  const draft = anInvoice({ customer, subscription, productName, now: tx.now, ...bill })
  await insert(tx, { data: draft, hidden: {} })
  const next_invoice_sequence = customer.next_invoice_sequence + 1
  await update(tx, { data: { ...customer, next_invoice_sequence }, hidden: {} })
  await emit(tx, 'invoice.created', draft)
  return finalize(tx, draft)
}

/** Asks the card. Its answer is part of what comes back, not an error. */
export async function charge(tx: Transaction, invoice: Invoice, attempt: Attempt): Promise<Charged> {
  const decline = invoice.amount_remaining === 0 ? null : await askCard(tx, invoice, attempt.paymentMethod)
  return decline
    ? { decline, invoice: await recordFailure(tx, invoice, attempt.isAutomatic) }
    : { decline, invoice: await recordPayment(tx, invoice, attempt.paymentMethod) }
}

/** No further try is made for what a subscription that has ended still owes. */
export async function stopCollecting(tx: Transaction, subscription: string): Promise<void> {
  for (const invoice of await openInvoices(tx, subscription)) {
    await saveInvoice(tx, { ...invoice, next_payment_attempt: null, auto_advance: false })
  }
}

export function openInvoices(tx: Transaction, subscription: string): Promise<Invoice[]> {
  return listAll(tx, 'invoice', [
    { path: ['parent', 'subscription_details', 'subscription'], oneOf: [subscription] },
    { path: ['status'], oneOf: ['open'] },
  ])
}

export async function voidInvoice(tx: Transaction, invoice: Invoice): Promise<void> {
  const status_transitions = { ...invoice.status_transitions, voided_at: tx.now }
  const voided: Invoice = { ...invoice, status: 'void', next_payment_attempt: null, status_transitions }
  await saveInvoice(tx, voided)
  await emit(tx, 'invoice.voided', voided)
}

async function finalize(tx: Transaction, draft: Invoice): Promise<Invoice> {
  const status_transitions = { ...draft.status_transitions, finalized_at: tx.now }
  const open: Invoice = { ...draft, status: 'open', effective_at: tx.now, ending_balance: 0, status_transitions }
  await saveInvoice(tx, open)
  await emit(tx, 'invoice.finalized', open)
  return open
}

async function askCard(tx: Transaction, invoice: Invoice, chosen?: string): Promise<Decline | null> {
  const id = chosen ?? (await cardFor(tx, invoice))
  if (id === null) return NOBODY_TO_CHARGE
  const card = await findStored(tx, 'payment_method', id)
  if (!card) throw missing('PaymentMethod', id, 'payment_method')
  return card.data.customer === invoice.customer ? card.hidden.onCharge : NOBODY_TO_CHARGE
}

async function cardFor(tx: Transaction, invoice: Invoice): Promise<string | null> {
  const subscription = await find(tx, 'subscription', invoice.parent.subscription_details.subscription)
  const customer = await customerNamed(tx, invoice.customer)
  return (
    invoice.default_payment_method ??
    subscription?.default_payment_method ??
    customer.invoice_settings.default_payment_method
  )
}

async function recordPayment(tx: Transaction, invoice: Invoice, chosen?: string): Promise<Invoice> {
  if (invoice.amount_remaining > 0) await insertPayment(tx, invoice, chosen ?? (await cardFor(tx, invoice)))
  const paid: Invoice = {
    ...invoice,
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempted: true,
    attempt_count: invoice.amount_due > 0 ? invoice.attempt_count + 1 : 0,
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: tx.now },
  }
  await saveInvoice(tx, paid)
  await emit(tx, 'invoice.paid', paid)
  await emit(tx, 'invoice.payment_succeeded', paid)
  return paid
}

async function insertPayment(tx: Transaction, invoice: Invoice, card: string | null): Promise<void> {
  const intent = aPaymentIntent(invoice, { card, now: tx.now })
  await insert(tx, { data: intent, hidden: {} })
  await insert(tx, { data: anInvoicePayment(invoice, intent), hidden: {} })
  await emit(tx, 'payment_intent.succeeded', intent)
}

async function recordFailure(tx: Transaction, invoice: Invoice, isAutomatic: boolean): Promise<Invoice> {
  const attempts = invoice.attempt_count + 1
  const counted = { attempt_count: attempts, next_payment_attempt: nextAttempt(attempts, tx.now) }
  const failed: Invoice = { ...invoice, attempted: true, ...(isAutomatic && counted) }
  await saveInvoice(tx, failed)
  await emit(tx, 'invoice.payment_failed', failed)
  return failed
}

async function saveInvoice(tx: Transaction, invoice: Invoice): Promise<void> {
  await update(tx, { data: invoice, hidden: {}, dueAt: invoice.next_payment_attempt })
}
