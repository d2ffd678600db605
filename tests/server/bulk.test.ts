import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { appRouter } from '#server/routers/index.ts'
import { runBulkChanges } from '#server/bulk/run-bulk-changes.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

test('many contracts are changed by REST, looked at beforehand, and taken back', async () => {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request)
  const { id } = await aContract(request, { customerId, amount: 100 })
  const headers = bearer(request)
  const post = (url: string, payload: object = {}) => call(server, { method: 'POST', url, headers, payload })
  const run = () =>
    runBulkChanges({
      db: world.db,
      services: fakeServices(),
      log: server.app.log,
      signal: new AbortController().signal,
    })

  const raise = { action: 'change_price', price: { by: 'percent', value: 10 }, contracts: { ids: [id] } }
  expect(await post('/bulk', { ...raise, preview: true })).toMatchObject({
    status: 200,
    body: { count: 1, amountBefore: 100, amount: 110, leftOut: [] },
  })
  const begun = await post('/bulk', raise)
  expect(begun).toMatchObject({ status: 202, body: { state: 'running', total: 1 } })
  expect(await post('/bulk', raise)).toMatchObject({ status: 409, body: { refusal: 'BULK_RUNNING' } })
  await run()
  const url = `/bulk/${begun.body.id}`
  expect(await call(server, { url, headers })).toMatchObject({ status: 200, body: { state: 'done', changed: 1 } })
  expect(await call(server, { url: `/contracts/${id}`, headers })).toMatchObject({ body: { nextAmount: 110 } })
  expect(await post(`${url}/undo`)).toMatchObject({ status: 202, body: { state: 'undoing' } })
  await run()
  expect(await call(server, { url, headers })).toMatchObject({ body: { state: 'undone', undone: 1 } })
  expect(await call(server, { url: `/contracts/${id}`, headers })).toMatchObject({ body: { nextAmount: null } })
})

test('reminders are planned by both transports, looked at beforehand, and not taken back', async () => {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
  const { id } = await aContract(request, { customerId, amount: 100 })
  const headers = bearer(request)
  const post = (url: string, payload: object = {}) => call(server, { method: 'POST', url, headers, payload })
  const remind = { action: 'remind' as const, contracts: { ids: [id] } }
  const announced = { count: 1, amountBefore: 100, amount: 100, leftOut: [], emails: 1, customers: 1 }
  const trpc = appRouter.createCaller(request)
  expect(await post('/bulk', { ...remind, preview: true })).toMatchObject({ status: 200, body: announced })
  expect(await trpc.bulk.preview(remind)).toEqual(announced)
  const begun = await post('/bulk', remind)
  expect(begun).toMatchObject({ status: 202, body: { action: 'remind', state: 'running', total: 1 } })
  const { services } = request
  await runBulkChanges({ db: world.db, services, log: server.app.log, signal: new AbortController().signal })
  expect(await trpc.bulk.get({ id: begun.body.id })).toMatchObject({ state: 'done', changed: 1 })
  expect(await post(`/bulk/${begun.body.id}/undo`)).toMatchObject({
    status: 409,
    body: { refusal: 'BULK_FINAL', error: 'Reminders cannot be undone: they are emails to your customers' },
  })
  await expect(trpc.bulk.undo({ id: begun.body.id })).rejects.toThrow('Reminders cannot be undone')
  await expect(trpc.bulk.start(remind)).resolves.toMatchObject({ action: 'remind', state: 'running' })
})

test('what cannot be changed like this says where and why', async () => {
  const headers = bearer(await anAccount(world))
  const post = (payload: object) => call(server, { method: 'POST', url: '/bulk', headers, payload })
  expect(await post({ action: 'end', contracts: { ids: [1] } })).toMatchObject({
    status: 400,
    body: { fields: { reason: 'Choose a reason' } },
  })
  expect(await post({ action: 'renew', contracts: {} })).toMatchObject({
    status: 400,
    body: { fields: { contracts: 'Send either ids or a filter' } },
  })
  expect(await post({ action: 'renew', contracts: { ids: [2_000_000_000] } })).toMatchObject({
    status: 404,
    body: { refusal: 'BULK_EMPTY' },
  })
})

test('the README names every field of a change', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request)
  const raise = { action: 'change_price', price: { by: 'percent', value: 10 }, contracts: { ids: [id] } }
  const headers = bearer(request)
  const { body } = await call(server, { method: 'POST', url: '/bulk', headers, payload: raise })
  const line = readFileSync('README.md', 'utf8')
    .split('\n')
    .find((row) => row.startsWith('| `GET /bulk/{id}`'))
  expect(Object.keys(body).filter((field) => !line?.includes(`\`${field}\``))).toEqual([])
})
