import { z } from 'zod'
import { charge } from './charging.ts'
import { endpoint } from './endpoint.ts'
import { listPage, Page, whereIs } from './lists.ts'
import type { Invoice } from './object-types.ts'
import { Range, text } from './params.ts'
import { cardDeclined, missing, StripeProblem } from './problem.ts'
import { find } from './store.ts'
import { afterCharge } from './subscription-course.ts'
import type { Transaction } from './transaction.ts'

const InvoiceFilter = Page.extend({
  customer: text.optional(),
  subscription: text.optional(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
  created: Range.optional(),
})

export const listInvoices = endpoint(InvoiceFilter, (tx, { customer, subscription, status, created, ...page }) => {
  const filters = [
    ...whereIs(['customer'], customer),
    ...whereIs(['parent', 'subscription_details', 'subscription'], subscription),
    ...whereIs(['status'], status),
    ...(created ? [{ path: ['created'], range: created }] : []),
  ]
  return listPage(tx, 'invoice', { url: '/v1/invoices', page, filters })
})

export const retrieveInvoice = endpoint(z.strictObject({}), (tx, _input, id) => invoiceInPath(tx, id))

/** A card that says no is an error, and yet the try is on record. */
export const payInvoice = endpoint(z.strictObject({ payment_method: text.optional() }), async (tx, input, id) => {
  const invoice = await invoiceInPath(tx, id)
  if (invoice.status === 'paid')
    throw new StripeProblem(400, 'Invoice is already paid', { code: 'invoice_already_paid' })
  if (invoice.status !== 'open') throw new StripeProblem(400, `This invoice is ${invoice.status} and cannot be paid`)
  const charged = await charge(tx, invoice, { paymentMethod: input.payment_method, isAutomatic: false })
  await afterCharge(tx, charged)
  if (charged.decline) throw cardDeclined(charged.decline, true)
  return charged.invoice
})

export async function retryPayment(tx: Transaction, id: string): Promise<void> {
  const invoice = await invoiceInPath(tx, id)
  await afterCharge(tx, await charge(tx, invoice, { isAutomatic: true }))
}

async function invoiceInPath(tx: Transaction, id: string): Promise<Invoice> {
  const invoice = await find(tx, 'invoice', id)
  if (!invoice) throw missing('invoice', id)
  return invoice
}
