import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { addDays, dayIn } from '#shared/domain/day.ts'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { getBulk, startBulk } from '#server/bulk/bulk.service.ts'
import { runBulkChanges } from '#server/bulk/run-bulk-changes.ts'
import { markForDeletion } from '#server/deletion/delete-account.service.ts'
import { reportMessage } from '#server/deliverability/complaints.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { CALLS_POLICY } from '#server/security/content-policies.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aMailbox } from '#support/mailbox.ts'
import { fakeServices, NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const TODAY = dayIn(NOON, 'UTC')
const TOKEN = 'operator-token-of-the-tests'
const world = useWorld()
const lines: string[] = []
const mailbox = aMailbox()
const server = useApp(
  world,
  { mailer: mailbox.mailer },
  { operatorToken: TOKEN, logTo: { write: (line) => void lines.push(line) } },
)
const without = useApp(world)

const withToken = { authorization: `Bearer ${TOKEN}` }
const inBrowser = {
  authorization: `Basic ${Buffer.from(`ann:${TOKEN}`).toString('base64')}`,
  accept: 'text/html,application/xhtml+xml',
}
const form = { ...inBrowser, 'content-type': 'application/x-www-form-urlencoded' }

const ask = (url: string, headers: Record<string, string> = withToken) => server.app.inject({ url, headers })
const post = (url: string, headers: Record<string, string>, payload: string | object = '') =>
  server.app.inject({ method: 'POST', url, headers, payload })

/** What was logged as an error. */
const faults = () => lines.filter((line) => line.includes('"level":50'))

/** What the jobs of the reminders and of changes of many contracts do next. */
async function runJobs() {
  const services = fakeServices({ mailer: mailbox.mailer })
  const ctx = { db: world.db, services, log: server.app.log, signal: new AbortController().signal }
  await runBulkChanges(ctx)
  await planReminders(ctx)
  await sendReminders(ctx)
}

async function anOwner() {
  const request = await anAccount(world)
  const id = request.caller?.id ?? 0
  return { request, id, path: `/operator/accounts/${id}` }
}

describe('who may see it', () => {
  test.each(['/operator', '/operator/accounts', '/operator/accounts/1'])(
    '%s asks for the token, and refuses every other',
    async (url) => {
      const { request } = await anOwner()
      for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic !' }, bearer(request)]) {
        const answer = await ask(url, headers)
        expect(answer.statusCode).toBe(401)
        expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/)
        expect(answer.json()).toEqual({ error: 'You are not logged in', refusal: 'NOT_SIGNED_IN' })
      }
    },
  )

  test('no cache keeps any answer, and one that is no page may load nothing', async () => {
    const { path } = await anOwner()
    const asProgram = [
      await ask('/operator'),
      await ask(path),
      await ask('/operator', {}),
      await ask('/operator/accounts/x'),
    ]
    for (const { headers } of asProgram) {
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['content-security-policy']).toBe(CALLS_POLICY)
    }
    for (const url of [path, '/operator/accounts/x']) {
      const { headers } = await ask(url, inBrowser)
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['content-security-policy']).toContain("default-src 'self';")
    }
  })

  test('without OPERATOR_TOKEN there is no such address', async () => {
    const answer = await without.app.inject({ url: '/operator', headers: withToken })
    expect(answer.statusCode).toBe(404)
  })

  test('a form that another site sends changes nothing', async () => {
    const { id, path } = await anOwner()
    const others = [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]
    for (const other of others) {
      const answer = await post(`${path}/suspend`, { ...form, ...other }, 'reason=because')
      expect(answer.statusCode).toBe(404)
    }
    expect((await ask(path)).json()).toMatchObject({ id, suspendedAt: null })
  })
})

test('the overview has jobs, messages, held accounts and the accounts that were complained about', async () => {
  const { request, id } = await anOwner()
  const { id: customerId } = await aCustomer(request, { email: 'reader@example.com' })
  const contract = await aContract(request, { customerId })
  expect(
    (await call(server, { method: 'POST', url: `/contracts/${contract.id}/reminder`, headers: bearer(request) }))
      .status,
  ).toBe(200)
  const text = mailbox.received.findLast(({ to }) => to.includes('reader@example.com'))?.text ?? ''
  const token = /\/report\/(\S+)/.exec(text)?.[1] ?? ''
  await reportMessage({ ...request, log: server.app.log }, token, { reason: 'unwanted' })
  await world.db.system.query(`insert into job_runs (name, began_at, ended_at) values ('send-reminders', now(), now())`)
  await post(`/operator/accounts/${id}/suspend`, withToken, { reason: 'Spam' })
  const overview = (await ask('/operator')).json()
  expect(overview.jobs).toContainEqual({
    name: 'send-reminders',
    beganAt: expect.any(String),
    endedAt: expect.any(String),
  })
  expect(overview.held).toContainEqual(expect.objectContaining({ id, suspensionReason: 'Spam' }))
  expect(overview.reception).toContainEqual(expect.objectContaining({ id, mails: 1, bounced: 0, complaints: 1 }))
  expect(overview.messages).toEqual({ states: expect.any(Array), due: 0, oldestSeconds: 0 })
  const page = await ask('/operator', inBrowser)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.body).toContain(`<a href="/operator/accounts/${id}">${id}</a>`)
  expect(page.body).toContain('1 (100.0%)')
  expect(page.body).not.toContain('reader@example.com')
})

