import { z } from 'zod'
import { charge } from './charging.ts'
import { endpoint } from './endpoint.ts'
import { listPage, Page, whereIs } from './lists.ts'
import type { Invoice } from './object-types.ts'
import { Range, text } from './params.ts'
import { cardDeclined, missing, StripeProblem } from './problem.ts'
import { find } from './store.ts'
import { afterCharge } from './subscription-course.ts'
import type { Turn } from './turn.ts'

const InvoiceFilter = Page.extend({
  customer: text.optional(),
  subscription: text.optional(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
  created: Range.optional(),
})

export const listInvoices = endpoint(InvoiceFilter, (turn, { customer, subscription, status, created, ...page }) => {
  const filters = [
    ...whereIs(['customer'], customer),
    ...whereIs(['parent', 'subscription_details', 'subscription'], subscription),
    ...whereIs(['status'], status),
    ...(created ? [{ path: ['created'], range: created }] : []),
  ]
  return listPage(turn, 'invoice', { url: '/v1/invoices', page, filters })
})

export const retrieveInvoice = endpoint(z.strictObject({}), (turn, _input, id) => invoiceInPath(turn, id))

/** A card that says no is an error, and yet the try is on record. */
export const payInvoice = endpoint(z.strictObject({ payment_method: text.optional() }), async (turn, input, id) => {
  const invoice = await invoiceInPath(turn, id)
  if (invoice.status === 'paid')
    throw new StripeProblem(400, 'Invoice is already paid', { code: 'invoice_already_paid' })
  if (invoice.status !== 'open') throw new StripeProblem(400, `This invoice is ${invoice.status} and cannot be paid`)
  const charged = await charge(turn, invoice, { paymentMethod: input.payment_method, isAutomatic: false })
  await afterCharge(turn, charged)
  if (charged.decline) throw cardDeclined(charged.decline, true)
  return charged.invoice
})

export async function retryPayment(turn: Turn, id: string): Promise<void> {
  const invoice = await invoiceInPath(turn, id)
  await afterCharge(turn, await charge(turn, invoice, { isAutomatic: true }))
}

async function invoiceInPath(turn: Turn, id: string): Promise<Invoice> {
  const invoice = await find(turn, 'invoice', id)
  if (!invoice) throw missing('invoice', id)
  return invoice
}
