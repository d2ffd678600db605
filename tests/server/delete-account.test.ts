import Fastify from 'fastify'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { requireAccount, type Services } from '#server/context.ts'
import { deleteAccount } from '#server/deletion/delete-account.service.ts'
import { finishDeletions } from '#server/deletion/finish-deletion.ts'
import { openLimits } from '#server/limits/limits.ts'
import { toDay } from '#shared/domain/day.ts'
import { closeAddress, reopenAddress } from '#server/deliverability/unsubscribe.service.ts'
import { readRows } from '#server/db/rows.ts'
import { aPerson, trpcClient, useFullServer, type Person } from '#support/full-server.ts'
import { holdStatement } from '#support/held-rows.ts'
import { aPdf, formWith } from '#support/pdf.ts'
import { aPng } from '#support/pictures.ts'
import { fakeServices } from '#support/services.ts'
import { newBrowser, PASSWORD, signUp } from '#support/clerk.ts'

const PathRow = z.object({ path: z.string() })

const held = useFullServer()
const CARD = { number: '4242424242424242', expiry: '12 / 40', cvc: '123', name: 'Ada Lovelace' }
const DATES = { startDate: toDay('2026-01-15'), renewalDate: toDay('2030-01-15') }

async function startTrial({ trpc }: Pick<Person, 'trpc'>) {
  const { url } = await trpc.billing.startCheckout.mutate()
  const { origin } = new URL(url)
  await fetch(url, { method: 'POST', body: new URLSearchParams(CARD), redirect: 'manual', headers: { origin } })
  await trpc.billing.refresh.mutate()
}

/** Somebody with a subscription, a key, a company with a logo, and a contract with a PDF. */
async function somebody() {
  const person = await aPerson(held.server)
  await startTrial(person)
  const { id: customerId } = await person.trpc.customers.create.mutate({ name: 'Acme Ltd' })
  const terms = { amount: 100, renewalCycle: 'yearly', ...DATES } as const
  const { id } = await person.trpc.contracts.create.mutate({ customerId, status: 'active', ...terms })
  await attachPdf(person, id)
  await person.trpc.company.update.mutate({ name: 'Mill', replyTo: `${person.userId}@mill.test` })
  await person.trpc.company.sendReplyToCode.mutate()
  await attachLogo(person)
  const { key } = await person.trpc.identity.createApiKey.mutate({ name: 'Script' })
  const rows = await readRows(
    held.server.db.system,
    sql`select id as "accountId", stripe_customer_id as customer from accounts where clerk_user_id = ${person.userId}`,
    z.object({ accountId: z.int(), customer: z.string() }),
  )
  const [{ accountId, customer } = { accountId: 0, customer: '' }] = rows
  await held.server.db.writeAs(accountId, (_em, write) =>
    write(
      sql`insert into bounced_addresses (account_id, address, bounced_at) values (${accountId}, 'a@b.test', now())`,
    ),
  )
  const read = held.server.db.readAs(accountId)
  const [file] = await read(pathOf(id), PathRow)
  const [logo] = await read(sql`select logo_path as path from companies`, PathRow)
  return { ...person, key, accountId, customer, path: file?.path ?? '', logo: logo?.path ?? '' }
}

type Somebody = Awaited<ReturnType<typeof somebody>>

function pathOf(id: number) {
  return sql`select pdf_path as path from contracts where id = ${id}`
}

async function attachPdf({ token }: Person, id: number) {
  const headers = { authorization: `Bearer ${token}` }
  const url = `${held.server.url}/contracts/${id}/pdf`
  expect((await fetch(url, { method: 'POST', headers, body: formWith(aPdf()) })).ok).toBe(true)
}

