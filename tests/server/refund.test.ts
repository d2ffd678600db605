import { execFile } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import Stripe from 'stripe'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { addDays, dayIn } from '#shared/domain/day.ts'
import { refundFirstPayment } from '#server/refunds/refund.service.ts'
import { readRows } from '#server/db/rows.ts'
import { readSettings } from '#standins/stripe/settings.ts'
import { writing } from '#standins/stripe/transaction.ts'
import type { Outcome } from '#scripts/account-database.ts'
import { operate } from '#scripts/operator-command.ts'
import { useFullServer, type Person } from '#support/full-server.ts'
import { heldAt, type Moment } from '#support/held-stripe.ts'
import { DAY, eventually, moveClock, onTrial, stripeIdsOf } from '#support/hosted-pages.ts'
import { aMailbox, noMailServer, refusedMessage } from '#support/mailbox.ts'

const held = useFullServer()
const COMMAND = join(import.meta.dirname, '../../scripts/operator.ts')
const { mailer, received, fail } = aMailbox()
beforeEach(() => {
  received.length = 0
  fail()
})

/** Somebody who paid for the first time so many days ago. */
async function somebodyPaying(days = 0): Promise<Person> {
  const person = await onTrial(held.server)
  await moveClock(held.server, (14 + days) * DAY)
  await eventually(person).toMatchObject({ status: 'active' })
  return person
}

const variables = () => ({
  PORT: new URL(held.server.url).port,
  DATA_DIR: '.data/test',
  DATABASE_URL: held.databaseUrl,
})
const runCommand = (...args: string[]) => operate(['refund', ...args], variables())

/** The command, as the operator runs it beside the server. */
function spawnCommand(...args: string[]): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, ...variables() }
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, 'refund', ...args], { env }, (error, stdout, stderr) => {
      resolve({ status: Number(error?.code ?? 0), stdout, stderr })
    })
  })
}

const PayerRow = z.object({ email: z.string(), customer: z.string(), timeZone: z.string() })

/** The same within the test, with its mail server, and a Stripe that stops answering where `silentAt` says. */
async function refund({ userId }: Person, { silentAt, email }: { silentAt?: Moment; email?: string } = {}) {
  const { db, services } = held.server
  const statement = sql`
    select email, stripe_customer_id as customer, coalesce(time_zone, 'UTC') as "timeZone" from accounts
    where clerk_user_id = ${userId}`
  const [payer] = await readRows(db.system, statement, PayerRow)
  if (!payer) throw new Error('There is no such account')
  const stripe = silentAt ? await silentStripe(silentAt) : services.stripe
  const ctx = { db, services: { ...services, mailer, stripe } }
  return refundFirstPayment(
    ctx,
    { ...payer, ...(email !== undefined && { email }) },
    dayIn(services.billingNow(), payer.timeZone),
  )
}

async function silentStripe(moment: Moment): Promise<Stripe> {
  const pool = new pg.Pool({ connectionString: held.databaseUrl })
  const { secretKey } = await writing(pool, readSettings)
  await pool.end()
  const { url } = held.server
  const { hostname, port } = new URL(url)
  const client = (config?: Partial<Stripe.StripeConfig>) =>
    new Stripe(secretKey, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, ...config })
  const { stripe, release } = heldAt({ client }, moment)
  release(new Error('connection lost'))
  return stripe
}

async function refundsOf(person: Person) {
  const { customer } = await stripeIdsOf(held.server, person)
  const { data } = await held.server.services.stripe.refunds.list({ limit: 100 })
  return data.filter((one) => one.customer === customer).map(({ amount, status }) => ({ amount, status }))
}

const IN_FULL = [{ amount: 2900, status: 'succeeded' }]

describe('the command', () => {
  test('gives the first payment back, ends the subscription, emails the owner, and says so', async () => {
    const person = await somebodyPaying(3)
    const first = await spawnCommand(person.email)
    expect(first).toEqual({
      status: 0,
      stdout: `The first payment of ${person.email}, $29.00, is refunded and the subscription canceled. The owner was emailed\n`,
      stderr: '',
    })
    expect(await refundsOf(person)).toEqual(IN_FULL)
    expect(await person.trpc.billing.subscription.query()).toMatchObject({ status: 'canceled' })
    const letters = await fetch(`${held.server.url}/dev/mailbox`)
    expect(await letters.text()).toContain('Your payment has been refunded')
    const second = await runCommand(person.email)
    expect(second.stdout).toBe(`The first payment of ${person.email}, $29.00, was refunded already\n`)
    expect(await refundsOf(person)).toEqual(IN_FULL)
  })

  test('names an account by its ID, and says that the 14 days are over unless the owner wrote within them', async () => {
    const person = await somebodyPaying(16)
    const statement = sql`select id from accounts where clerk_user_id = ${person.userId}`
    const [account] = await readRows(held.server.db.system, statement, z.object({ id: z.int() }))
    const id = String(account?.id)
    const today = dayIn(held.server.services.billingNow(), 'UTC')
    const late = await runCommand(id)
    expect(late).toMatchObject({ status: 1, stdout: '' })
    expect(late.stderr).toMatch(
      /^Nothing was changed: the first payment, \$29\.00, was on [\d-]+, and .* more than 14 days later\n$/,
    )
    expect(await refundsOf(person)).toEqual([])
    const future = await runCommand(id, '--written', addDays(today, 3))
    expect(future).toMatchObject({ status: 1, stderr: expect.stringContaining('is in the future') })
    const inTime = await runCommand(id, '--written', addDays(today, -4))
    expect(inTime).toMatchObject({ status: 0, stdout: expect.stringContaining('is refunded') })
  })

  test('says where nothing was ever paid', async () => {
    const person = await onTrial(held.server)
    const answer = await runCommand(person.email)
    expect(answer).toMatchObject({ status: 1, stderr: 'Nothing was changed: this account has never paid\n' })
    expect(await person.trpc.billing.subscription.query()).toMatchObject({ status: 'trialing' })
  })
})

