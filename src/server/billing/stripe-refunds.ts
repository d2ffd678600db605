import type Stripe from 'stripe'
import { isLive } from '#shared/domain/access.ts'
import { StartError } from '#server/start-error.ts'

/** The first time that a customer was charged, and what it was for. */
export interface FirstPayment {
  paidAt: Date
  /** In the smallest unit of its currency. */
  amount: number
  currency: string
  paymentIntent: string
  subscription: string | undefined
}

/** Null for a customer who has never paid more than nothing. @throws StartError where Stripe cannot refund it as a whole */
export async function firstPaymentOf(stripe: Stripe, customer: string): Promise<FirstPayment | null> {
  const invoices = await stripe.invoices
    .list({ customer, status: 'paid', limit: 100 })
    .autoPagingToArray({ limit: 1000 })
  const [first] = invoices.filter(({ amount_paid }) => amount_paid > 0).toSorted((a, b) => paidAt(a) - paidAt(b))
  if (!first) return null
  const { data } = await stripe.invoicePayments.list({ invoice: first.id, status: 'paid', limit: 2 })
  const [payment, ...others] = data
  const paymentIntent = payment && idOf(payment.payment.payment_intent)
  if (!paymentIntent || others.length > 0) {
    throw new StartError(`invoice ${first.number ?? first.id} was not paid by one card payment: refund it in Stripe`)
  }
  return {
    paidAt: new Date(paidAt(first) * 1000),
    amount: first.amount_paid,
    currency: first.currency,
    paymentIntent,
    subscription: idOf(first.parent?.subscription_details?.subscription),
  }
}

export interface Refunds {
  /** How many there were, including those that failed. */
  count: number
  /** The latest one that did not fail, once the whole payment is refunded. */
  full: { id: string; isOwnerTold: boolean } | undefined
}

export async function refundsOf(stripe: Stripe, { paymentIntent, amount }: FirstPayment): Promise<Refunds> {
  const list = stripe.refunds.list({ payment_intent: paymentIntent, limit: 100 })
  const all = await list.autoPagingToArray({ limit: 1000 })
  const good = all.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  const returned = good.reduce((sum, refund) => sum + refund.amount, 0)
  const [latest] = good
  return { count: all.length, full: latest && returned >= amount ? asRefund(latest) : undefined }
}

/** Refunds what is left of the payment; once, even if it is called again before `refundsOf` lists the refund. */
export async function refundRest(stripe: Stripe, { paymentIntent }: FirstPayment, { count }: Refunds) {
  const params = { payment_intent: paymentIntent, reason: 'requested_by_customer' } as const
  return asRefund(await stripe.refunds.create(params, { idempotencyKey: `refund:${paymentIntent}:${count}` }))
}

/** Notes in the refund that the owner was emailed, for when the command is repeated. */
export async function markOwnerTold(stripe: Stripe, { id }: { id: string }): Promise<void> {
  await stripe.refunds.update(id, { metadata: { [OWNER_TOLD]: 'yes' } })
}

/** Ends the subscription now, if it has not ended yet. A payment for no subscription has none. */
export async function cancelNow(stripe: Stripe, subscription: string | undefined): Promise<void> {
  if (subscription === undefined) return
  const { status } = await stripe.subscriptions.retrieve(subscription)
  if (isLive(status)) await stripe.subscriptions.cancel(subscription)
}

const OWNER_TOLD = 'owner_told'

function asRefund({ id, metadata }: Stripe.Refund): { id: string; isOwnerTold: boolean } {
  return { id, isOwnerTold: metadata?.[OWNER_TOLD] !== undefined }
}

function paidAt({ status_transitions, created }: Stripe.Invoice): number {
  return status_transitions.paid_at ?? created
}

function idOf(reference: string | { id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}
