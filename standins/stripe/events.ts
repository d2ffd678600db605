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
import type { Turn } from './turn.ts'

/** Records that something happened, and that it is to be told. */
export async function emit(turn: Turn, type: EventType, object: object): Promise<void> {
  await record(turn, type, { object })
}

/** The same of a change, with what was there before. Where nothing changed, nothing is told. */
export async function emitChange(turn: Turn, type: EventType, { before, after }: Change): Promise<void> {
  const previous_attributes = changedFrom(before, after)
  if (Object.keys(previous_attributes).length > 0) await record(turn, type, { object: after, previous_attributes })
}

async function record(turn: Turn, type: EventType, data: Event['data']): Promise<void> {
  const id = newId.event()
  const envelope = { api_version: Stripe.API_VERSION, created: turn.now, livemode: false, pending_webhooks: 1 }
  await insert(turn, { data: { id, object: 'event', ...envelope, data, request: turn.request, type }, hidden: {} })
  await turn.client.query('insert into standin.stripe_deliveries (event) values ($1)', [id])
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

export const listEvents = endpoint(EventFilter, (turn, { type, types, created, ...page }) => {
  const oneOf = types ?? (type === undefined ? undefined : [type])
  const filters: Filter[] = oneOf ? [{ path: ['type'], oneOf }] : []
  if (created) filters.push({ path: ['created'], range: created })
  return listPage(turn, 'event', { url: '/v1/events', page, filters })
})

export const retrieveEvent = endpoint(z.strictObject({}), async (turn, _input, id) => {
  const event = await find(turn, 'event', id)
  if (!event) throw missing('event', id)
  return event
})

/** The top-level fields that differ, as they were. */
function changedFrom(before: object, after: object): Record<string, unknown> {
  const now = new Map<string, unknown>(Object.entries(after))
  return Object.fromEntries(Object.entries(before).filter(([name, value]) => !isDeepStrictEqual(value, now.get(name))))
}
