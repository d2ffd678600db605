import { newId } from './ids.ts'
import { MERCHANT } from './merchant.ts'
import type { Price, Product } from './object-types.ts'
import { insert, listAll } from './store.ts'
import type { Transaction } from './transaction.ts'

type NewProduct = Pick<Product, 'name'> & Partial<Pick<Product, 'active' | 'description' | 'metadata'>>
type NewPrice = Pick<Price, 'product' | 'currency' | 'unit_amount' | 'lookup_key'> &
  Pick<Price['recurring'], 'interval' | 'interval_count'> &
  Partial<Pick<Price, 'active' | 'nickname' | 'metadata'>>

/** What is for sale before anybody has set anything up. */
export async function seedCatalog(tx: Transaction): Promise<void> {
  if ((await listAll(tx, 'product', [])).length > 0) return
  const product = aProduct({ name: `${MERCHANT.name} Pro`, description: 'Contracts, renewals and reminders' }, tx.now)
  const price = aPrice(
    {
      product: product.id,
      currency: 'usd',
      unit_amount: 2900,
      lookup_key: 'traxx_pro_monthly',
      interval: 'month',
      interval_count: 1,
    },
    tx.now,
  )
  await insert(tx, { data: { ...product, default_price: price.id }, hidden: {} })
  await insert(tx, { data: price, hidden: {} })
}

export function aProduct({ name, active = true, description = null, metadata = {} }: NewProduct, now: number): Product {
  return {
    id: newId.product(),
    object: 'product',
    active,
    created: now,
    default_price: null,
    description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
  }
}

export function aPrice(made: NewPrice, now: number): Price {
  const { product, currency, unit_amount, lookup_key, interval, interval_count } = made
  return {
    id: newId.price(),
    object: 'price',
    active: made.active ?? true,
    billing_scheme: 'per_unit',
    created: now,
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key,
    metadata: made.metadata ?? {},
    nickname: made.nickname ?? null,
    product,
    recurring: { interval, interval_count, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount,
    unit_amount_decimal: String(unit_amount),
  }
}
