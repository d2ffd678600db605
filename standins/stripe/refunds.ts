import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emit, emitChange } from './events.ts'
import { newId } from './ids.ts'
import { listPage, Page, whereIs } from './lists.ts'
import { money } from './merchant.ts'
import type { PaymentIntent, Refund } from './object-types.ts'
import { mergedMetadata, metadata, Range, text, wholeNumber } from './params.ts'
import { missing, StripeProblem, unknownReference } from './problem.ts'
import { find, insert, listAll, update } from './store.ts'
import type { Transaction } from './transaction.ts'

const NewRefund = z.strictObject({
  payment_intent: text,
  amount: wholeNumber.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.optional(),
})

const RefundFilter = Page.extend({ payment_intent: text.optional(), created: Range.optional() })

export const listRefunds = endpoint(RefundFilter, (tx, { payment_intent, created, ...page }) => {
  const filters = [
    ...whereIs(['payment_intent'], payment_intent),
    ...(created ? [{ path: ['created'], range: created }] : []),
  ]
  return listPage(tx, 'refund', { url: '/v1/refunds', page, filters })
})

export const retrieveRefund = endpoint(z.strictObject({}), (tx, _input, id) => refundInPath(tx, id))

/** Gives back an amount, or all that is left of the payment. */
export const createRefund = endpoint(NewRefund, async (tx, input) => {
  const intent = await find(tx, 'payment_intent', input.payment_intent)
  if (!intent) throw unknownReference('payment_intent', input.payment_intent, 'payment_intent')
  const left = await amountLeft(tx, intent)
  if (left === 0) {
    throw new StripeProblem(400, 'This payment has already been refunded.', { code: 'charge_already_refunded' })
  }
  const { amount = left, reason = null } = input
  if (amount < 1) throw new StripeProblem(400, 'Invalid positive integer', { param: 'amount' })
  if (amount > left) throw tooMuch(amount, left, intent.currency)
  const refund = aRefund(intent, { amount, reason, metadata: mergedMetadata({}, input.metadata), now: tx.now })
  await insert(tx, { data: refund, hidden: {} })
  await emit(tx, 'refund.created', refund)
  return refund
})

export const updateRefund = endpoint(
  z.strictObject({ metadata: metadata.optional() }),
  async (tx, { metadata: changes }, id) => {
    const before = await refundInPath(tx, id)
    const after: Refund = { ...before, metadata: mergedMetadata(before.metadata, changes) }
    await update(tx, { data: after, hidden: {} })
    await emitChange(tx, 'refund.updated', { before, after })
    return after
  },
)

async function refundInPath(tx: Transaction, id: string): Promise<Refund> {
  const refund = await find(tx, 'refund', id)
  if (!refund) throw missing('refund', id)
  return refund
}

async function amountLeft(tx: Transaction, { id, amount }: PaymentIntent): Promise<number> {
  const refunds = await listAll(tx, 'refund', whereIs(['payment_intent'], id))
  return refunds.reduce((left, refund) => left - refund.amount, amount)
}

function tooMuch(amount: number, left: number, currency: string): StripeProblem {
  const message = `Refund amount (${money(amount, currency)}) is greater than unrefunded amount on charge (${money(left, currency)})`
  return new StripeProblem(400, message, { param: 'amount' })
}

type Made = Pick<Refund, 'amount' | 'reason' | 'metadata'> & { now: number }

function aRefund({ id, currency, customer, payment_method }: PaymentIntent, { now, ...made }: Made): Refund {
  return {
    id: newId.refund(),
    object: 'refund',
    ...made,
    balance_transaction: null,
    charge: null,
    created: now,
    currency,
    customer,
    customer_account: null,
    destination_details: { type: 'card', card: { type: 'refund' } },
    payment_intent: id,
    payment_method,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}
