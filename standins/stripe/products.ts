import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { listPage, Page, whereIs } from './lists.ts'
import { clearable, flag, mergedMetadata, metadata, text } from './params.ts'
import { missing } from './problem.ts'
import { aProduct } from './seed-catalog.ts'
import { find, insert, update } from './store.ts'

const ProductFields = z.strictObject({
  name: text,
  active: flag.optional(),
  description: clearable(text).optional(),
  metadata: metadata.optional(),
})

export const listProducts = endpoint(Page.extend({ active: flag.optional() }), (tx, { active, ...page }) =>
  listPage(tx, 'product', { url: '/v1/products', page, filters: whereIs(['active'], active?.toString()) }),
)

export const retrieveProduct = endpoint(z.strictObject({}), async (tx, _input, id) => {
  const product = await find(tx, 'product', id)
  if (!product) throw missing('product', id)
  return product
})

export const createProduct = endpoint(ProductFields, async (tx, input) => {
  const { name, active = true, description = null } = input
  const product = aProduct({ name, active, description, metadata: mergedMetadata({}, input.metadata) }, tx.now)
  await insert(tx, { data: product, hidden: {} })
  return product
})

export const updateProduct = endpoint(ProductFields.partial(), async (tx, input, id) => {
  const before = await find(tx, 'product', id)
  if (!before) throw missing('product', id)
  const { name = before.name, active = before.active, description = before.description } = input
  const product = {
    ...before,
    name,
    active,
    description,
    metadata: mergedMetadata(before.metadata, input.metadata),
    updated: tx.now,
  }
  await update(tx, { data: product, hidden: {} })
  return product
})