async function attachLogo({ token }: Person) {
  const body = new FormData()
  body.append('logo', new Blob([new Uint8Array(aPng(9, 9))]), 'logo.png')
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${held.server.url}/account/company/logo`, { method: 'POST', headers, body })
  expect(answer.ok).toBe(true)
}

/** The request of the person themselves, over services of which some may be out of order. */
async function requestOf({ token }: Person, changes: Partial<Services> = {}) {
  const { db, services, callers, url } = held.server
  const caller = await callers.find(token)
  const log = Fastify().log
  return requireAccount({
    db,
    actor: '',
    security: () => {},
    callers,
    limits: openLimits(db.as('traxx').system),
    caller,
    log,
    origin: url,
    viaApiKey: false,
    factorAge: [0, -1],
    services: { ...services, ...changes },
  })
}

async function runJob(changes: Partial<Services> = {}) {
  const { db, services } = held.server
  await finishDeletions({
    db: db.as('job:finish-deletions'),
    services: { ...services, ...changes },
    log: Fastify().log,
    signal: AbortSignal.timeout(300_000),
  })
}

/** What there still is of somebody, here and at the services outside. */
async function remainsOf({ accountId, userId, customer, path, logo }: Somebody) {
  const { db, services } = held.server
  const { rows } = await db.system.query('select from accounts where id = $1', [accountId])
  const [counted] = await db.readAs(accountId)(
    sql`select ((select count(*) from contracts)
    + (select count(*) from customers) + (select count(*) from api_keys) + (select count(*) from subscriptions)
    + (select count(*) from contract_totals) + (select count(*) from customer_totals)
    + (select count(*) from contract_due_days) + (select count(*) from reminder_schedules)
    + (select count(*) from bounced_addresses) + (select count(*) from companies)
    + (select count(*) from reply_to_codes))::int as rows`,
    z.object({ rows: z.int() }),
  )
  const subscriptions = await services.stripe.subscriptions.list({ customer, status: 'all' })
  const users = await services.clerk.users.getUserList({ userId: [userId] })
  return {
    account: rows.length,
    rows: counted?.rows,
    file: (await services.files.exists(path)) || (await services.files.exists(logo)),
    user: users.data.length,
    paying: subscriptions.data.some(({ status }) => status !== 'canceled'),
  }
}

const NOTHING = { account: 0, rows: 0, file: false, user: 0, paying: false }

async function statusWith(token: string) {
  const answer = await fetch(`${held.server.url}/customers`, { headers: { authorization: `Bearer ${token}` } })
  return answer.status
}

describe('deleting an account', () => {
  test('needs a word where no address is known', async () => {
    const person = await somebody()
    await held.server.db.system.query(`update accounts set email = '' where id = $1`, [person.accountId])
    held.server.callers.forget(person.userId)
    await expect(person.trpc.identity.deleteAccount.mutate({ email: person.email })).rejects.toThrow('not the email')
    await person.trpc.identity.deleteAccount.mutate({ email: 'DELETE' })
    expect(await remainsOf(person)).toEqual(NOTHING)
  })

  test('needs the email of the account, in any case', async () => {
    const person = await somebody()
    await expect(person.trpc.identity.deleteAccount.mutate({ email: 'other@example.com' })).rejects.toThrow(
      'This is not the email address of your account',
    )
    expect(await remainsOf(person)).toMatchObject({ account: 1, file: true, user: 1, paying: true })
    await person.trpc.identity.deleteAccount.mutate({ email: ` ${person.email.toUpperCase()} ` })
    expect(await remainsOf(person)).toEqual(NOTHING)
  })

  test('ends sessions and keys, and leaves everybody else alone', async () => {
    const [person, other] = [await somebody(), await somebody()]
    expect([await statusWith(person.token), await statusWith(person.key)]).toEqual([200, 200])
    const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ email: person.email })
    expect((await fetch(`${held.server.url}/account`, { method: 'DELETE', headers, body })).status).toBe(204)
    expect([await statusWith(person.token), await statusWith(person.key)]).toEqual([401, 401])
    expect(await remainsOf(person)).toEqual(NOTHING)
    expect(await remainsOf(other)).toMatchObject({ account: 1, file: true, user: 1, paying: true })
    expect(await statusWith(other.key)).toBe(200)
  })

  test('keeps a hash of the email: the same address gets no second trial, another one its first', async () => {
    const person = await somebody()
    await person.trpc.identity.deleteAccount.mutate({ email: person.email })
    const { rows } = await held.server.db.system.query('select * from spent_trials')
    expect(JSON.stringify(rows)).not.toContain(person.email)

    const again = await signedUpAgain(person.email)
    expect(await again.billing.subscription.query()).toMatchObject({ status: 'none', trialUsed: true })
    await startTrial({ trpc: again })
    expect(await again.billing.subscription.query()).toMatchObject({ status: 'active', trialEnd: null })

    const stranger = await aPerson(held.server)
    expect(await stranger.trpc.billing.subscription.query()).toMatchObject({ trialUsed: false })
  })

  test.each([
    { stop: 'stays where the same address signs up again', lifted: null, left: 1 },
    { stop: 'that was lifted is not remembered', lifted: new Date(), left: 0 },
  ])('a stop of mail $stop', async ({ lifted, left }) => {
    const person = await somebody()
    const { db } = held.server
    await db.writeAs(person.accountId, (_em, write) =>
      write(sql`insert into mail_stops (account_id, stopped_at, complaints, mails, lifted_at)
        values (${person.accountId}, now() - interval '1 day', 3, 40, ${lifted})`),
    )
    await person.trpc.identity.deleteAccount.mutate({ email: person.email })
    const kept = await db.system.query('select * from kept_mail_stops')
    expect(kept.rows).toHaveLength(left)
    expect(JSON.stringify(kept.rows)).not.toContain(person.email)

    const again = await signedUpAgain(person.email)
    await again.billing.subscription.query()
    const text = `select complaints, mails, lifted_at as lifted from mail_stops join accounts a on a.id = account_id
      where a.email = $1`
    expect((await db.system.query(text, [person.email])).rows).toEqual(
      left === 1 ? [{ complaints: 3, mails: 40, lifted: null }] : [],
    )
    expect((await db.system.query('select from kept_mail_stops')).rows).toEqual([])
  })

  test('keeps hashes of closed addresses, which stay closed where the same address signs up again', async () => {
    const person = await somebody()
    await held.server.db.writeAs(person.accountId, (_em, write) =>
      closeAddress(write, { ...AT_MILL, accountId: person.accountId, reason: 'unsubscribed' }),
    )
    await person.trpc.identity.deleteAccount.mutate({ email: person.email })
    const kept = await held.server.db.system.query('select * from kept_closures')
    expect(kept.rows).toHaveLength(1)
    expect(JSON.stringify(kept.rows)).not.toMatch(/mill|example/)

    const again = await signedUpAgain(person.email)
    await startTrial({ trpc: again })
    const add = (email: string) => again.customers.create.mutate({ name: email, email })
    const closed = async () => {
      const { rows } = await again.customers.list.query({ sort: 'name' })
      return rows.filter(({ mailClosed }) => mailClosed).map(({ name }) => name)
    }
    await add('Ann+2@mill.test')
    const other = await add('bob@mill.test')
    expect(await closed()).toEqual(['Ann+2@mill.test'])
    await again.customers.update.mutate({ id: other.id, email: AT_MILL.address })
    expect(await closed()).toEqual(['Ann+2@mill.test', 'bob@mill.test'])

    const statement = sql`select id from accounts where email = ${person.email}`
    const [account] = await readRows(held.server.db.system, statement, z.object({ id: z.int() }))
    const accountId = account?.id ?? 0
    await held.server.db.writeAs(accountId, (_em, write) => reopenAddress(write, { ...AT_MILL, accountId }))
    await add('ann@mill.test')
    expect(await closed()).toEqual([])
  })

  test.each([
    { past: 'was deleted', leave: true },
    { past: 'is still there', leave: false },
  ])(
    'another way to write the mailbox of an account that $past brings back neither trial nor readers',
    async ({ leave }) => {
      const person = await somebody()
      const { db } = held.server
      await db.writeAs(person.accountId, (_em, write) =>
        closeAddress(write, { ...AT_MILL, accountId: person.accountId, reason: 'complained' }),
      )
      await db.writeAs(person.accountId, (_em, write) =>
        write(sql`insert into mail_stops (account_id, stopped_at, complaints, mails)
        values (${person.accountId}, now() - interval '1 day', 3, 40)`),
      )
      if (leave) await person.trpc.identity.deleteAccount.mutate({ email: person.email })

      const email = person.email.replace('@', '+again@')
      const again = await signedUpAgain(email)
      expect(await again.billing.subscription.query()).toMatchObject({ status: 'none', trialUsed: true })
      await startTrial({ trpc: again })
      await again.customers.create.mutate({ name: 'Ann', email: 'ann+2@mill.test' })
      expect((await again.customers.list.query({})).rows).toMatchObject([
        { name: 'Ann', mailClosed: { reason: 'complained' } },
      ])
      const text = `select complaints from mail_stops join accounts a on a.id = account_id where a.email = $1`
      expect((await db.system.query(text, [email])).rows).toEqual([{ complaints: 3 }])
    },
  )

  test('of somebody who never had a trial keeps nothing', async () => {
    const before = await spentTrials()
    const person = await aPerson(held.server)
    await person.trpc.billing.subscription.query()
    await person.trpc.identity.deleteAccount.mutate({ email: person.email })
    expect(await spentTrials()).toBe(before)
    const again = await signedUpAgain(person.email)
    expect(await again.billing.subscription.query()).toMatchObject({ trialUsed: false })
  })

  test('a checkout that is still open cannot bring the subscription back', async () => {
    const person = await aPerson(held.server)
    const { url } = await person.trpc.billing.startCheckout.mutate()
    await person.trpc.identity.deleteAccount.mutate({ email: person.email })
    const paid = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(CARD),
      redirect: 'manual',
      headers: { origin: new URL(url).origin },
    })
    expect(paid.status).not.toBe(303)
  })
})

describe('where a service does not answer, or the server dies on the way', () => {
  const dead = fakeServices()
  const brokenFiles = () => ({
    ...held.server.services.files,
    remove: async () => {
      throw new Error('the disk is away')
    },
  })

  test.each([
    ['Stripe', () => ({ stripe: dead.stripe }), { paying: true, user: 1, file: true }],
    ['Clerk', () => ({ clerk: dead.clerk }), { paying: false, user: 1, file: true }],
    ['the storage', () => ({ files: brokenFiles() }), { paying: false, user: 0, file: true }],
  ])("%s: the account is nobody's at once, and the job finishes the rest", async (_name, broken, left) => {
    const person = await somebody()
    await deleteAccount(await requestOf(person, broken()), { email: person.email })
    expect(await remainsOf(person)).toMatchObject({ account: 1, ...left })
    expect([await statusWith(person.token), await statusWith(person.key)]).toEqual([401, 401])
    await runJob(broken())
    expect(await remainsOf(person)).toMatchObject({ account: 1, ...left })
    await runJob()
    expect(await remainsOf(person)).toEqual(NOTHING)
    await runJob()
  })

  test('no reminder of it is planned or sent meanwhile', async () => {
    const person = await somebody()
    await deleteAccount(await requestOf(person, { stripe: dead.stripe }), { email: person.email })
    const { rows } = await held.server.db.system.query('select from reminder_schedules where account_id = $1', [
      person.accountId,
    ])
    expect(rows).toEqual([])
  })

  test('readers who unsubscribe or complain meanwhile are remembered, until the account is gone', async () => {
    const person = await aPerson(held.server)
    await person.trpc.billing.subscription.query()
    const ctx = await requestOf(person, { clerk: dead.clerk })
    await deleteAccount(ctx, person)
    const { db, accountId } = ctx
    await db.writeAs(accountId, (_em, write) => closeAddress(write, { ...AT_MILL, accountId, reason: 'unsubscribed' }))
    await using complaint = await holdStatement(
      { connection: { connectionString: held.databaseUrl } },
      `with stopped as (
        insert into mail_stops (account_id, stopped_at, complaints, mails) values ($1, now(), 3, 40))
      insert into closed_addresses (account_id, address, reason, closed_at) values ($1, 'bob@mill.test', 'complained', now())`,
      [accountId],
    )
    const finishing = runJob()
    await complaint.waitedFor(1)
    await complaint.release()
    await finishing
    expect((await db.system.query('select from accounts where id = $1', [accountId])).rows).toEqual([])
    const kept = async (table: string) => {
      const { rows } = await db.system.query(`select * from ${table} where email_hash = trial_hash($1)`, [person.email])
      return rows
    }
    expect(await kept('kept_closures')).toHaveLength(2)
    expect(await kept('kept_mail_stops')).toMatchObject([{ complaints: 3, mails: 40 }])
  })

  test('deletions that wait for changes of their accounts hold up nobody else', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => aPerson(held.server)))
    await Promise.all(people.map(({ trpc }) => trpc.identity.account.query()))
    const [someone, ...leaving] = people
    const connection = { connectionString: held.databaseUrl }
    await using change = await holdStatement({ connection }, 'select from accounts for update')
    const deletions = leaving.map(({ trpc, email }) => trpc.identity.deleteAccount.mutate({ email }))
    await change.waitedFor(2)
    await expect(someone?.trpc.billing.subscription.query()).resolves.toBeDefined()
    await change.release()
    // Those that waited for too long were refused.
    await Promise.allSettled(deletions)
  })

  test('a trial that no webhook has told of is known all the same', async () => {
    const person = await somebody()
    await held.server.db.system.query('update accounts set trial_used_at = null where id = $1', [person.accountId])
    const before = await spentTrials()
    await person.trpc.identity.deleteAccount.mutate({ email: person.email })
    expect(await spentTrials()).toBe(before + 1)
  })
})

const AT_MILL = { address: 'ann@mill.test', now: new Date() }

async function spentTrials(): Promise<number> {
  const { rows } = await held.server.db.system.query('select from spent_trials')
  return rows.length
}

async function signedUpAgain(email: string) {
  const browser = newBrowser(held.server.url)
  const { sessionId } = await signUp(browser, email)
  const { body } = await browser.post(`/v1/client/sessions/${sessionId}/tokens`)
  return trpcClient(held.server.url, body.jwt ?? '')
}

describe('sessions', () => {
  test('are ended one by one, and only by the person whose they are', async () => {
    const [person, stranger] = [await aPerson(held.server), await aPerson(held.server)]
    const elsewhere = newBrowser(held.server.url)
    const { body } = await elsewhere.post('/v1/client/sign_ins', { identifier: person.email, password: PASSWORD })
    const id = body.response?.created_session_id ?? ''
    await expect(stranger.trpc.identity.endSession.mutate({ id })).rejects.toMatchObject({
      data: { refusal: 'SESSION_NOT_FOUND' },
    })
    expect(await person.trpc.identity.sessions.query()).toHaveLength(2)
    await person.trpc.identity.endSession.mutate({ id })
    expect(await person.trpc.identity.sessions.query()).toHaveLength(1)
    expect((await elsewhere.post(`/v1/client/sessions/${id}/tokens`)).status).toBe(401)
  })

  test('are listed with their device, and all but one are ended', async () => {
    const person = await aPerson(held.server)
    const elsewhere = newBrowser(held.server.url)
    const { body } = await elsewhere.post('/v1/client/sign_ins', { identifier: person.email, password: PASSWORD })
    const kept = body.response?.created_session_id ?? ''
    const listed = await person.trpc.identity.sessions.query()
    expect(listed).toHaveLength(2)
    expect(listed[0]).toMatchObject({ device: 'Chrome on Linux', isMobile: false, lastActiveAt: expect.any(Date) })
    expect(await person.trpc.identity.signOutOthers.mutate({ keep: kept })).toEqual({ count: 1 })
    expect(await person.trpc.identity.sessions.query()).toMatchObject([{ id: kept }])
  })
})
