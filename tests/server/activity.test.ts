import { expect, test } from 'vitest'
import { bearer, call, useApp } from '#support/app.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

test('what changed on customers and contracts is read by REST, page by page', async () => {
  const request = await anAccount(world)
  const headers = bearer(request)
  const { id: customerId } = await aCustomer(request)
  const { id } = await aContract(request, { customerId, amount: 100 })
  for (const amount of [110, 120]) {
    await call(server, { method: 'PUT', url: `/contracts/${id}`, headers, payload: { amount } })
  }
  const first = await call(server, { url: `/contracts/${id}/activity?limit=2`, headers })
  expect(first).toMatchObject({
    status: 200,
    body: [
      { action: 'changed', by: { kind: 'person' }, changes: [{ field: 'amount', before: 110, after: 120 }] },
      { action: 'changed', changes: [{ field: 'amount', before: 100, after: 110 }] },
    ],
    headers: { 'x-total-count': '3' },
  })
  const next = /<(.*)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
  expect(await call(server, { url: next, headers })).toMatchObject({ body: [{ id: 0, action: 'created' }] })
  const url = `/customers/${customerId}/activity`
  expect(await call(server, { url, headers })).toMatchObject({ status: 200, body: [{ action: 'created' }] })
  expect(await call(server, { url: '/customers/2000000000/activity', headers })).toMatchObject({ status: 404 })
})

test('notes are written, read, changed and deleted by REST', async () => {
  const request = await anAccount(world)
  const headers = bearer(request)
  const { id } = await aContract(request)
  const url = `/contracts/${id}/notes`
  const written = await call(server, { method: 'POST', url, headers, payload: { text: ' Call in May\r\nor June ' } })
  expect(written).toMatchObject({ status: 201, body: { text: 'Call in May\nor June', isOwn: true } })
  expect(await call(server, { method: 'POST', url, headers, payload: { text: ' ' } })).toMatchObject({
    status: 400,
    body: { fields: { text: 'Write a note' } },
  })
  const note = `/notes/${written.body.id}`
  expect(await call(server, { method: 'PUT', url: note, headers, payload: { text: 'Done' } })).toMatchObject({
    status: 200,
    body: { text: 'Done', editedAt: expect.any(String) },
  })
  expect(await call(server, { url, headers })).toMatchObject({ status: 200, body: [{ text: 'Done' }] })
  expect(await call(server, { method: 'DELETE', url: note, headers })).toMatchObject({ status: 204 })
  expect(await call(server, { url, headers })).toMatchObject({ status: 200, body: [] })
  expect(await call(server, { method: 'DELETE', url: note, headers })).toMatchObject({ status: 404 })
})
