import { isDeepStrictEqual } from 'node:util'
import Stripe from 'stripe'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { newId } from './ids.ts'
import { listPage, Page } from './lists.ts'
import type { Event, EventType } from './object-types.ts'
import { Range, text } from './params.ts'
import { missing } from './problem.ts'
import { find, insert, type Filter } from './store.ts'
import type { Transaction } from './transaction.ts'

/** Records that something happened, and that it is to be told. */
export async function emit(tx: Transaction, type: EventType, object: object): Promise<void> {
  await record(tx, type, { object })
}

/** The same of a change, with what was there before. Where nothing changed, nothing is told. */
export async function emitChange(tx: Transaction, type: EventType, { before, after }: Change): Promise<void> {
  const previous_attributes = changedFrom(before, after)
  if (Object.keys(previous_attributes).length > 0) await record(tx, type, { object: after, previous_attributes })
}

async function record(tx: Transaction, type: EventType, data: Event['data']): Promise<void> {
  const id = newId.event()
  const envelope = { api_version: Stripe.API_VERSION, created: tx.now, livemode: false, pending_webhooks: 1 }
  await insert(tx, { data: { id, object: 'event', ...envelope, data, request: tx.request, type }, hidden: {} })
  await tx.client.query('insert into standin.stripe_deliveries (event) values ($1)', [id])
}

interface Change {
  before: object
  after: object
}

const EventFilter = Page.extend({
  type: text.optional(),
  types: z.array(text).max(20).optional(),
  created: Range.optional(),
})

export const listEvents = endpoint(EventFilter, (tx, { type, types, created, ...page }) => {
  const oneOf = types ?? (type === undefined ? undefined : [type])
  const filters: Filter[] = oneOf ? [{ path: ['type'], oneOf }] : []
  if (created) filters.push({ path: ['created'], range: created })
  return listPage(tx, 'event', { url: '/v1/events', page, filters })
})

export const retrieveEvent = endpoint(z.strictObject({}), async (tx, _input, id) => {
  const event = await find(tx, 'event', id)
  if (!event) throw missing('event', id)
  return event
})

/** The top-level fields that differ, as they were. */
function changedFrom(before: object, after: object): Record<string, unknown> {
  const now = new Map<string, unknown>(Object.entries(after))
  return Object.fromEntries(Object.entries(before).filter(([name, value]) => !isDeepStrictEqual(value, now.get(name))))
}