describe('where Stripe does not answer', () => {
  test('before the refund, nothing was changed', async () => {
    const person = await somebodyPaying()
    const silentAt = { call: 'GET /v1/invoices', at: 'asked' } as const
    const error = { name: 'StartError', message: 'Stripe did not answer' }
    await expect(refund(person, { silentAt })).rejects.toMatchObject(error)
    expect(await refundsOf(person)).toEqual([])
    expect(await person.trpc.billing.subscription.query()).toMatchObject({ status: 'active' })
  })

  test.each([
    ['POST /v1/refunds', 'asked'],
    ['POST /v1/refunds', 'answered'],
    ['DELETE /v1/subscriptions/', 'asked'],
    ['GET /v1/subscriptions', 'asked'],
    ['POST /v1/refunds/', 'asked'],
  ] as const)('at %s, as it is %s, the next run finishes, and refunds once', async (call, at) => {
    const person = await somebodyPaying()
    const error = { name: 'UnfinishedError', message: 'Stripe did not answer' }
    await expect(refund(person, { silentAt: { call, at } })).rejects.toMatchObject(error)
    expect(await refund(person)).toMatchObject({ amount: '$29.00', isNew: true, owner: 'emailed' })
    expect(await refundsOf(person)).toEqual(IN_FULL)
    expect(await person.trpc.billing.subscription.query()).toMatchObject({ status: 'canceled' })
    expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(1)
    expect(await refund(person)).toMatchObject({ isNew: false })
  })
})

describe('the owner', () => {
  test('is told what was refunded and where the data is, by a letter that can be answered', async () => {
    const person = await somebodyPaying()
    await refund(person)
    const { contactMail, publicUrl } = held.server.services
    expect(received).toMatchObject([
      { to: [person.email], replyTo: contactMail, subject: 'Your payment has been refunded' },
    ])
    expect(received[0]?.text).toContain('$29.00')
    expect(received[0]?.text).toContain(`${publicUrl}/your-data`)
  })

  test('is told by the next run where the mail server is away', async () => {
    const person = await somebodyPaying()
    fail(noMailServer())
    await expect(refund(person)).rejects.toMatchObject({ message: expect.stringContaining('could not be emailed') })
    expect(await refundsOf(person)).toEqual(IN_FULL)
    fail()
    expect(await refund(person)).toMatchObject({ isNew: true, owner: 'emailed' })
    expect(received).toHaveLength(1)
  })

  test('without an address, or with one that is refused, gets the money all the same', async () => {
    const nobody = await somebodyPaying()
    expect(await refund(nobody, { email: '' })).toMatchObject({ owner: 'has no address' })
    const refused = await somebodyPaying()
    fail(refusedMessage())
    expect(await refund(refused)).toMatchObject({ owner: 'address refused' })
    expect(await refund(refused)).toMatchObject({ isNew: false })
  })
})

test('a payment that was refunded by hand is not refunded again, and what is missing is done', async () => {
  const person = await somebodyPaying()
  const { customer } = await stripeIdsOf(held.server, person)
  const { stripe } = held.server.services
  const invoices = await stripe.invoices.list({ customer, status: 'paid' })
  const payments = await stripe.invoicePayments.list({ invoice: invoices.data[0]?.id ?? '' })
  const intent = payments.data[0]?.payment.payment_intent
  await stripe.refunds.create({ payment_intent: typeof intent === 'string' ? intent : '', amount: 2900 })
  expect(await refund(person)).toMatchObject({ isNew: true })
  expect(await refundsOf(person)).toEqual(IN_FULL)
  expect(await person.trpc.billing.subscription.query()).toMatchObject({ status: 'canceled' })
})

test('a second subscription, bought after a refund, stays when the command is repeated', async () => {
  const person = await somebodyPaying()
  await refund(person)
  // Stripe counts seconds: two payments of one second have no order.
  await moveClock(held.server, DAY)
  const { customer } = await stripeIdsOf(held.server, person)
  const { stripe } = held.server.services
  const [method] = (await stripe.paymentMethods.list({ customer })).data
  const [price] = (await stripe.prices.list()).data
  await stripe.subscriptions.create({
    customer,
    items: [{ price: price?.id ?? '' }],
    default_payment_method: method?.id ?? '',
  })
  await eventually(person).toMatchObject({ status: 'active' })
  expect(await refund(person)).toMatchObject({ isNew: false })
  await eventually(person).toMatchObject({ status: 'active' })
})
