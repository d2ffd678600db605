import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { listPage, Page, whereIs } from './lists.ts'
import { Range, text } from './params.ts'
import { missing } from './problem.ts'
import { find } from './store.ts'

const InvoicePaymentFilter = Page.extend({
  invoice: text.optional(),
  payment: z.strictObject({ type: z.literal('payment_intent'), payment_intent: text }).optional(),
  status: z.enum(['canceled', 'open', 'paid']).optional(),
  created: Range.optional(),
})

export const listInvoicePayments = endpoint(
  InvoicePaymentFilter,
  (tx, { invoice, payment, status, created, ...page }) => {
    const filters = [
      ...whereIs(['invoice'], invoice),
      ...whereIs(['payment', 'payment_intent'], payment?.payment_intent),
      ...whereIs(['status'], status),
      ...(created ? [{ path: ['created'], range: created }] : []),
    ]
    return listPage(tx, 'invoice_payment', { url: '/v1/invoice_payments', page, filters })
  },
)

export const retrieveInvoicePayment = endpoint(z.strictObject({}), async (tx, _input, id) => {
  const payment = await find(tx, 'invoice_payment', id)
  if (!payment) throw missing('invoice_payment', id)
  return payment
})

export const retrievePaymentIntent = endpoint(z.strictObject({}), async (tx, _input, id) => {
  const intent = await find(tx, 'payment_intent', id)
  if (!intent) throw missing('payment_intent', id, 'intent')
  return intent
})
