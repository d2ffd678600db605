import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { listPage, Page, whereIs } from './lists.ts'
import { flag, mergedMetadata, metadata, text, wholeNumber } from './params.ts'
import { missing, StripeProblem, unknownReference } from './problem.ts'
import { aPrice } from './seed-catalog.ts'
import { find, insert, listAll, type Filter } from './store.ts'
import type { Transaction } from './transaction.ts'

const PriceFilter = Page.extend({
  active: flag.optional(),
  product: text.optional(),
  currency: text.optional(),
  type: z.enum(['one_time', 'recurring']).optional(),
  lookup_keys: z.array(text).max(10).optional(),
})

const NewPrice = z.strictObject({
  product: text,
  currency: z.string().regex(/^[a-z]{3}$/i, 'Invalid currency'),
  unit_amount: wholeNumber.refine((amount) => amount >= 0, 'Invalid non-negative integer'),
  recurring: z.strictObject({
    interval: z.enum(['day', 'week', 'month', 'year']),
    interval_count: wholeNumber.refine((count) => count >= 1, 'must be at least 1').default(1),
  }),
  lookup_key: z.string().max(200).optional(),
  nickname: text.optional(),
  active: flag.optional(),
  metadata: metadata.optional(),
})

export const listPrices = endpoint(PriceFilter, (tx, input) => {
  const { active, product, currency, type, lookup_keys, ...page } = input
  const filters: Filter[] = [
    ...whereIs(['active'], active?.toString()),
    ...whereIs(['product'], product),
    ...whereIs(['currency'], currency),
    ...whereIs(['type'], type),
    ...(lookup_keys ? [{ path: ['lookup_key'], oneOf: lookup_keys }] : []),
  ]
  return listPage(tx, 'price', { url: '/v1/prices', page, filters })
})

export const retrievePrice = endpoint(z.strictObject({}), async (tx, _input, id) => {
  const price = await find(tx, 'price', id)
  if (!price) throw missing('price', id)
  return price
})

export const createPrice = endpoint(NewPrice, async (tx, input) => {
  if (!(await find(tx, 'product', input.product))) throw unknownReference('product', input.product, 'product')
  const { product, unit_amount, lookup_key = null, recurring, active = true, nickname = null } = input
  if (lookup_key !== null) await refuseTakenKey(tx, lookup_key)
  const price = aPrice(
    {
      product,
      currency: input.currency.toLowerCase(),
      unit_amount,
      lookup_key,
      ...recurring,
      active,
      nickname,
      metadata: mergedMetadata({}, input.metadata),
    },
    tx.now,
  )
  await insert(tx, { data: price, hidden: {} })
  return price
})

async function refuseTakenKey(tx: Transaction, key: string): Promise<void> {
  const [holder] = await listAll(tx, 'price', whereIs(['lookup_key'], key))
  if (!holder) return
  const message = `A price (\`${holder.id}\`) already uses that lookup key.`
  throw new StripeProblem(400, message, { code: 'resource_already_exists', param: 'lookup_key' })
}
