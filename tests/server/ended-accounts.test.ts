import Fastify from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { deleteEndedAccounts } from '#server/deletion/delete-ended-accounts.ts'
import { useFullServer, type Person } from '#support/full-server.ts'
import { DAY, eventually, moveClock, onTrial, pay, restCall, send, stripeIdsOf } from '#support/hosted-pages.ts'
import { fakeServices } from '#support/services.ts'
import { aMailbox } from '#support/mailbox.ts'

const held = useFullServer()
const { mailer, received, fail } = aMailbox()
const logged: string[] = []
beforeEach(() => {
  received.length = 0
  logged.length = 0
  fail()
})

/** Runs the job so many days after the access of `person` ended, or in `changes` elsewhere. */
async function runJob(person: Person, days: number, changes: Partial<Services> = {}) {
  const { db, services } = held.server
  const { endedAt } = await person.trpc.billing.subscription.query()
  const now = new Date((endedAt ?? services.billingNow()).getTime() + days * DAY * 1000)
  const { log } = Fastify({ logger: { level: 'error', stream: { write: (line: string) => void logged.push(line) } } })
  await deleteEndedAccounts({
    db: db.as('job:delete-ended-accounts'),
    services: { ...services, mailer, billingNow: () => now, ...changes },
    log,
    signal: AbortSignal.timeout(300_000),
  })
}

/** Somebody with a customer, whose trial was canceled and is over. */
async function somebodyLapsed(): Promise<Person> {
  const person = await onTrial(held.server)
  await person.trpc.customers.create.mutate({ name: 'Acme Ltd' })
  const { url } = await person.trpc.billing.openPortal.mutate()
  const { subscription } = await stripeIdsOf(held.server, person)
  await send(`${url}/cancel`, { subscription })
  await moveClock(held.server, 15 * DAY)
  await eventually(person).toMatchObject({ status: 'canceled', screens: 'checkout' })
  return person
}

function mailTo({ email }: Person) {
  return received.filter(({ to }) => to.includes(email))
}

async function isThere({ userId }: Person): Promise<boolean> {
  const { rows } = await held.server.db.system.query('select from accounts where clerk_user_id = $1', [userId])
  return rows.length > 0
}

async function exportOf({ token: bearer }: Person) {
  const { status } = await restCall(held.server, { bearer, method: 'GET', path: '/export' })
  return status
}

