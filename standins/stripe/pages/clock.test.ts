import { expect, test } from 'vitest'
import {
  aCheckout,
  aCustomer,
  aSubscriber,
  CARDS,
  reloaded,
  sendCard,
  sendForm,
  typesOf,
  useShop,
} from '#support/stripe-shop.ts'

const shop = useShop()

async function textOf(path: string): Promise<string> {
  return (await fetch(shop.origin + path)).text()
}

function hoursAhead(): number {
  return Math.round(Math.abs(shop.standin.now().getTime() - Date.now()) / 3_600_000)
}

test('the clock starts with real time, and each button moves it on', async () => {
  expect(hoursAhead()).toBe(0)
  const page = await textOf('/__stripe/clock')
  for (const label of ['+1 hour', '+1 day', '+3 days', '+7 days', '+15 days', '+1 month']) expect(page).toContain(label)

  const response = await sendForm(`${shop.origin}/__stripe/clock`, { seconds: '3600' })
  expect(response.headers.get('location')).toBe('/__stripe/clock')
  expect(hoursAhead()).toBe(1)
  await sendForm(`${shop.origin}/__stripe/clock`, { months: '1' })
  expect(hoursAhead()).toBeGreaterThan(27 * 24)
  expect(await textOf('/__stripe/clock')).toContain('Ahead of real time')
})

test.each([{ days: -1 }, { days: 0 }, { seconds: 'x' }, { days: 10_000 }, {}, { days: 1, seconds: 1 }])(
  'moving it by %j is refused',
  async (move) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(move)
    expect((await fetch(`${shop.origin}/__stripe/clock`, { method: 'POST', headers, body })).status).toBe(400)
    expect(hoursAhead()).toBe(0)
  },
)

test('another site cannot move it', async () => {
  const headers = { origin: 'https://evil.test' }
  expect((await sendForm(`${shop.origin}/__stripe/clock`, { seconds: '3600' }, headers)).status).toBe(403)
})

test('the page lists what happened and how it was told, and tells it again on demand', async () => {
  await aCustomer(shop)
  await expect.poll(() => shop.heard.length).toBe(1)
  const [event] = shop.heard
  await expect.poll(() => textOf('/__stripe/clock')).toContain('delivered')
  expect(await textOf('/__stripe/clock')).toContain('customer.created')

  await sendForm(`${shop.origin}/__stripe/events/${event?.id}/send`)
  expect(shop.heard.map(({ id }) => id)).toEqual([event?.id, event?.id])
})

test('everything is as it was after a restart: keys, clock, sessions, subscriptions', async () => {
  const { subscription } = await aSubscriber(shop)
  const customer = await aCustomer(shop)
  const session = await aCheckout(shop, { customer: customer.id })
  await shop.advance({ days: 0.5 })
  const before = { secret: shop.standin.secretKey, webhook: shop.standin.webhookSecret, hours: hoursAhead() }
  const then = await reloaded(shop, subscription)

  await shop.restart()

  expect({ secret: shop.standin.secretKey, webhook: shop.standin.webhookSecret, hours: hoursAhead() }).toEqual(before)
  expect(JSON.parse(JSON.stringify(await reloaded(shop, subscription)))).toEqual(JSON.parse(JSON.stringify(then)))
  const page = `${shop.origin}/__stripe/checkout/${session.id}`
  expect((await sendCard(page)).status).toBe(303)
})

test('what fell due while nobody ran happens at the next start, each at its own time and in that order', async () => {
  const { subscription } = await aSubscriber(shop, { card: CARDS.failsLater })
  await aSubscriber(shop, { trialDays: null })
  await shop.pool.query(`insert into standin.stripe_settings values ('clock_offset', $1)`, [String(70 * 86_400)])

  await shop.restart()
  await aCustomer(shop)

  const { data } = await shop.stripe.events.list({ limit: 100 })
  const times = data.map(({ created }) => created).toReversed()
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const deleted = data.find(({ type }) => type === 'customer.subscription.deleted')
  expect(deleted?.created).toBe((subscription.trial_end ?? 0) + 15 * 86_400)
  await expect.poll(() => typesOf(shop.heard)).toContain('customer.subscription.deleted')
})
