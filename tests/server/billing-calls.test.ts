import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readRows } from '#server/db/rows.ts'
import { aPerson, useFullServer } from '#support/full-server.ts'
import { eventually, onTrial, pay, restCall, stripeIdsOf } from '#support/hosted-pages.ts'

const held = useFullServer()

const rest = (bearer: string | undefined, method: 'GET' | 'POST', path: string, body?: object) =>
  restCall(held.server, { bearer, method, path, body })
const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

describe('GET /stripe/subscription-status/{userId}', () => {
  test('answers status, customerId and trialEnd in Unix seconds', async () => {
    const person = await onTrial(held.server)
    const { trialEnd } = await person.trpc.billing.subscription.query()
    expect(await rest(person.token, 'GET', `/stripe/subscription-status/${person.userId}`)).toMatchObject({
      status: 200,
      body: {
        status: 'trialing',
        customerId: (await stripeIdsOf(held.server, person)).customer,
        trialEnd: seconds(trialEnd ?? new Date(0)),
        trialDaysLeft: 14,
      },
    })
  })

  test('of somebody who never subscribed is "none"', async () => {
    const { token, userId } = await aPerson(held.server)
    expect(await rest(token, 'GET', `/stripe/subscription-status/${userId}`)).toMatchObject({
      status: 200,
      body: { status: 'none', customerId: null, trialEnd: null },
    })
  })

  test("is not found with anybody else's id, and needs somebody signed in", async () => {
    const [person, other] = [await onTrial(held.server), await aPerson(held.server)]
    const path = `/stripe/subscription-status/${person.userId}`
    expect(await rest(other.token, 'GET', path)).toMatchObject({
      status: 404,
      body: { error: 'Subscription not found' },
    })
    expect(await rest(undefined, 'GET', path)).toMatchObject({ status: 401 })
  })
})

describe('POST /stripe/create-checkout-session', () => {
  const path = '/stripe/create-checkout-session'

  test('answers the sessionId of a checkout that can be paid, whatever price and email were sent', async () => {
    const person = await aPerson(held.server)
    const body = { priceId: 'price_of_another', email: 'somebody@else.test', trial: true }
    const answer = await rest(person.token, 'POST', path, body)
    expect(answer).toMatchObject({ status: 200, body: { sessionId: expect.stringMatching(/^cs_/) } })
    const session = await held.server.services.stripe.checkout.sessions.retrieve(answer.body.sessionId)
    expect(session).toMatchObject({ customer: (await stripeIdsOf(held.server, person)).customer, amount_subtotal: 0 })
    expect((await pay(answer.body.url)).status).toBe(303)
    await eventually(person).toMatchObject({ status: 'trialing' })
    expect(await rest(person.token, 'POST', path)).toMatchObject({
      status: 409,
      body: { error: 'You already have a subscription' },
    })
  })

  test("takes one's own userId, and nobody else's", async () => {
    const [person, other] = [await aPerson(held.server), await aPerson(held.server)]
    expect(await rest(person.token, 'POST', path, { userId: person.userId })).toMatchObject({ status: 200 })
    expect(await rest(person.token, 'POST', path, { userId: other.userId })).toMatchObject({ status: 404 })
    expect(await rest(person.token, 'POST', path, { userId: 7 })).toMatchObject({ status: 400 })
  })
})

describe('POST /stripe/create-portal-session', () => {
  const path = '/stripe/create-portal-session'

  test("answers the url of the portal of one's own customer", async () => {
    const person = await onTrial(held.server)
    const { customer: customerId } = await stripeIdsOf(held.server, person)
    for (const body of [{ customerId }, undefined]) {
      const answer = await rest(person.token, 'POST', path, body)
      expect(answer.status).toBe(200)
      expect((await fetch(answer.body.url)).status).toBe(200)
    }
  })

  test("is not found with anybody else's customer, nor where there is none", async () => {
    const [person, other] = [await onTrial(held.server), await onTrial(held.server)]
    const { customer: customerId } = await stripeIdsOf(held.server, person)
    const notFound = { status: 404, body: { error: 'Subscription not found', refusal: 'SUBSCRIPTION_NOT_FOUND' } }
    expect(await rest(other.token, 'POST', path, { customerId })).toEqual(notFound)
    expect(await rest((await aPerson(held.server)).token, 'POST', path, { customerId })).toEqual(notFound)
  })
})

test('an API key reads the subscription, and neither buys nor cancels one', async () => {
  const person = await onTrial(held.server)
  const { key } = await person.trpc.identity.createApiKey.mutate({ name: 'Script' })
  expect(await rest(key, 'GET', `/stripe/subscription-status/${person.userId}`)).toMatchObject({ status: 200 })
  for (const path of ['/stripe/create-checkout-session', '/stripe/create-portal-session']) {
    expect(await rest(key, 'POST', path)).toMatchObject({ status: 403 })
  }
})

test.each([
  ['/stripe/create-checkout-session', aPerson],
  ['/stripe/create-portal-session', onTrial],
])(
  '%s answers a secret, so that it is stored nowhere, and the call is refused with the same Idempotency-Key',
  async (path, begin) => {
    const { server } = held
    const { token, userId } = await begin(server)
    const post = (key: string) => restCall(server, { bearer: token, method: 'POST', path, key })
    const first = await post('a')
    expect(first).toMatchObject({ status: 200, body: { url: expect.stringMatching(/^http/) } })
    expect(await post('a')).toMatchObject({ status: 409, body: { refusal: 'IDEMPOTENCY_ANSWER_SECRET' } })
    const named = sql`select id from accounts where clerk_user_id = ${userId}`
    const [account] = await readRows(server.db.system, named, z.object({ id: z.int() }))
    const keys = await server.db
      .as('operator')
      .writeAs(account?.id ?? 0, (em) => em.execute<{ answer: string | null }[]>('select answer from idempotency_keys'))
    expect(keys).toEqual([{ answer: null }])
    expect(await post('b')).toMatchObject({ status: 200 })
  },
)
