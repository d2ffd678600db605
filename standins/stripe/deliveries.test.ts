import Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import { aCustomer, useShop } from '#support/stripe-shop.ts'
import { movableTime } from '#support/time.ts'
import { openDeliveries } from './deliveries.ts'
import { signatureOf } from './signature.ts'

const shop = useShop()

test('a webhook that is answered 500 is sent again, until it is accepted, under a new signature', async () => {
  shop.refuseNext(1)
  await aCustomer(shop)
  await expect.poll(() => shop.heard).toHaveLength(1)
  expect(shop.refused.map(({ id }) => id)).toEqual(shop.heard.map(({ id }) => id))
})

test('a webhook that was not accepted before the end is sent after the next start', async () => {
  shop.refuseNext(1)
  await aCustomer(shop)
  await expect.poll(() => shop.refused).toHaveLength(1)
  await shop.restart()
  await expect.poll(() => shop.heard).toHaveLength(1)
})

test('an event that is pending says so', async () => {
  // Also the next tries, however soon they come.
  shop.refuseNext(10)
  await aCustomer(shop)
  await expect.poll(() => shop.refused.length).toBeGreaterThan(0)
  await expect(shop.stripe.events.retrieve(shop.refused[0]?.id ?? '')).resolves.toMatchObject({ pending_webhooks: 1 })
})

test('a webhook that is never accepted is given up after its last try', async () => {
  await shop.standin.close()
  shop.refuseNext(10)
  await aCustomer(shop)
  const url = () => `${shop.origin}/webhook`
  const options = { pool: shop.pool, secret: shop.standin.webhookSecret, url, retryAfterSeconds: [0.01, 0.01] }
  const deliveries = await openDeliveries(options)
  await deliveries.run()
  await expect.poll(() => shop.refused).toHaveLength(3)
  await expect
    .poll(async () => (await shop.pool.query('select state, tries, answer from standin.stripe_deliveries')).rows)
    .toEqual([{ state: 'given up', tries: 3, answer: '500' }])
  await deliveries.close()
})

test('nobody at the address is one more failed try', async () => {
  await shop.standin.close()
  await aCustomer(shop)
  const url = () => 'http://127.0.0.1:1/nobody'
  // No next try while this one is looked at.
  const options = { pool: shop.pool, secret: shop.standin.webhookSecret, url, retryAfterSeconds: [3600] }
  const deliveries = await openDeliveries(options)
  await deliveries.run()
  const { rows } = await shop.pool.query('select state, tries from standin.stripe_deliveries')
  expect(rows).toEqual([{ state: 'pending', tries: 1 }])
  await deliveries.close()
})

test('nothing is asked of the database while nothing is to be sent', async () => {
  await shop.standin.close()
  const options = { pool: shop.pool, secret: shop.standin.webhookSecret, url: () => `${shop.origin}/webhook` }
  const time = movableTime()
  const deliveries = await openDeliveries(options)
  await deliveries.run()
  const query = vi.spyOn(shop.pool, 'query')
  await time.pass(3_600_000)
  expect(query).not.toHaveBeenCalled()
  query.mockRestore()
  await deliveries.close()
})

test('the signature holds for the very bytes, the secret and the time', () => {
  const body = JSON.stringify({ id: 'evt_1', object: 'event' })
  const now = Math.floor(Date.now() / 1000)
  const read = (text: string, header: string) => () => Stripe.webhooks.constructEvent(text, header, 'whsec_x')
  expect(read(body, signatureOf(body, 'whsec_x', now))).not.toThrow()
  const unsigned = 'No signatures found matching the expected signature'
  expect(read(`${body} `, signatureOf(body, 'whsec_x', now))).toThrow(unsigned)
  expect(read(body, signatureOf(body, 'whsec_y', now))).toThrow(unsigned)
  expect(read(body, signatureOf(body, 'whsec_x', now - 301))).toThrow('Timestamp outside the tolerance zone')
})
