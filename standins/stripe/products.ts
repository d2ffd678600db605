import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { listPage, Page, whereIs } from './lists.ts'
import { clearable, flag, mergedMetadata, metadata, text } from './params.ts'
import { missing } from './problem.ts'
import { aProduct } from './shop.ts'
import { find, insert, update } from './store.ts'

const ProductFields = z.strictObject({
  name: text,
  active: flag.optional(),
  description: clearable(text).optional(),
  metadata: metadata.optional(),
})

export const listProducts = endpoint(Page.extend({ active: flag.optional() }), (turn, { active, ...page }) =>
  listPage(turn, 'product', { url: '/v1/products', page, filters: whereIs(['active'], active?.toString()) }),
)

export const retrieveProduct = endpoint(z.strictObject({}), async (turn, _input, id) => {
  const product = await find(turn, 'product', id)
  if (!product) throw missing('product', id)
  return product
})

export const createProduct = endpoint(ProductFields, async (turn, input) => {
  const { name, active = true, description = null } = input
  const product = aProduct({ name, active, description, metadata: mergedMetadata({}, input.metadata) }, turn.now)
  await insert(turn, { data: product, hidden: {} })
  return product
})

export const updateProduct = endpoint(ProductFields.partial(), async (turn, input, id) => {
  const before = await find(turn, 'product', id)
  if (!before) throw missing('product', id)
  const { name = before.name, active = before.active, description = before.description } = input
  const product = {
    ...before,
    name,
    active,
    description,
    metadata: mergedMetadata(before.metadata, input.metadata),
    updated: turn.now,
  }
  await update(turn, { data: product, hidden: {} })
  return product
})
