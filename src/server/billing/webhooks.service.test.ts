import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { call, useApp } from '#support/app.ts'
import { fakeServices } from '#support/services.ts'
import { anAccount, useWorld } from '#support/world.ts'
import { sweepEvents } from './webhooks.service.ts'

const world = useWorld()
const server = useApp(world)
const event = {
  id: 'evt_1',
  object: 'event',
  type: 'customer.subscription.updated',
  data: { object: { object: 'subscription', id: 'sub_9', customer: null, status: 'active' } },
}

function deliver(payload: string, secret = 'whsec_test', timestamp = Math.floor(Date.now() / 1000)) {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  return call(server, { method: 'POST', url: '/stripe/webhook', payload, headers })
}

async function stored() {
  const { rows } = await world.db.system.query(
    'select id, processed_at is not null as done from stripe_events order by id',
  )
  return rows
}

test('a signed event is recorded and done once, however often it comes', async () => {
  expect(await deliver(JSON.stringify(event))).toMatchObject({ status: 200, body: { received: true } })
  expect(await deliver(JSON.stringify(event))).toMatchObject({ status: 200 })
  expect(await stored()).toEqual([{ id: 'evt_1', done: true }])
})

test.each([
  [
    'unsigned',
    (payload: string) =>
      call(server, {
        method: 'POST',
        url: '/stripe/webhook',
        payload,
        headers: { 'content-type': 'application/json' },
      }),
  ],
  ['signed with another secret', (payload: string) => deliver(payload, 'whsec_other')],
])('an event that is %s is 400 and changes nothing', async (_what, send) => {
  const answer = await send(JSON.stringify(event))
  expect(answer).toMatchObject({ status: 400, body: { error: 'The webhook signature is not valid' } })
  expect(await stored()).toEqual([])
})

test('an event that was signed ten minutes ago is 400 and changes nothing', async () => {
  const answer = await deliver(JSON.stringify(event), 'whsec_test', Math.floor(Date.now() / 1000) - 600)
  const error = 'The webhook was not signed within the last few minutes'
  expect(answer).toMatchObject({ status: 400, body: { error } })
  expect(await stored()).toEqual([])
})

test.each([
  ['an array', '[]'],
  ['null', 'null'],
  ['a number', '1'],
  ['a text', '"evt_1"'],
  ['no JSON', '{'],
  ['an event without an id', JSON.stringify({ ...event, id: undefined })],
  ['an event whose id is an object', JSON.stringify({ ...event, id: {} })],
  ['an event whose id has a NUL character', JSON.stringify({ ...event, id: 'evt_\u0000' })],
  ['an event whose type has a NUL character', JSON.stringify({ ...event, type: 'x\u0000' })],
  ['an event without a type', JSON.stringify({ ...event, type: undefined })],
  ['an event about nothing', JSON.stringify({ ...event, data: null })],
  ['an event about no object', JSON.stringify({ ...event, data: { object: 'sub_9' } })],
  [
    'an event of a customer with a NUL character',
    JSON.stringify({ ...event, data: { object: { object: 'customer', id: 'cus_\u0000' } } }),
  ],
  [
    'an event of a customer that is a number',
    JSON.stringify({ ...event, data: { object: { object: 'invoice', customer: 1 } } }),
  ],
])('%s is 400 although it is signed, and nothing is recorded', async (_what, payload) => {
  expect(await deliver(payload)).toMatchObject({ status: 400 })
  expect(await stored()).toEqual([])
})

const claiming = { ...event, data: { object: { ...event.data.object, customer: 'cus_1' } } }

async function anAccountOfCustomer() {
  const { caller } = await anAccount(world, { status: null })
  await world.db.system.query(`update accounts set stripe_customer_id = 'cus_1' where id = $1`, [caller?.id])
}

test('what an event claims of a subscription is not believed', async () => {
  await anAccountOfCustomer()
  // Stripe does not answer in this test, so the event stays undone and will come again.
  expect((await deliver(JSON.stringify(claiming))).status).toBe(500)
  expect(await stored()).toEqual([{ id: 'evt_1', done: false }])
  expect((await world.db.system.query('select * from subscriptions')).rows).toEqual([])
})

test('an event that is done asks nothing more of Stripe', async () => {
  await anAccountOfCustomer()
  await world.db.system.query(`insert into stripe_events (id, type, processed_at) values ('evt_1', 'x', now())`)
  // Nobody answers for Stripe in this test.
  expect(await deliver(JSON.stringify(claiming))).toMatchObject({ status: 200, body: { received: true } })
})

test('events are forgotten once nobody will send them again', async () => {
  await world.db.system.query(`insert into stripe_events (id, type, received_at)
    select 'evt_' || days, 'x', now() - make_interval(days => days) from unnest(array[1, 29, 31]) days`)
  await sweepEvents({ db: world.db, services: fakeServices() })
  expect(await stored()).toMatchObject([{ id: 'evt_1' }, { id: 'evt_29' }])
})
