import { detailsOf } from './checkout-session-builder.ts'
import { aCustomer } from './customers.ts'
import { emit } from './events.ts'
import type { CheckoutSession } from './object-types.ts'
import { saveCard } from './payment-methods.ts'
import type { CardDetails } from './payment-method-builder.ts'
import { cardDeclined, missing } from './problem.ts'
import { find, insert, update, type Stored } from './store.ts'
import type { Terms } from './subscription-builder.ts'
import { startSubscription } from './subscription-course.ts'
import type { Transaction } from './transaction.ts'

const DAY = 86_400

export interface Filled {
  email: string | null
  /** None where nothing is due today and the session asks for a card only then. */
  card: CardDetails | null
}

/** What the hosted page does when its form is sent: all of it, or nothing where the card is refused. */
export async function completeSession(
  tx: Transaction,
  session: Stored<'checkout.session'>,
  filled: Filled,
): Promise<string> {
  const customer = session.data.customer ?? (await newCustomer(tx, filled))
  const card = filled.card && (await saveCard(tx, customer, filled.card))
  const terms = await termsOf(tx, session, { customer, card: card?.id ?? null })
  const { subscription, invoice, decline } = await startSubscription(tx, terms, true)
  if (decline) throw cardDeclined(decline, false)
  const completed: CheckoutSession = {
    ...session.data,
    customer,
    customer_details: detailsOf(filled.email, filled.card?.name ?? null),
    invoice: invoice.id,
    payment_status: invoice.amount_due > 0 ? 'paid' : 'no_payment_required',
    status: 'complete',
    subscription: subscription.id,
    url: null,
  }
  await update(tx, { data: completed, hidden: session.hidden })
  await emit(tx, 'checkout.session.completed', completed)
  return successUrlOf(completed)
}

/** Whether the page must ask for a card. */
export function needsCard({ payment_method_collection, amount_total }: CheckoutSession): boolean {
  return payment_method_collection !== 'if_required' || amount_total > 0
}

export function successUrlOf({ id, success_url }: CheckoutSession): string {
  return success_url.replaceAll('{CHECKOUT_SESSION_ID}', id)
}

async function newCustomer(tx: Transaction, { email, card }: Filled): Promise<string> {
  const customer = { ...aCustomer(tx.now), email, name: card?.name ?? null }
  await insert(tx, { data: customer, hidden: {} })
  await emit(tx, 'customer.created', customer)
  return customer.id
}

async function termsOf(
  tx: Transaction,
  { hidden }: Stored<'checkout.session'>,
  who: { customer: string; card: string | null },
): Promise<Terms> {
  const price = await find(tx, 'price', hidden.price)
  if (!price) throw missing('price', hidden.price)
  const { trialEndsAfterDays: days } = hidden
  return {
    customer: who.customer,
    price,
    quantity: hidden.quantity,
    trialEnd: days === null ? hidden.trialEnd : tx.now + days * DAY,
    defaultPaymentMethod: who.card,
    missingPaymentMethod: hidden.missingPaymentMethod,
    metadata: hidden.subscriptionMetadata,
    description: hidden.subscriptionDescription,
  }
}
