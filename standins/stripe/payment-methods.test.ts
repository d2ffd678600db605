import { expect, test } from 'vitest'
import { aCustomer, aSubscriber, reloaded, useShop, idOf } from '#support/stripe-shop.ts'

const shop = useShop()

test("a checkout's card is the customer's, and shows nothing of the number but its end", async () => {
  const { customer, subscription } = await aSubscriber(shop)
  const { data } = await shop.stripe.paymentMethods.list({ customer: customer.id, type: 'card' })
  expect(data).toMatchObject([
    {
      id: subscription.default_payment_method,
      customer: customer.id,
      billing_details: { name: 'Ada Lovelace', email: 'ada@example.com' },
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 },
    },
  ])
  expect(JSON.stringify(data)).not.toContain('424242')
  expect((await shop.stripe.customers.listPaymentMethods(customer.id)).data).toHaveLength(1)
  await expect(shop.stripe.paymentMethods.retrieve(data[0]?.id ?? '')).resolves.toMatchObject({
    object: 'payment_method',
  })
})

test('the same card has the same fingerprint, whoever brings it', async () => {
  const cards = [await aSubscriber(shop), await aSubscriber(shop)]
  const methods = await Promise.all(
    cards.map(({ customer }) => shop.stripe.paymentMethods.list({ customer: customer.id })),
  )
  expect(new Set(methods.map(({ data }) => data[0]?.card?.fingerprint)).size).toBe(1)
})

test('a detached card is no longer used', async () => {
  const { customer, subscription } = await aSubscriber(shop)
  const card = idOf(subscription.default_payment_method)
  await expect(shop.stripe.paymentMethods.detach(card)).resolves.toMatchObject({ customer: null })
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ default_payment_method: null })
  expect((await shop.stripe.paymentMethods.list({ customer: customer.id })).data).toEqual([])
  await expect(shop.stripe.paymentMethods.attach(card, { customer: customer.id })).rejects.toMatchObject({
    statusCode: 400,
  })
  await shop.advance({ days: 15 })
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'past_due' })
})

test('the default card of the customer pays where the subscription has none', async () => {
  const { customer, subscription } = await aSubscriber(shop)
  await shop.stripe.paymentMethods.detach(idOf(subscription.default_payment_method))
  const card = await shop.stripe.paymentMethods.attach('pm_card_amex', { customer: customer.id })
  await shop.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card.id } })
  await shop.advance({ days: 15 })
  await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'active' })
})

test('a card of another customer, or one that the bank refuses, cannot be used', async () => {
  const mine = await aCustomer(shop)
  const other = await aCustomer(shop)
  const { id } = await shop.stripe.paymentMethods.attach('pm_card_visa', { customer: other.id })
  const settings = { invoice_settings: { default_payment_method: id } }
  await expect(shop.stripe.customers.update(mine.id, settings)).rejects.toMatchObject({ statusCode: 400 })
  await expect(shop.stripe.paymentMethods.attach(id, { customer: mine.id })).rejects.toMatchObject({ statusCode: 400 })
  await expect(
    shop.stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer: mine.id }),
  ).rejects.toMatchObject({
    type: 'StripeCardError',
    message: 'Your card was declined.',
  })
})
