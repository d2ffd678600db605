import { describe, expect, test } from 'vitest'
import { bearer, call, useApp } from '#support/app.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

/** Calls of a new account with two contracts and a customer that have tags. */
async function anAccountWithTags() {
  const request = await anAccount(world)
  const headers = bearer(request)
  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    call(server, { method, url, headers, ...(payload && { payload }) })
  const { id, customerId } = await aContract(request, { tags: ['VIP', 'North'], amount: 20 })
  await aContract(request, { customerId, tags: ['VIP'], amount: 10 })
  await aCustomer(request, { name: 'Mill', tags: ['Key Account'] })
  return { send, id, customerId }
}

describe('the calls for tags', () => {
  test('list, rename and remove them', async () => {
    const { send, id } = await anAccountWithTags()
    expect(await send('GET', '/tags')).toMatchObject({
      body: [
        { name: 'Key Account', contracts: 0, customers: 1 },
        { name: 'North', contracts: 1, customers: 0 },
        { name: 'VIP', contracts: 2, customers: 0 },
      ],
    })
    expect(await send('PUT', '/tags/key%20account', { name: 'Key' })).toMatchObject({
      status: 200,
      body: { name: 'Key', contracts: 0, customers: 1 },
    })
    expect(await send('DELETE', '/tags/vip')).toMatchObject({ status: 204 })
    expect(await send('DELETE', '/tags/vip')).toMatchObject({ status: 404, body: { error: 'Tag not found' } })
    expect(await send('GET', `/contracts/${id}`)).toMatchObject({ body: { tags: ['North'] } })
  })

  test('set those of a contract and a customer', async () => {
    const { send, id, customerId } = await anAccountWithTags()
    expect(await send('PUT', `/contracts/${id}`, { tags: ['vip', 'South', 'SOUTH'] })).toMatchObject({
      body: { tags: ['VIP', 'South'] },
    })
    expect(await send('PUT', `/customers/${customerId}`, { tags: ['south'] })).toMatchObject({
      body: { tags: ['South'] },
    })
    expect(await send('POST', '/customers', { name: 'Harbor', tags: ['a,b'] })).toMatchObject({
      status: 400,
      body: { error: 'A tag must not have commas or semicolons' },
    })
    const many = Array.from({ length: 21 }, (_, at) => `t${at}`)
    expect(await send('PUT', `/contracts/${id}`, { tags: many })).toMatchObject({
      status: 400,
      body: { error: 'There can be at most 20 tags' },
    })
  })
})

test('contracts and customers are filtered by tags, and a range that holds nothing is refused', async () => {
  const { send, id } = await anAccountWithTags()
  expect(await send('GET', '/contracts?tag=vip&tag=north')).toMatchObject({ status: 200, body: [{ id }] })
  expect(await send('GET', '/contracts?tag=vip,north&amountFrom=20.5')).toMatchObject({ body: [] })
  expect(await send('GET', '/customers?tag=key%20account')).toMatchObject({ body: [{ name: 'Mill' }] })
  expect(await send('GET', '/contracts?renewalFrom=2026-02-01&renewalThrough=2026-01-01')).toMatchObject({
    status: 400,
    body: { fields: { renewalThrough: 'Must not be before renewalFrom' } },
  })
  const { payload } = await server.app.inject({
    url: '/contracts/export.csv?tag=north',
    headers: bearer(await anAccount(world)),
  })
  expect(payload).toContain('Notice Period,Tags,Term Number,Term Start,PDF')
})

test('the calls for views save, move and delete them', async () => {
  const { send } = await anAccountWithTags()
  const view = { name: 'Large', search: { tag: ['vip'], amountFrom: 15, sort: 'amount' } }
  const saved = { id: expect.any(Number), name: 'Large', position: 1 }
  const first = await send('POST', '/views', view)
  expect(first).toMatchObject({
    status: 201,
    body: { ...saved, search: { tag: 'vip', amountFrom: 15, sort: 'amount' } },
  })
  expect(await send('POST', '/views', view)).toMatchObject({
    status: 409,
    body: { error: 'Another view already has this name' },
  })
  expect(await send('POST', '/views', { name: 'Other', search: { color: 'red' } })).toMatchObject({ status: 400 })
  await send('POST', '/views', { name: 'Other', search: {}, position: 1 })
  expect(await send('GET', '/views')).toMatchObject({ body: [{ name: 'Other' }, { name: 'Large' }] })
  const { id } = first.body
  expect(await send('PUT', `/views/${id}`, { position: 1, name: 'Largest' })).toMatchObject({ body: { position: 1 } })
  expect(await send('DELETE', `/views/${id}`)).toMatchObject({ status: 204 })
  expect(await send('GET', '/views')).toMatchObject({ body: [{ name: 'Other', position: 1 }] })
})
