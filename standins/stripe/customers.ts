import { z } from 'zod'
import { customerInPath } from './customer-lookup.ts'
import { filtersOfQuery } from './customer-search.ts'
import { endpoint } from './endpoint.ts'
import { emit, emitChange } from './events.ts'
import { newId, randomId } from './ids.ts'
import { listPage, Page, whereIs } from './lists.ts'
import type { Customer } from './object-types.ts'
import { clearable, mergedMetadata, metadata, Range, text, wholeNumber } from './params.ts'
import { missing, unknownReference } from './problem.ts'
import { find, insert, listAll, listObjects, update } from './store.ts'
import { endSubscription } from './subscription-course.ts'
import { isLive } from './subscription-life.ts'
import type { Transaction } from './transaction.ts'

const CustomerFields = z.strictObject({
  email: clearable(z.string().regex(/^[^\s@]+@[^\s@]+$/, 'Invalid email address')).optional(),
  name: clearable(text).optional(),
  phone: clearable(text).optional(),
  description: clearable(text).optional(),
  metadata: metadata.optional(),
  invoice_settings: z.strictObject({ default_payment_method: clearable(text).optional() }).optional(),
})
type CustomerFields = z.output<typeof CustomerFields>

const CustomerFilter = Page.extend({ email: text.optional(), created: Range.optional() })

const CustomerSearch = z.strictObject({
  query: text,
  limit: Page.shape.limit,
  page: wholeNumber.optional(),
})

export const listCustomers = endpoint(CustomerFilter, (tx, { email, created, ...page }) => {
  const filters = [...whereIs(['email'], email), ...(created ? [{ path: ['created'], range: created }] : [])]
  return listPage(tx, 'customer', { url: '/v1/customers', page, filters })
})

/** Stripe's search lags behind its data by a minute; this one does not. */
export const searchCustomers = endpoint(CustomerSearch, async (tx, { query, limit, page = 0 }) => {
  const wanted = (page + 1) * limit + 1
  const found = await listObjects(tx, 'customer', { filters: filtersOfQuery(query), slice: { limit: wanted } })
  const has_more = found.length === wanted
  const data = found.slice(page * limit, (page + 1) * limit)
  return {
    object: 'search_result',
    url: '/v1/customers/search',
    has_more,
    next_page: has_more ? `${page + 1}` : null,
    data,
  }
})

export const retrieveCustomer = endpoint(z.strictObject({}), async (tx, _input, id) => {
  const customer = await find(tx, 'customer', id)
  if (!customer) throw missing('customer', id)
  return customer
})

export const createCustomer = endpoint(CustomerFields, async (tx, input) => {
  const customer = changed(aCustomer(tx.now), input)
  await insert(tx, { data: customer, hidden: {} })
  await emit(tx, 'customer.created', customer)
  return customer
})

export const updateCustomer = endpoint(CustomerFields, async (tx, input, id) => {
  const before = await customerInPath(tx, id)
  await refuseUnownedCard(tx, id, input.invoice_settings?.default_payment_method)
  const customer = changed(before, input)
  await update(tx, { data: customer, hidden: {} })
  await emitChange(tx, 'customer.updated', { before, after: customer })
  return customer
})

/** Deleting a customer ends what it subscribes to, at once. */
export const deleteCustomer = endpoint(z.strictObject({}), async (tx, _input, id) => {
  const customer = await customerInPath(tx, id)
  const subscriptions = await listAll(tx, 'subscription', whereIs(['customer'], id))
  for (const subscription of subscriptions.filter(({ status }) => isLive(status))) {
    await endSubscription(tx, subscription, 'cancellation_requested')
  }
  const deleted = { id, object: 'customer', deleted: true } as const
  await update(tx, { data: deleted, hidden: {} })
  await emit(tx, 'customer.deleted', customer)
  return deleted
})

/** A customer of whom nothing is known yet. */
export function aCustomer(now: number): Customer {
  return {
    id: newId.customer(),
    object: 'customer',
    address: null,
    balance: 0,
    created: now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: randomId('', 8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}

function changed(before: Customer, input: CustomerFields): Customer {
  const { email = before.email, description = before.description } = input
  const { name = before.name ?? null, phone = before.phone ?? null } = input
  const settings = before.invoice_settings
  const { default_payment_method = settings.default_payment_method } = input.invoice_settings ?? {}
  return {
    ...before,
    email,
    name,
    phone,
    description,
    metadata: mergedMetadata(before.metadata, input.metadata),
    invoice_settings: { ...settings, default_payment_method },
  }
}

async function refuseUnownedCard(tx: Transaction, customer: string, id: string | null | undefined): Promise<void> {
  if (!id) return
  const card = await find(tx, 'payment_method', id)
  if (card?.customer !== customer) {
    throw unknownReference('PaymentMethod', id, 'invoice_settings[default_payment_method]')
  }
}
