import { z } from 'zod'
import { customerInPath, customerNamed } from './customer-lookup.ts'
import { endpoint } from './endpoint.ts'
import { emit, emitChange } from './events.ts'
import { listPage, Page, whereIs } from './lists.ts'
import type { PaymentMethod } from './object-types.ts'
import { text } from './params.ts'
import { aPaymentMethod, type CardDetails } from './payment-method-builder.ts'
import { cardDeclined, missing, StripeProblem } from './problem.ts'
import { readSettings } from './settings.ts'
import { find, findStored, insert, listAll, update } from './store.ts'
import { changeSubscription } from './subscription-course.ts'
import { fingerprintOf, numberOfToken, testCard } from './test-cards.ts'
import type { Transaction } from './transaction.ts'

const CardPage = Page.extend({ type: z.literal('card').optional() })

export const listPaymentMethods = endpoint(
  CardPage.extend({ customer: text }),
  async (tx, { customer, type, ...page }) => {
    await customerNamed(tx, customer)
    const filters = [...whereIs(['customer'], customer), ...whereIs(['type'], type)]
    return listPage(tx, 'payment_method', { url: '/v1/payment_methods', page, filters })
  },
)

export const listCustomersPaymentMethods = endpoint(CardPage, async (tx, { type, ...page }, customer) => {
  await customerInPath(tx, customer)
  const filters = [...whereIs(['customer'], customer), ...whereIs(['type'], type)]
  return listPage(tx, 'payment_method', { url: `/v1/customers/${customer}/payment_methods`, page, filters })
})

export const retrievePaymentMethod = endpoint(z.strictObject({}), async (tx, _input, id) => {
  const card = await find(tx, 'payment_method', id)
  if (!card) throw missing('PaymentMethod', id, 'payment_method')
  return card
})

/** Takes one of Stripe's test ids, such as `pm_card_visa`. */
export const attachPaymentMethod = endpoint(z.strictObject({ customer: text }), async (tx, input, id) => {
  const customer = await customerNamed(tx, input.customer)
  const number = numberOfToken(id)
  if (number === undefined) return attachAgain(tx, id, customer.id)
  const expYear = new Date(tx.now * 1000).getUTCFullYear() + 5
  return saveCard(tx, customer.id, { number, expMonth: 12, expYear, name: null, email: null })
})

export const detachPaymentMethod = endpoint(z.strictObject({}), async (tx, _input, id) => {
  const stored = await findStored(tx, 'payment_method', id)
  if (!stored?.data.customer) throw missing('PaymentMethod', id, 'payment_method')
  const before = stored.data
  const detached: PaymentMethod = { ...before, customer: null }
  await update(tx, { data: detached, hidden: stored.hidden })
  await forgetDefault(tx, stored.data.customer, id)
  await emitChange(tx, 'payment_method.detached', { before, after: detached })
  return detached
})

/** Saves a card for a customer, unless the bank refuses it already now. */
export async function saveCard(tx: Transaction, customer: string, details: CardDetails): Promise<PaymentMethod> {
  const card = testCard(details.number)
  if (card.onSave) throw cardDeclined(card.onSave, false)
  const { fingerprintSalt } = await readSettings(tx.client)
  const fingerprint = fingerprintOf(details.number, fingerprintSalt)
  const method = aPaymentMethod({ details, card, fingerprint, customer, now: tx.now })
  await insert(tx, { data: method, hidden: { onSave: card.onSave, onCharge: card.onCharge } })
  await emit(tx, 'payment_method.attached', method)
  return method
}

async function attachAgain(tx: Transaction, id: string, customer: string): Promise<PaymentMethod> {
  const card = await find(tx, 'payment_method', id)
  if (!card) throw missing('PaymentMethod', id, 'payment_method')
  if (card.customer === customer) return card
  throw new StripeProblem(
    400,
    'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
    { param: 'payment_method' },
  )
}

async function forgetDefault(tx: Transaction, owner: string, card: string): Promise<void> {
  const customer = await customerNamed(tx, owner)
  const settings = customer.invoice_settings
  if (settings.default_payment_method === card) {
    await update(tx, {
      data: { ...customer, invoice_settings: { ...settings, default_payment_method: null } },
      hidden: {},
    })
  }
  for (const subscription of await listAll(tx, 'subscription', whereIs(['default_payment_method'], card))) {
    const stored = await findStored(tx, 'subscription', subscription.id)
    if (stored) await changeSubscription(tx, stored, { default_payment_method: null })
  }
}
