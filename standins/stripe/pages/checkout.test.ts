import { expect, test } from 'vitest'
import {
  aCheckout,
  aCustomer,
  aSubscriber,
  CARDS,
  reloaded,
  sendCard,
  sendForm,
  useShop,
} from '#support/stripe-shop.ts'

const shop = useShop()

async function aPage(options: Partial<Parameters<typeof aCheckout>[1]> = {}) {
  const customer = await aCustomer(shop)
  const session = await aCheckout(shop, { customer: customer.id, ...options })
  return { customer, session, url: session.url ?? '' }
}

async function textOf(url: string) {
  const response = await fetch(url)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('the trial page says what is free, what comes then, and that nothing is due today', async () => {
  const { url } = await aPage()
  const { status, text } = await textOf(url)
  expect(status).toBe(200)
  for (const words of [
    'Try TRAXX Pro',
    '14 days free',
    'Then $29.00 per month',
    'Total due today',
    '$0.00',
    'Start trial',
    'ada@example.com',
    'TEST MODE',
  ]) {
    expect(text).toContain(words)
  }
  expect(text).toContain(`href="${shop.origin}/checkout"`)
})

test('without a trial the page asks to pay', async () => {
  const { url } = await aPage({ trialDays: null })
  const { text } = await textOf(url)
  for (const words of ['Subscribe to TRAXX Pro', '$29.00 per month', 'Pay $29.00']) expect(text).toContain(words)
  expect(text).not.toContain('free')
})

test('the page needs no script, is not kept, and cannot be framed', async () => {
  const { url } = await aPage()
  const { headers, text } = await textOf(url)
  expect(text).not.toContain('<script')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test('a good card leads to the success page with the id of the session', async () => {
  const { session, url } = await aPage()
  const response = await sendCard(url)
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe(`${shop.origin}/checkout/success?session_id=${session.id}`)
})

test.each([
  [CARDS.declined, 'Your card was declined.'],
  [CARDS.noFunds, 'Your card has insufficient funds.'],
  ['4111 1111 1111 1111', 'used a non test card'],
])('the card %s is declined, and the session stays open', async (card, text) => {
  const { customer, session, url } = await aPage()
  const response = await sendCard(url, card)
  expect(response.status).toBe(402)
  expect(await response.text()).toContain(text)
  await expect(shop.stripe.checkout.sessions.retrieve(session.id)).resolves.toMatchObject({ status: 'open' })
  expect((await shop.stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([])
  expect((await shop.stripe.paymentMethods.list({ customer: customer.id })).data).toEqual([])

  expect((await sendCard(url)).status).toBe(303)
})

test('a card that fails when charged is declined where there is no trial', async () => {
  const { customer, url } = await aPage({ trialDays: null })
  expect((await sendCard(url, CARDS.failsLater)).status).toBe(402)
  expect((await shop.stripe.invoices.list({ customer: customer.id })).data).toEqual([])
})

test('mistakes are marked at their fields, and what was typed stays', async () => {
  const { url } = await aPage()
  const response = await sendForm(url, { number: '4242', expiry: '01 / 20', cvc: '1', name: 'Ada "Countess" <b>' })
  expect(response.status).toBe(422)
  const text = await response.text()
  expect(text).toContain('Your card number is incomplete.')
  expect(text).toContain('Please check the 3 fields marked below.')
  expect(text).toContain('aria-describedby="number-mistake"')
  expect(text).toContain('value="Ada &quot;Countess&quot; &lt;b&gt;"')
})

test('an empty form is told everything that is missing', async () => {
  const { url } = await aPage()
  expect(await (await sendForm(url)).text()).toContain('Please check the 4 fields marked below.')
})

test('a used page says so, and sending it again changes nothing', async () => {
  const { customer, session } = await aSubscriber(shop)
  const url = `${shop.origin}/__stripe/checkout/${session.id}`
  const { status, text } = await textOf(url)
  expect(status).toBe(410)
  expect(text).toContain('This checkout has been completed.')

  const again = await sendCard(url)
  expect(again.headers.get('location')).toContain(session.id)
  expect((await shop.stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toHaveLength(1)
})

test('a double click buys once', async () => {
  const { customer, url } = await aPage()
  const answers = await Promise.all([sendCard(url), sendCard(url), sendCard(url)])
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  expect((await shop.stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toHaveLength(1)
})

test('an expired page says so, and leads back', async () => {
  const { session, url } = await aPage()
  await shop.stripe.checkout.sessions.expire(session.id)
  const { status, text } = await textOf(url)
  expect(status).toBe(410)
  expect(text).toContain('This checkout has expired')
  expect(text).toContain(`href="${shop.origin}/checkout"`)
  expect((await sendCard(url)).status).toBe(410)
})

test('an unknown page is not found', async () => {
  expect((await textOf(`${shop.origin}/__stripe/checkout/cs_test_unknown`)).status).toBe(404)
  expect((await textOf(`${shop.origin}/__stripe/nothing`)).status).toBe(404)
})

test('a form sent from another site does nothing', async () => {
  const { url } = await aPage()
  const fields = { number: CARDS.works, expiry: '12 / 40', cvc: '123', name: 'Ada' }
  expect((await sendForm(url, fields, { origin: 'https://evil.test' })).status).toBe(403)
  expect((await sendForm(url, fields, { origin: 'null' })).status).toBe(403)
  expect((await sendForm(url, fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await sendForm(url, fields, { origin: shop.origin })).status).toBe(303)
})

test('without a customer the page asks for an address, and makes one', async () => {
  const { data } = await shop.stripe.prices.list()
  const session = await shop.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: data[0]?.id ?? '', quantity: 2 }],
    success_url: `${shop.origin}/done`,
  })
  expect(await (await sendCard(session.url ?? '')).text()).toContain('Enter a valid email address.')
  const fields = { email: 'eve@example.com', number: CARDS.works, expiry: '12 / 40', cvc: '123', name: 'Eve' }
  expect((await sendForm(session.url ?? '', fields)).status).toBe(303)
  const completed = await shop.stripe.checkout.sessions.retrieve(session.id, { expand: ['customer', 'invoice'] })
  expect(completed).toMatchObject({
    customer: { email: 'eve@example.com', name: 'Eve' },
    invoice: { amount_paid: 5800 },
  })
})

test('a trial that needs no card starts without one, and its end does as was asked', async () => {
  const subscription_data = {
    trial_period_days: 14,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
  } as const
  const { customer, url } = await aPage({ payment_method_collection: 'if_required', subscription_data })
  expect((await textOf(url)).text).toContain('No card is needed today.')
  expect((await sendForm(url)).status).toBe(303)
  const { data } = await shop.stripe.subscriptions.list({ customer: customer.id })
  expect(data).toMatchObject([{ status: 'trialing', default_payment_method: null }])
  await shop.advance({ days: 15 })
  for (const subscription of data)
    await expect(reloaded(shop, subscription)).resolves.toMatchObject({ status: 'canceled' })
})
