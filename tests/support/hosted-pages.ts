import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { z } from 'zod'
import { readRows } from '#server/db/rows.ts'
import { aPerson, type Person } from './full-server.ts'
import type { RunningServer } from '#server/boot/local-environment.ts'

const CARD = { number: '4242424242424242', expiry: '12 / 40', cvc: '123', name: 'Ada Lovelace' }
/** A card that is taken, and then refuses to be charged. */
export const FAILS_LATER = '4000000000000341'
export const DAY = 86_400

/** Fills in the hosted checkout page, or the portal's page of the card, as a browser without scripts would. */
export function pay(url: string, changes: Partial<typeof CARD> = {}) {
  return send(url, { ...CARD, ...changes })
}

/** Sends a form of a hosted page. */
export async function send(url: string, fields: Record<string, string> = {}) {
  const { origin } = new URL(url)
  const body = new URLSearchParams(fields)
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual', headers: { origin } })
  return { status: answer.status, location: answer.headers.get('location') }
}

/** Lets billing's time pass, for everybody on this server. */
export async function moveClock({ url }: RunningServer, seconds: number): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/__stripe/clock`, { method: 'POST', body: JSON.stringify({ seconds }), headers })
  expect(answer.status).toBe(200)
}

/** Waits for what the webhooks bring. */
export function eventually(person: Pick<Person, 'trpc'>) {
  return expect.poll(() => person.trpc.billing.subscription.query())
}

/** A person who has just started the trial. */
export async function onTrial(server: RunningServer, card: Partial<typeof CARD> = {}): Promise<Person> {
  const person = await aPerson(server)
  const { url } = await person.trpc.billing.startCheckout.mutate()
  await pay(url, card)
  await person.trpc.billing.refresh.mutate()
  return person
}

const StripeIds = z.object({ customer: z.string(), subscription: z.string() })

/** The ids that Stripe has for somebody. */
export async function stripeIdsOf({ db }: RunningServer, { userId }: Person) {
  const statement = sql`
    select coalesce(a.stripe_customer_id, '') as customer, coalesce(s.stripe_subscription_id, '') as subscription
    from accounts a left join subscriptions s on s.account_id = a.id where a.clerk_user_id = ${userId}`
  const [ids] = await readRows(db.system, statement, StripeIds)
  return ids ?? { customer: '', subscription: '' }
}

interface RestCall {
  /** A session's token or an API key; none if signed out. */
  bearer: string | undefined
  method: 'GET' | 'POST'
  path: string
  body?: object | undefined
  /** The `Idempotency-Key`. */
  key?: string | undefined
}

/** One call by REST. */
export async function restCall({ url }: RunningServer, { bearer, method, path, body, key }: RestCall) {
  const headers = {
    ...(bearer && { authorization: `Bearer ${bearer}` }),
    ...(key !== undefined && { 'idempotency-key': key }),
    'content-type': 'application/json',
  }
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false
  return { status: answer.status, body: isJson ? await answer.json() : {} }
}
