import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { receiveWebhook } from '#server/billing/webhooks.service.ts'
import { useFullServer, type Person } from '#support/full-server.ts'
import { onTrial, stripeIdsOf } from '#support/hosted-pages.ts'

/** The webhook secret can only make the server read from Stripe again. */
const held = useFullServer()
let events = 0

/** An event that is signed as Stripe signs, and says whatever the test wants. */
async function deliver(type: string, object: object, id = `evt_forged_${(events += 1)}`) {
  const payload = JSON.stringify({ id, object: 'event', type, data: { object } })
  const secret = held.server.services.stripeWebhookSecret
  const headers = {
    'content-type': 'application/json',
    'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }),
  }
  const { status } = await fetch(`${held.server.url}/stripe/webhook`, { method: 'POST', body: payload, headers })
  return status
}

function stateOf({ trpc }: Person) {
  return trpc.billing.subscription.query()
}

async function rowsOf(table: 'accounts' | 'subscriptions') {
  const columns = { accounts: '*', subscriptions: 'account_id, stripe_subscription_id, status, trial_end' }[table]
  return (await held.server.db.system.query(`select ${columns} from ${table} order by 1`)).rows
}

test("an event of one customer with another's subscription changes neither account", async () => {
  const [one, other] = [await onTrial(held.server), await onTrial(held.server)]
  const [{ customer }, theirs] = [await stripeIdsOf(held.server, one), await stripeIdsOf(held.server, other)]
  const before = await rowsOf('subscriptions')
  const claim = { object: 'subscription', id: theirs.subscription, customer, metadata: { userId: other.userId } }
  expect(await deliver('customer.subscription.updated', { ...claim, status: 'canceled' })).toBe(200)
  expect(await deliver('customer.subscription.deleted', { ...claim, customer: theirs.customer })).toBe(200)
  expect(await deliver('customer.deleted', { object: 'customer', id: customer, deleted: true })).toBe(200)
  expect(await rowsOf('subscriptions')).toEqual(before)
})

test('a checkout that is completed again and again, by old events and at once, begins one trial', async () => {
  const person = await onTrial(held.server)
  const { customer, subscription } = await stripeIdsOf(held.server, person)
  const before = await stateOf(person)
  const session = { object: 'checkout.session', id: 'cs_1', customer, subscription, payment_status: 'paid' }
  const again = Array.from({ length: 8 }, (_, at) => `evt_again_${at % 2}`)
  const statuses = await Promise.all(again.map((id) => deliver('checkout.session.completed', session, id)))
  expect(statuses).toEqual(again.map(() => 200))
  expect(await stateOf(person)).toEqual(before)
  expect((await held.server.services.stripe.subscriptions.list({ customer })).data).toHaveLength(1)
})

test('an old event of a subscription that has ended opens nothing', async () => {
  const person = await onTrial(held.server)
  const { customer, subscription } = await stripeIdsOf(held.server, person)
  await held.server.services.stripe.subscriptions.cancel(subscription)
  const old = { object: 'subscription', id: subscription, customer, status: 'trialing', trial_end: 4_000_000_000 }
  expect(await deliver('customer.subscription.created', old)).toBe(200)
  expect(await stateOf(person)).toMatchObject({ status: 'canceled', access: 'read-only' })
})

test('events of a customer whose account is gone, or who never had one, are taken and change nothing', async () => {
  const person = await onTrial(held.server)
  const { customer, subscription } = await stripeIdsOf(held.server, person)
  await held.server.db.system.query(`update accounts set stripe_customer_id = null where stripe_customer_id = $1`, [
    customer,
  ])
  const before = [await rowsOf('accounts'), await rowsOf('subscriptions')]
  for (const of of [customer, 'cus_nobody', { id: 'cus_nobody' }]) {
    expect(await deliver('invoice.paid', { object: 'invoice', customer: of, subscription })).toBe(200)
  }
  expect([await rowsOf('accounts'), await rowsOf('subscriptions')]).toEqual(before)
})

test('a large event is taken, and one of more than a megabyte is refused', async () => {
  const withNote = (length: number) => ({ object: 'invoice', customer: null, description: 'x'.repeat(length) })
  expect(await deliver('invoice.paid', withNote(900_000))).toBe(200)
  expect(await deliver('invoice.paid', withNote(1_100_000))).toBe(413)
})

test('a refund is logged with the account that gets it, once, and another event is not', async () => {
  const person = await onTrial(held.server)
  const { customer } = await stripeIdsOf(held.server, person)
  const lines: unknown[] = []
  const ctx = { ...held.server, security: (...line: unknown[]) => void lines.push(line) }
  const receive = async (type: string, id: string) => {
    const payload = JSON.stringify({
      id,
      object: 'event',
      type,
      data: { object: { object: 'refund', id: 're_1', customer } },
    })
    const secret = held.server.services.stripeWebhookSecret
    await receiveWebhook(ctx, Buffer.from(payload), Stripe.webhooks.generateTestHeaderString({ payload, secret }))
  }
  for (const id of ['evt_refund', 'evt_refund']) await receive('refund.created', id)
  await receive('refund.updated', 'evt_refund_2')
  expect(lines).toEqual([['payment.refunded', { actor: 'stripe', account: expect.any(Number) }]])
})
