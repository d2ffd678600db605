import { expect, test } from 'vitest'
import { appRouter } from '#server/routers/index.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

/** A contract that renews on April 1, with the calls of its account. */
async function aServer() {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request, { name: 'Harbor', email: 'orders@harbor.test' })
  const { id } = await aContract(request, { customerId, amount: 100 })
  const headers = bearer(request)
  return {
    id,
    customerId,
    trpc: appRouter.createCaller(request),
    get: (url: string) => call(server, { url, headers }),
    post: (url: string, payload: object = {}, more: object = {}) =>
      call(server, { method: 'POST', url: `/contracts/${id}${url}`, headers: { ...headers, ...more }, payload }),
    put: (url: string, payload: object) => call(server, { method: 'PUT', url, headers, payload }),
    rows: async () => (await ledgerOf(request)).map(({ kind, state }) => [kind, state]),
  }
}

const TO = { to: ['orders@harbor.test'] }
const PLANNED = ['confirmation', 'planned']

test('a customer is told of a renewal if the call says so, by both transports', async () => {
  const { id, post, trpc, rows } = await aServer()
  expect(await post('/renew')).toMatchObject({ status: 200, body: { term: 2, confirmation: null } })
  expect(await rows()).toEqual([])
  expect(await post('/renew', { term: 2, confirm: true })).toMatchObject({ status: 200, body: { confirmation: TO } })
  expect(await rows()).toEqual([PLANNED])
  expect(await post('/undo')).toMatchObject({ status: 200, body: { term: 2, alreadyTold: [] } })
  expect(await rows()).toEqual([])
  expect(await trpc.contracts.renew({ id, term: 2, confirm: true })).toMatchObject({ term: 3, confirmation: TO })
  expect(await trpc.contracts.undo({ id })).toMatchObject({ term: 2, alreadyTold: [] })
})

test('the same call sent again tells once', async () => {
  const { post, rows } = await aServer()
  const key = { 'idempotency-key': 'renew-1' }
  const first = await post('/renew', { confirm: true }, key)
  expect(await post('/renew', { confirm: true }, key)).toMatchObject({ status: 200, body: first.body })
  expect(await rows()).toEqual([PLANNED])
})

test('a call that does not know of it tells nobody unless the settings say so, nor does it change them', async () => {
  const { put, get, post, rows, trpc } = await aServer()
  const settings = { endOverdueAfterDays: null, endReasons: ['Price'] }
  expect(await put('/account/renewal-settings', { ...settings, confirmRenewals: true })).toMatchObject({ status: 200 })
  expect(await put('/account/renewal-settings', settings)).toMatchObject({ body: { confirmRenewals: true } })
  expect(await get('/account/renewal-settings')).toMatchObject({ body: { ...settings, confirmRenewals: true } })
  expect(await trpc.contracts.renewalSettings()).toMatchObject({ confirmRenewals: true })
  expect(await post('/renew')).toMatchObject({ body: { confirmation: TO } })
  expect(await rows()).toEqual([PLANNED])
  expect(await put('/account/renewal-settings', { ...settings, confirmRenewals: 'yes' })).toMatchObject({
    status: 400,
    body: { fields: { confirmRenewals: 'Must be true or false' } },
  })
})

test('a mistyped field is refused instead of telling somebody', async () => {
  const { post, rows } = await aServer()
  expect(await post('/renew', { confirmed: false })).toMatchObject({ status: 400, body: { refusal: 'FIELD_UNKNOWN' } })
  expect(await post('/renew', { confirm: 'perhaps' })).toMatchObject({ status: 400 })
  expect(await rows()).toEqual([])
})

test('the email is shown beforehand, by both transports, and nothing is changed', async () => {
  const { id, post, trpc, rows, get } = await aServer()
  const shown = {
    customerName: 'Harbor',
    readers: [{ name: null, email: 'orders@harbor.test', obstacle: null }],
    waitsFor: null,
    subject: 'Your contract has been renewed until May 1, 2026',
    text: expect.stringContaining('Previously, the amount was $100.00.'),
  }
  expect(await post('/renew/preview', { amount: 120 })).toMatchObject({ status: 200, body: shown })
  expect(await trpc.contracts.previewRenewal({ id, amount: 120 })).toMatchObject(shown)
  expect(await post('/renew/preview', { term: 7 })).toMatchObject({ status: 409, body: { refusal: 'TERM_CHANGED' } })
  expect(await rows()).toEqual([])
  expect(await get(`/contracts/${id}`)).toMatchObject({ body: { term: 1, amount: 100 } })
})

test('whom the settings would write to is told by both transports', async () => {
  const { get, trpc, customerId } = await aServer()
  await trpc.contracts.create({
    customerId,
    amount: 1,
    startDate: '2026-01-01',
    renewalCycle: 'monthly',
    renewalDate: '2026-04-01',
    status: 'active',
    renews: 'automatic',
  })
  const coming = { contracts: 1, told: 1, emails: 1, first: [{ customerName: 'Harbor', day: '2026-04-01' }] }
  expect(await get('/account/renewal-settings/confirmations')).toMatchObject({ status: 200, body: coming })
  expect(await trpc.contracts.comingConfirmations()).toMatchObject(coming)
})

test('an address of a contact that bounced is marked as working by both transports', async () => {
  const { trpc, customerId } = await aServer()
  const { id } = await trpc.contacts.add({ id: customerId, name: 'Ada', email: 'ada@harbor.test' })
  await expect(trpc.contacts.clearBounce({ id })).resolves.toBeUndefined()
  await expect(trpc.contacts.clearBounce({ id: id + 1000 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
