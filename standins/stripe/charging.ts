import { customerNamed } from './customer-lookup.ts'
import { emit } from './events.ts'
import { anInvoice, type NewInvoice } from './invoice-builder.ts'
import type { Decline, Invoice, Subscription } from './object-types.ts'
import { missing } from './problem.ts'
import { find, findStored, insert, listAll, update } from './store.ts'
import { nextAttempt } from './subscription-life.ts'
import type { Turn } from './turn.ts'

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
export async function issueInvoice(turn: Turn, subscription: Subscription, bill: Bill): Promise<Invoice> {
  const customer = await customerNamed(turn, subscription.customer)
  const product = await find(turn, 'product', subscription.items.data[0].price.product)
  const productName = product?.name ?? 'Subscription'
  const draft = anInvoice({ customer, subscription, productName, now: turn.now, ...bill })
  await insert(turn, { data: draft, hidden: {} })
  const next_invoice_sequence = customer.next_invoice_sequence + 1
  await update(turn, { data: { ...customer, next_invoice_sequence }, hidden: {} })
  await emit(turn, 'invoice.created', draft)
  return finalize(turn, draft)
}

/** Asks the card. Its answer is part of what comes back, not an error. */
export async function charge(turn: Turn, invoice: Invoice, attempt: Attempt): Promise<Charged> {
  const decline = invoice.amount_remaining === 0 ? null : await askCard(turn, invoice, attempt.paymentMethod)
  return decline
    ? { decline, invoice: await recordFailure(turn, invoice, attempt.isAutomatic) }
    : { decline, invoice: await recordPayment(turn, invoice) }
}

/** No further try is made for what a subscription that has ended still owes. */
export async function stopCollecting(turn: Turn, subscription: string): Promise<void> {
  for (const invoice of await openInvoices(turn, subscription)) {
    await saveInvoice(turn, { ...invoice, next_payment_attempt: null, auto_advance: false })
  }
}

export function openInvoices(turn: Turn, subscription: string): Promise<Invoice[]> {
  return listAll(turn, 'invoice', [
    { path: ['parent', 'subscription_details', 'subscription'], oneOf: [subscription] },
    { path: ['status'], oneOf: ['open'] },
  ])
}

export async function voidInvoice(turn: Turn, invoice: Invoice): Promise<void> {
  const status_transitions = { ...invoice.status_transitions, voided_at: turn.now }
  const voided: Invoice = { ...invoice, status: 'void', next_payment_attempt: null, status_transitions }
  await saveInvoice(turn, voided)
  await emit(turn, 'invoice.voided', voided)
}

async function finalize(turn: Turn, draft: Invoice): Promise<Invoice> {
  const status_transitions = { ...draft.status_transitions, finalized_at: turn.now }
  const open: Invoice = { ...draft, status: 'open', effective_at: turn.now, ending_balance: 0, status_transitions }
  await saveInvoice(turn, open)
  await emit(turn, 'invoice.finalized', open)
  return open
}

async function askCard(turn: Turn, invoice: Invoice, chosen?: string): Promise<Decline | null> {
  const id = chosen ?? (await cardFor(turn, invoice))
  if (id === null) return NOBODY_TO_CHARGE
  const card = await findStored(turn, 'payment_method', id)
  if (!card) throw missing('PaymentMethod', id, 'payment_method')
  return card.data.customer === invoice.customer ? card.hidden.onCharge : NOBODY_TO_CHARGE
}

async function cardFor(turn: Turn, invoice: Invoice): Promise<string | null> {
  const subscription = await find(turn, 'subscription', invoice.parent.subscription_details.subscription)
  const customer = await customerNamed(turn, invoice.customer)
  return (
    invoice.default_payment_method ??
    subscription?.default_payment_method ??
    customer.invoice_settings.default_payment_method
  )
}

async function recordPayment(turn: Turn, invoice: Invoice): Promise<Invoice> {
  const paid: Invoice = {
    ...invoice,
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempted: true,
    attempt_count: invoice.amount_due > 0 ? invoice.attempt_count + 1 : 0,
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: turn.now },
  }
  await saveInvoice(turn, paid)
  await emit(turn, 'invoice.paid', paid)
  await emit(turn, 'invoice.payment_succeeded', paid)
  return paid
}

async function recordFailure(turn: Turn, invoice: Invoice, isAutomatic: boolean): Promise<Invoice> {
  const attempts = invoice.attempt_count + 1
  const counted = { attempt_count: attempts, next_payment_attempt: nextAttempt(attempts, turn.now) }
  const failed: Invoice = { ...invoice, attempted: true, ...(isAutomatic && counted) }
  await saveInvoice(turn, failed)
  await emit(turn, 'invoice.payment_failed', failed)
  return failed
}

async function saveInvoice(turn: Turn, invoice: Invoice): Promise<void> {
  await update(turn, { data: invoice, hidden: {}, dueAt: invoice.next_payment_attempt })
}