test('an account is found by its ID and by a part of its address, and shown with what it stores', async () => {
  const { request, id, path } = await anOwner()
  await aContract(request, { customerId: (await aCustomer(request, { name: '<b>Bakery</b>' })).id })
  const email = request.caller?.email ?? ''
  for (const search of [String(id), email.toUpperCase()]) {
    const found = (await ask(`/operator/accounts?search=${encodeURIComponent(search)}`)).json()
    expect(found.accounts).toContainEqual(expect.objectContaining({ id, email }))
  }
  expect((await ask('/operator/accounts?search=nobody-at-all')).json()).toEqual({ accounts: [] })
  expect((await ask(path)).json()).toMatchObject({
    id,
    holdings: { customers: 1, contracts: 1, pdfs: 0, pdfBytes: 0 },
    mail: { sentToday: 0, limit: 1000 },
  })
  const page = (await ask(path, inBrowser)).body
  expect(page).toMatch(/<dt>Customers and contracts<\/dt>\s*<dd>2 of 250000<\/dd>/)
  expect(page).not.toContain('Bakery')
  expect((await ask('/operator/accounts/999999999')).json()).toMatchObject({ refusal: 'ACCOUNT_NOT_FOUND' })
  expect((await ask('/operator/accounts/999999999', inBrowser)).body).toContain('There is no such account')
})

