import { expect, test } from 'vitest'
import { aSubscriber, idOf, typesOf, useShop } from '#support/stripe-shop.ts'

const shop = useShop()

async function aPayment() {
  const { customer } = await aSubscriber(shop, { trialDays: null })
  const { data: invoices } = await shop.stripe.invoices.list({ customer: customer.id, status: 'paid' })
  const invoice = invoices[0]?.id ?? ''
  const { data } = await shop.stripe.invoicePayments.list({ invoice, status: 'paid' })
  return { customer: customer.id, invoice, intent: idOf(data[0]?.payment.payment_intent ?? null) }
}

test('a charge that succeeded is a payment of its invoice; a trial that cost nothing has none', async () => {
  const { intent, invoice, customer } = await aPayment()
  const payments = await shop.stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intent },
  })
  expect(payments.data).toMatchObject([{ invoice, amount_paid: 2900, status: 'paid' }])
  const found = await shop.stripe.paymentIntents.retrieve(intent)
  expect(found).toMatchObject({
    amount: 2900,
    customer,
    status: 'succeeded',
    payment_method: expect.stringMatching(/^pm_/),
  })
  await aSubscriber(shop)
  expect((await shop.stripe.invoicePayments.list()).data).toHaveLength(1)
})

test('a refund gives back what is left of a payment, and the event names the customer', async () => {
  const { intent, customer } = await aPayment()
  const part = await shop.stripe.refunds.create({ payment_intent: intent, amount: 1000 })
  expect(part).toMatchObject({ amount: 1000, status: 'succeeded', customer })
  const rest = await shop.stripe.refunds.create({ payment_intent: intent, reason: 'requested_by_customer' })
  expect(rest).toMatchObject({ amount: 1900, reason: 'requested_by_customer' })
  expect((await shop.stripe.refunds.list({ payment_intent: intent })).data.map(({ id }) => id)).toEqual([
    rest.id,
    part.id,
  ])
  await expect.poll(() => typesOf(shop.heard)).toContain('refund.created')
})

test('no more is given back than was paid, and nothing of what was never paid', async () => {
  const { intent } = await aPayment()
  const { refunds } = shop.stripe
  await expect(refunds.create({ payment_intent: intent, amount: 3000 })).rejects.toMatchObject({ statusCode: 400 })
  await refunds.create({ payment_intent: intent })
  const again = { statusCode: 400, code: 'charge_already_refunded' }
  await expect(refunds.create({ payment_intent: intent })).rejects.toMatchObject(again)
  const unknown = { code: 'resource_missing', param: 'payment_intent' }
  await expect(refunds.create({ payment_intent: 'pi_none' })).rejects.toMatchObject(unknown)
})

test('one key makes one refund, and what is written on it stays', async () => {
  const { intent } = await aPayment()
  const create = () => shop.stripe.refunds.create({ payment_intent: intent }, { idempotencyKey: 'refund:1' })
  const [first, second] = [await create(), await create()]
  expect(second.id).toBe(first.id)
  await shop.stripe.refunds.update(first.id, { metadata: { told: 'yes' } })
  expect((await shop.stripe.refunds.retrieve(first.id)).metadata).toEqual({ told: 'yes' })
})
