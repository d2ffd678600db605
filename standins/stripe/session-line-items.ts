import { z } from 'zod'
import { sessionInPath } from './checkout-sessions.ts'
import { endpoint } from './endpoint.ts'
import type { List } from './lists.ts'
import type { CheckoutSession } from './object-types.ts'
import { find, type Stored } from './store.ts'
import type { Transaction } from './transaction.ts'

type LineItem = NonNullable<CheckoutSession['line_items']>['data'][number]

export const listSessionLineItems = endpoint(z.strictObject({}), async (tx, _input, id) =>
  lineItemsOf(tx, await sessionInPath(tx, id)),
)

export async function lineItemsOf(
  tx: Transaction,
  { data, hidden }: Stored<'checkout.session'>,
): Promise<List<LineItem>> {
  const price = await find(tx, 'price', hidden.price)
  const product = price && (await find(tx, 'product', price.product))
  const item: LineItem = {
    id: `li_${data.id.slice(-24)}`,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: data.amount_total,
    amount_tax: 0,
    amount_total: data.amount_total,
    currency: data.currency ?? 'usd',
    description: product?.name ?? null,
    metadata: {},
    price,
    quantity: hidden.quantity,
  }
  return { object: 'list', data: [item], has_more: false, url: `/v1/checkout/sessions/${data.id}/line_items` }
}