describe('an account whose access has ended', () => {
  test('is announced 30 and 7 days before, and deleted 90 days after the end', async () => {
    const person = await somebodyLapsed()
    await runJob(person, 59)
    expect(mailTo(person)).toEqual([])
    await runJob(person, 60)
    await runJob(person, 61)
    expect(mailTo(person)).toMatchObject([
      { subject: expect.stringMatching(/^Your TRAXX data will be deleted on \w+ \d/) },
    ])
    await runJob(person, 84)
    await runJob(person, 85)
    expect(mailTo(person)).toMatchObject([{}, { subject: expect.stringMatching(/^Last reminder: your TRAXX data/) }])
    await runJob(person, 90)
    expect(await isThere(person)).toBe(true)
    expect(logged).toEqual([])
    await runJob(person, 91)
    expect(await isThere(person)).toBe(false)
    expect(logged).toEqual([expect.stringContaining('"name":"account.deleted","actor":"job:delete-ended-accounts"')])
    const users = await held.server.services.clerk.users.getUserList({ userId: [person.userId] })
    expect(users.data).toEqual([])
  })

  test('says when and where the data can be exported, in both emails', async () => {
    const person = await somebodyLapsed()
    await runJob(person, 60)
    await runJob(person, 83)
    const { deletesAt } = await person.trpc.billing.subscription.query()
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(deletesAt ?? 0)
    expect(mailTo(person)).toHaveLength(2)
    for (const { text, subject, replyTo } of mailTo(person)) {
      expect(subject).toContain(day)
      expect(text).toContain(day)
      expect(text).toContain(`${held.server.services.publicUrl}/your-data`)
      expect(replyTo).toBe(held.server.services.contactMail)
    }
  })

  test('can be exported until then, also when nothing else is open any more', async () => {
    const person = await somebodyLapsed()
    await moveClock(held.server, 31 * DAY)
    expect(await person.trpc.billing.subscription.query()).toMatchObject({ access: 'checkout', canExport: true })
    expect(await exportOf(person)).toBe(200)
    const { status } = await restCall(held.server, { bearer: person.token, method: 'GET', path: '/customers' })
    expect(status).toBe(402)
  })

  test('stays where it was not announced: a mail server that is away delays the deletion', async () => {
    const person = await somebodyLapsed()
    fail(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET', syscall: 'connect' }))
    await runJob(person, 60)
    await runJob(person, 95)
    fail()
    await runJob(person, 96)
    expect(mailTo(person)).toHaveLength(1)
    await runJob(person, 119)
    await runJob(person, 125)
    expect(await isThere(person)).toBe(true)
    await runJob(person, 126)
    expect(await isThere(person)).toBe(false)
  })

  test('is deleted all the same where its address is refused for good', async () => {
    const person = await somebodyLapsed()
    fail(Object.assign(new Error('no such user'), { code: 'EENVELOPE', permanent: true, command: 'RCPT TO' }))
    await runJob(person, 60)
    await runJob(person, 83)
    await runJob(person, 91)
    expect(await isThere(person)).toBe(false)
  })

  test('is kept for as long as the operator says', async () => {
    const person = await somebodyLapsed()
    const { storage } = held.server.services
    const longer = { storage: { ...storage, keptDays: { ...storage.keptDays, endedAccounts: 365 } } }
    for (const days of [60, 83, 91]) await runJob(person, days, longer)
    expect(mailTo(person)).toEqual([])
    for (const days of [335, 358, 366]) await runJob(person, days, longer)
    expect(await isThere(person)).toBe(false)
  })
})

describe('an account that has access again', () => {
  async function subscribeAgain(person: Person) {
    const { url } = await person.trpc.billing.startCheckout.mutate()
    await pay(url)
  }

  test('is not deleted, also where no webhook has told of it', async () => {
    const person = await somebodyLapsed()
    await runJob(person, 60)
    await runJob(person, 83)
    const { endedAt } = await person.trpc.billing.subscription.query()
    await subscribeAgain(person)
    await eventually(person).toMatchObject({ status: 'active' })
    // As if the message had been lost.
    await held.server.db.system.query(
      `update subscriptions s set status = 'canceled', ended_at = $2 from accounts a
        where a.id = s.account_id and a.clerk_user_id = $1`,
      [person.userId, endedAt],
    )
    await runJob(person, 91)
    expect(await isThere(person)).toBe(true)
    expect(await person.trpc.billing.subscription.query()).toMatchObject({ status: 'active', deletesAt: null })
  })

  test('cannot be paid for while it is being deleted: an open checkout is closed', async () => {
    const person = await somebodyLapsed()
    await runJob(person, 60)
    await runJob(person, 83)
    const { url } = await person.trpc.billing.startCheckout.mutate()
    await runJob(person, 91)
    expect(await isThere(person)).toBe(false)
    expect((await pay(url)).status).toBe(410)
  })

  test('waits where Stripe does not answer', async () => {
    const person = await somebodyLapsed()
    await runJob(person, 60)
    await runJob(person, 83)
    await runJob(person, 91, { stripe: fakeServices().stripe })
    expect(await isThere(person)).toBe(true)
  })

  test('is announced twice again before its next end', async () => {
    const person = await somebodyLapsed()
    await runJob(person, 60)
    await runJob(person, 83)
    await moveClock(held.server, 84 * DAY)
    await subscribeAgain(person)
    const { url } = await person.trpc.billing.openPortal.mutate()
    await eventually(person).toMatchObject({ status: 'active' })
    const { subscription } = await stripeIdsOf(held.server, person)
    await send(`${url}/cancel`, { subscription })
    await moveClock(held.server, 100 * DAY)
    await eventually(person).toMatchObject({ status: 'canceled' })
    received.length = 0
    await runJob(person, 91)
    expect(await isThere(person)).toBe(true)
    expect(mailTo(person)).toMatchObject([{ subject: expect.stringMatching(/^Your TRAXX data/) }])
  })
})
