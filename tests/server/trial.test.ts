import { describe, expect, test } from 'vitest'
import { openCallers } from '#server/identity/callers.ts'
import { aPerson, trpcClient, useFullServer } from '#support/full-server.ts'
import { DAY, eventually, FAILS_LATER, moveClock, onTrial, pay, stripeIdsOf } from '#support/hosted-pages.ts'

const held = useFullServer()
describe('the trial', () => {
  test('starts at the hosted checkout, for 14 days, and is known on return before any webhook', async () => {
    const person = await aPerson(held.server)
    expect(await person.trpc.billing.subscription.query()).toMatchObject({ status: 'none', access: 'checkout' })
    const { url, sessionId } = await person.trpc.billing.startCheckout.mutate()
    expect(await pay(url)).toEqual({
      status: 303,
      location: `${held.server.url}/checkout/success?session_id=${sessionId}`,
    })
    expect(await person.trpc.billing.refresh.mutate()).toMatchObject({
      status: 'trialing',
      access: 'full',
      trialDaysLeft: 14,
    })
    expect(await person.trpc.dashboard.get.query()).toMatchObject({ totalContracts: 0 })
  })

  test('comes by webhook too, where nobody returns', async () => {
    const person = await aPerson(held.server)
    const { url } = await person.trpc.billing.startCheckout.mutate()
    await pay(url)
    await eventually(person).toMatchObject({ status: 'trialing' })
  })

  test('does not start with a declined card, and the same page works with another', async () => {
    const person = await aPerson(held.server)
    const { url } = await person.trpc.billing.startCheckout.mutate()
    expect(await pay(url, { number: '4000000000000002' })).toEqual({ status: 402, location: null })
    expect(await person.trpc.billing.refresh.mutate()).toMatchObject({ status: 'none' })
    expect((await pay(url)).status).toBe(303)
    expect(await person.trpc.billing.refresh.mutate()).toMatchObject({ status: 'trialing' })
  })

  test('becomes a paid month at its end', async () => {
    const person = await onTrial(held.server)
    await moveClock(held.server, 15 * DAY)
    await eventually(person).toMatchObject({ status: 'active', access: 'full' })
  })

  test('ends past due where the card fails, which the portal mends', async () => {
    const person = await aPerson(held.server)
    const { url } = await person.trpc.billing.startCheckout.mutate()
    await pay(url, { number: FAILS_LATER })
    await moveClock(held.server, 14 * DAY + 3600)
    await eventually(person).toMatchObject({ status: 'past_due', access: 'full' })
    const portal = await person.trpc.billing.openPortal.mutate()
    expect(await pay(`${portal.url}/card`)).toMatchObject({ status: 303 })
    await eventually(person).toMatchObject({ status: 'active' })
  })
})

describe('a second checkout', () => {
  test('is refused while a subscription lives', async () => {
    const person = await onTrial(held.server)
    await expect(person.trpc.billing.startCheckout.mutate()).rejects.toMatchObject({
      data: { refusal: 'ALREADY_SUBSCRIBED', httpStatus: 409 },
    })
  })

  test('closes the first one, so that only the latest page can be paid', async () => {
    const person = await aPerson(held.server)
    const first = await person.trpc.billing.startCheckout.mutate()
    const second = await person.trpc.billing.startCheckout.mutate()
    expect((await pay(first.url)).status).toBe(410)
    expect((await pay(second.url)).status).toBe(303)
  })

  test('asked for twice at once leaves one open page', async () => {
    const person = await aPerson(held.server)
    const start = () => trpcClient(held.server.url, person.token).billing.startCheckout.mutate()
    const sessions = await Promise.all([start(), start(), start()])
    const paid = await Promise.all(sessions.map(({ url }) => pay(url)))
    expect(paid.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([303, 410, 410])
  })

  test('has no second trial', async () => {
    const person = await onTrial(held.server)
    const { stripe } = held.server.services
    await stripe.subscriptions.cancel((await stripeIdsOf(held.server, person)).subscription)
    await eventually(person).toMatchObject({ status: 'canceled', access: 'read-only', screens: 'checkout' })
    const { url } = await person.trpc.billing.startCheckout.mutate()
    await pay(url)
    expect(await person.trpc.billing.refresh.mutate()).toMatchObject({ status: 'active', trialDaysLeft: 0 })
  })
})

test('two subscriptions bought past every guard end as one', async () => {
  const person = await onTrial(held.server)
  const { stripe, priceLookupKey } = held.server.services
  const { customer } = await stripeIdsOf(held.server, person)
  const { data } = await stripe.prices.list({ lookup_keys: [priceLookupKey] })
  await stripe.subscriptions.create({ customer, items: [{ price: data[0]?.id ?? '' }], trial_period_days: 14 })
  await person.trpc.billing.refresh.mutate()
  const living = await stripe.subscriptions.list({ customer })
  expect(living.data).toHaveLength(1)
})

describe('the account', () => {
  test('is made once, however many first requests race', async () => {
    const { token, userId } = await aPerson(held.server)
    const { db, services } = held.server
    const servers = Array.from({ length: 3 }, () => openCallers(db, services))
    const requests = Array.from({ length: 10 }, () => servers).flat()
    const callers = await Promise.all(requests.map((one) => one.find(token)))
    expect(new Set(callers.map((caller) => caller?.id)).size).toBe(1)
    const { rows } = await db.system.query('select 1 from accounts where clerk_user_id = $1', [userId])
    expect(rows).toHaveLength(1)
  })

  test('takes the time zone of the first browser, and no other', async () => {
    const { trpc, userId } = await aPerson(held.server)
    for (const timeZone of ['Nowhere/Land', 'Europe/Berlin', 'Asia/Tokyo']) {
      await trpc.identity.adoptTimeZone.mutate({ timeZone })
    }
    const { rows } = await held.server.db.system.query('select time_zone from accounts where clerk_user_id = $1', [
      userId,
    ])
    expect(rows).toEqual([{ time_zone: 'Europe/Berlin' }])
  })

  test('of a user whom Clerk no longer knows is not made', async () => {
    const { token, userId } = await aPerson(held.server)
    await held.server.services.clerk.users.deleteUser(userId)
    expect(await openCallers(held.server.db, held.server.services).find(token)).toBeNull()
  })
})
