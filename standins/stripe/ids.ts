import { randomBytes } from 'node:crypto'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `prefix` and then `length` letters that nobody can guess. */
export function randomId(prefix: string, length: number): string {
  let letters = ''
  while (letters.length < length) {
    letters += [...randomBytes(length)].map((byte) => LETTERS[byte & 63] ?? '').join('')
  }
  return prefix + letters.slice(0, length)
}

export const newId = {
  customer: () => randomId('cus_', 14),
  product: () => randomId('prod_', 14),
  price: () => randomId('price_1', 23),
  paymentMethod: () => randomId('pm_1', 23),
  checkoutSession: () => randomId('cs_test_a1', 56),
  lineItem: () => randomId('li_1', 23),
  subscription: () => randomId('sub_1', 23),
  subscriptionItem: () => randomId('si_', 14),
  invoice: () => randomId('in_1', 23),
  invoiceLine: () => randomId('il_1', 23),
  invoicePayment: () => randomId('inpay_1', 23),
  paymentIntent: () => randomId('pi_3', 23),
  refund: () => randomId('re_3', 23),
  portalSession: () => randomId('bps_1', 43),
  event: () => randomId('evt_1', 23),
  request: () => randomId('req_', 14),
}