describe('a suspended account', () => {
  test('is read and exported, changes nothing by either transport, sends nothing, and is told why', async () => {
    const { request, path, id } = await anOwner()
    const { id: customerId } = await aCustomer(request, { email: 'held@example.com' })
    const contract = await aContract(request, { customerId })
    const suspended = await post(`${path}/suspend`, form, 'reason=Reported+%26+reviewed')
    expect([suspended.statusCode, suspended.headers.location]).toEqual([303, path])
    expect((await ask(path, inBrowser)).body).toContain('Reported &#38; reviewed')
    const headers = bearer(request)
    expect((await call(server, { url: `/customers/${customerId}`, headers })).status).toBe(200)
    expect((await server.app.inject({ url: '/export', headers })).statusCode).toBe(200)
    const refusal = { status: 403, body: { refusal: 'ACCOUNT_SUSPENDED' } }
    const writes = [
      { method: 'POST', url: '/customers', payload: { name: 'B' } },
      { method: 'POST', url: `/contracts/${contract.id}/reminder` },
      { method: 'PUT', url: '/account/time-zone', payload: { timeZone: 'Europe/Berlin' } },
    ] as const
    for (const write of writes) expect(await call(server, { ...write, headers })).toMatchObject(refusal)
    const viaTrpc = {
      method: 'POST',
      url: '/trpc/customers.create',
      headers,
      payload: { json: { name: 'B' } },
    } as const
    expect(await call(server, viaTrpc)).toMatchObject({ status: 403 })
    expect(mailbox.received.filter(({ to }) => to.includes('held@example.com'))).toEqual([])
    expect((await call(server, { url: '/account/mail-stop', headers })).body.stop).toMatchObject({
      suspension: 'Reported & reviewed',
    })
    expect(lines.some((line) => line.includes('"account.suspended"') && line.includes(`"account":${id}`))).toBe(true)
  })

  test('keeps its time zone, also where it has none yet', async () => {
    const { request, path, id } = await anOwner()
    const zone = async () =>
      (await world.db.system.query('select time_zone as zone from accounts where id = $1', [id])).rows
    await world.db.system.query('update accounts set time_zone = null where id = $1', [id])
    await post(`${path}/suspend`, form, 'reason=because')
    const timeZone = { timeZone: 'Asia/Tokyo' }
    const headers = bearer(request)
    const set = { method: 'PUT', url: '/account/time-zone', headers, payload: timeZone } as const
    const adopt = { method: 'POST', url: '/trpc/identity.adoptTimeZone', headers, payload: { json: timeZone } } as const
    expect((await call(server, set)).status).toBe(403)
    expect((await call(server, adopt)).status).toBe(200)
    expect(await zone()).toEqual([{ zone: null }])
  })

  test('works again once that has ended', async () => {
    const { request, path } = await anOwner()
    await post(`${path}/suspend`, withToken, { reason: 'A mistake' })
    const ended = await post(`${path}/end-suspension`, withToken, {})
    expect(ended.json()).toMatchObject({ suspendedAt: null, suspensionReason: null })
    const answer = await call(server, {
      method: 'POST',
      url: '/customers',
      headers: bearer(request),
      payload: { name: 'B' },
    })
    expect(answer.status).toBe(201)
    expect((await call(server, { url: '/account/mail-stop', headers: bearer(request) })).body).toEqual({ stop: null })
  })

  test('has due messages wait, which go out once it ends, and its changes of many contracts wait as well', async () => {
    const { request, id, path } = await anOwner()
    const { id: customerId } = await aCustomer(request, { email: 'waiting@example.com' })
    await aContract(request, { customerId, renewalDate: addDays(TODAY, 14) })
    const other = await aContract(request, { customerId: (await aCustomer(request)).id })
    const raise = { action: 'change_price', price: { by: 'percent', value: 5 }, contracts: { ids: [other.id] } }
    const { id: bulk } = await asSubscriber(request, (ctx) => startBulk(ctx, BulkChange.parse(raise)))
    await world.db.writeAs(id, async (em) => {
      await em.execute(`update contracts set reminders_since = '2026-01-01'`)
      await em.execute(
        `update reminder_schedules set planned_through = '${addDays(TODAY, -1)}', next_plan_at = '2026-01-01'`,
      )
    })
    await post(`${path}/suspend`, withToken, { reason: 'Reported' })
    await runJobs()
    const toCustomer = () => mailbox.received.filter(({ to }) => to.includes('waiting@example.com'))
    expect(toCustomer()).toEqual([])
    expect(await getBulk(requireReader(request), { id: bulk })).toMatchObject({ state: 'running' })
    await post(`${path}/end-suspension`, withToken, {})
    await runJobs()
    expect(faults()).toEqual([])
    expect(toCustomer()).toHaveLength(1)
    expect(await getBulk(requireReader(request), { id: bulk })).toMatchObject({ state: 'done' })
  })

  test('may be any of many, whose rows fill their pages, so that its own moves to another and into each index again', async () => {
    const { id } = await anOwner()
    await world.db.system.query(`
      insert into accounts (clerk_user_id, email, suspended_at, suspension_reason)
      select 'many_' || n, n || '@many.test', case when n > 300 then now() end, case when n > 300 then 'Reported' end
      from generate_series(1, 600) n`)
    const path = `/operator/accounts/${id + 150}`
    expect((await post(`${path}/suspend`, withToken, { reason: 'Reported' })).json()).toMatchObject({
      suspensionReason: 'Reported',
      mailStoppedAt: NOON.toISOString(),
    })
    const suspended = `/operator/accounts/${id + 450}`
    expect((await ask(suspended)).json()).toMatchObject({ suspensionReason: 'Reported' })
    const ended = await post(`${suspended}/end-suspension`, withToken, {})
    expect(ended.json()).toMatchObject({ suspendedAt: null, mailStoppedAt: null })
  })

  test('leaves the mail of its owner paused in a new account, where it is deleted', async () => {
    const { request, id, path } = await anOwner()
    await post(`${path}/suspend`, withToken, { reason: 'Reported' })
    await markForDeletion(world.db.system, sql`a.id = ${id}`)
    const kept = await world.db.system.query('select from kept_mail_stops where email_hash = trial_hash($1)', [
      request.caller?.email,
    ])
    expect(kept.rowCount).toBe(1)
  })

  test('is not suspended without a reason, and one that does not exist not at all', async () => {
    const { path } = await anOwner()
    const blank = await post(`${path}/suspend`, form, 'reason=+')
    expect([blank.statusCode, blank.body.includes('Enter a reason')]).toEqual([400, true])
    expect((await post(`${path}/suspend`, withToken, {})).json()).toMatchObject({
      fields: { reason: expect.any(String) },
    })
    for (const answer of [
      await post(`${path}/suspend`, withToken, { reason: 'a\u0000b' }),
      await ask('/operator/accounts?search=%00'),
    ]) {
      expect(answer.statusCode).toBe(400)
    }
    expect((await ask(path)).json()).toMatchObject({ suspendedAt: null })
    for (const act of ['suspend', 'end-suspension', 'resume-mail']) {
      const answer = await post(`/operator/accounts/999999999/${act}`, withToken, {
        ...(act === 'suspend' && { reason: 'x' }),
      })
      expect([act, answer.json().refusal]).toEqual([act, 'ACCOUNT_NOT_FOUND'])
    }
  })
})

test('mail that was paused because of complaints is resumed', async () => {
  const { id, path } = await anOwner()
  await world.db.writeAs(id, (em) =>
    em.execute(`insert into mail_stops (account_id, stopped_at, complaints, mails) values (${id}, now(), 3, 40)`),
  )
  expect((await ask(path, inBrowser)).body).toContain('Resume mail to customers')
  expect((await post(`${path}/resume-mail`, form)).statusCode).toBe(303)
  expect((await ask(path)).json()).toMatchObject({ mailStoppedAt: null })
})
