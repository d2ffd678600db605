import { expect, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { appRouter } from '#server/routers/index.ts'
import { createCallerFactory } from '#server/trpc.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { anAccount, asSubscriber, requestOf, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const limited = useApp(world, {}, { limits: { letterMarks: 2 } })
const LETTER = { means: ['letter'] }

async function aLetterDue(rule: object = LETTER, address: string | null = '12 Quay Street\nBuffalo, NY 14202') {
  const noticed = await aNoticedContract(world, { rule })
  const { request, customerId } = noticed
  await asSubscriber(request, (ctx) => updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, address })))
  const url = `/contracts/${noticed.id}/notice-letter`
  const download = (by = request) => server.app.inject({ url, headers: { ...bearer(by) } })
  return { ...noticed, download }
}

test('the letter is a PDF, the same each time', async () => {
  const { id, download } = await aLetterDue()
  const first = await download()
  expect(first.statusCode).toBe(200)
  expect(first.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="traxx-notice-${id}.pdf"`,
  })
  expect(first.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  expect((await download()).rawPayload).toEqual(first.rawPayload)
})

test.each([
  ['an address is missing', LETTER, null, 'NOTICE_NO_POSTAL_ADDRESS'],
  ['the address is too long', LETTER, 'Quay Street '.repeat(40), 'NOTICE_ADDRESS_TOO_LONG'],
  ['an address has letters that cannot be printed', LETTER, 'Невский 12', 'NOTICE_ADDRESS_UNPRINTABLE'],
  ['letters do not count', { means: ['email'] }, '12 Quay Street', 'NOTICE_LETTER_DOES_NOT_COUNT'],
  ['the window has closed', { from: 60, until: 27 }, '12 Quay Street', 'NOTICE_NOT_DUE'],
])('there is no letter where %s', async (_, rule, address, refusal) => {
  const { download } = await aLetterDue({ ...LETTER, ...rule }, address)
  const { statusCode, json } = await download()
  expect(statusCode).toBe(409)
  expect(json()).toMatchObject({ refusal })
})

test("another account's letter and notice are not found, and one's own notice is shown", async () => {
  const { id, request, download } = await aLetterDue()
  const other = await anAccount(world)
  expect((await download(other)).statusCode).toBe(404)
  const url = `/contracts/${id}/notice`
  expect(await call(server, { url, headers: bearer(other) })).toMatchObject({ status: 404 })
  expect(await call(server, { url, headers: bearer(request) })).toMatchObject({
    status: 200,
    body: { isGiven: false, notice: { from: '2026-03-06', through: '2026-03-21', means: ['letter'], warning: null } },
  })
})

const LONG_AGO = '2020-01-01'
const WITHOUT_ACCESS = [
  ['is paused', { status: 'paused' }, 'SUBSCRIPTION_PAUSED'],
  ['ended long ago', { status: 'canceled', endedAt: LONG_AGO }, 'SUBSCRIPTION_REQUIRED'],
] as const

/** The same account once its subscription has come to this. */
async function lapsed({ caller, services }: RequestContext, { status, endedAt = null }: Lapse) {
  await world.db.system.query('update subscriptions set status = $2, ended_at = $3 where account_id = $1', [
    caller?.id,
    status,
    endedAt,
  ])
  return requestOf(world, caller?.clerkUserId ?? '', services)
}

interface Lapse {
  status: string
  endedAt?: string | null
}

test.each(WITHOUT_ACCESS)('where the subscription %s, a letter is mailed all the same, by REST', async (_, lapse) => {
  const { id, request, download } = await aLetterDue()
  const headers = bearer(await lapsed(request, lapse))
  const url = `/contracts/${id}/notice-letter`
  expect((await download()).statusCode).toBe(200)
  expect(await call(server, { url: '/notices', headers })).toMatchObject({ status: 200, body: { total: 1 } })
  const mark = {
    method: 'POST',
    url,
    headers: { ...headers, 'idempotency-key': 'once' },
    payload: { on: '2026-03-08' },
  } as const
  expect(await call(server, mark)).toMatchObject({ status: 200, body: { postedOn: '2026-03-08' } })
  expect(await call(server, mark)).toMatchObject({ status: 200, body: { postedOn: '2026-03-08' } })
  expect(await call(server, { url: `/contracts/${id}/notice`, headers })).toMatchObject({ body: { isGiven: true } })
  expect(await call(server, { method: 'DELETE', url, headers })).toMatchObject({ status: 204 })
})

test.each(WITHOUT_ACCESS)('where it %s, so it is in the app, and nothing else is opened', async (_, lapse, refusal) => {
  const { id, customerId, request } = await aLetterDue()
  const { caller } = await lapsed(request, lapse)
  const app = createCallerFactory(appRouter)(await requestOf(world, caller?.clerkUserId ?? ''))
  const { rows } = await app.notices.list({})
  expect(rows).toMatchObject([{ contractId: id }])
  await app.notices.post({ id, on: '2026-03-08' })
  expect(await app.notices.ofContract({ id })).toMatchObject({ isGiven: true })
  await app.notices.unpost({ id })
  const refused = { cause: { key: refusal } }
  await expect(app.contracts.renew({ id })).rejects.toMatchObject(refused)
  await expect(app.customers.update({ id: customerId, address: 'Elsewhere' })).rejects.toMatchObject(refused)
  await expect(app.noticeRules.choose({ rule: 'none' })).rejects.toMatchObject(refused)
})

test('an account that was suspended, or that never had a subscription, marks nothing', async () => {
  const { id, request } = await aLetterDue()
  await world.db.system.query('update accounts set suspended_at = now() where id = $1', [request.caller?.id])
  const mark = (headers: object) =>
    call(server, {
      method: 'POST',
      url: `/contracts/${id}/notice-letter`,
      headers: { ...headers },
      payload: { on: '2026-03-08' },
    })
  expect(await mark(bearer(request))).toMatchObject({ status: 403, body: { refusal: 'ACCOUNT_SUSPENDED' } })
  const stranger = await anAccount(world, { status: null })
  expect(await mark(bearer(stranger))).toMatchObject({ status: 402, body: { refusal: 'SUBSCRIPTION_REQUIRED' } })
})

test('marking letters, and undoing that, has one limit for an account, by REST and in the app', async () => {
  const { id, request } = await aLetterDue()
  const other = await aLetterDue()
  const url = `/contracts/${id}/notice-letter`
  const mark = { method: 'POST', url, headers: bearer(request), payload: { on: '2026-03-08' } } as const
  expect(await call(limited, mark)).toMatchObject({ status: 200 })
  expect(await call(limited, { method: 'DELETE', url, headers: bearer(request) })).toMatchObject({ status: 204 })
  expect(await call(limited, mark)).toMatchObject({ status: 429, body: { refusal: 'TOO_MANY_REQUESTS' } })
  const ofApp = { method: 'POST', headers: bearer(request), payload: { json: { id, on: '2026-03-08' } } } as const
  for (const name of ['post', 'unpost'])
    expect((await limited.app.inject({ ...ofApp, url: `/trpc/notices.${name}` })).statusCode).toBe(429)
  const ofOther = { ...mark, url: `/contracts/${other.id}/notice-letter`, headers: bearer(other.request) }
  expect(await call(limited, ofOther)).toMatchObject({ status: 200 })
})
