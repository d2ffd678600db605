import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { centsFromAmount } from '#shared/domain/money.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const Contact = z.object({ id: z.int() })

/** A customer or contract of an account, and calls for it. */
async function opened(path: 'customers' | 'contracts') {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request, { name: 'Harbor', phone: '1' })
  const { id } = path === 'customers' ? { id: customerId } : await aContract(request, { customerId, amount: 100 })
  const url = `/${path}/${id}`
  const put = (payload: object, match?: string) =>
    call(server, { method: 'PUT', url, headers: { ...bearer(request), ...(match && { 'if-match': match }) }, payload })
  return { request, id, put, get: () => call(server, { url, headers: bearer(request) }) }
}

describe.each([
  ['customers', { phone: '2' }, { phone: '3' }, 'CUSTOMER_CHANGED'],
  ['contracts', { amount: 110 }, { amount: 120 }, 'CONTRACT_CHANGED'],
] as const)('of %s', (path, first, second, refusal) => {
  test('the version is the ETag, and a change that was made from an older one is 412 with what differs', async () => {
    const { put, get } = await opened(path)
    const { headers } = await get()
    expect(headers['etag']).toBe('"1"')
    const changed = await put(first, String(headers['etag']))
    expect(changed).toMatchObject({ status: 200, body: first, headers: { etag: '"2"' } })
    expect(await put(second, '"1"')).toMatchObject({
      status: 412,
      body: { refusal, current: { ...first, version: 2 }, differs: Object.keys(second) },
    })
    expect(await get()).toMatchObject({ body: first })
    expect(await put(second, '"1", W/"2"')).toMatchObject({ status: 200, body: second })
  })

  test('no If-Match, or *, changes whatever there is; what is no version matches nothing', async () => {
    const { put } = await opened(path)
    expect(await put(first)).toMatchObject({ status: 200 })
    expect(await put(second, '*')).toMatchObject({ status: 200, body: second })
    expect(await put(first, 'nonsense')).toMatchObject({ status: 412, body: { refusal } })
  })
})

test('of two changes at once that were made from the same version, one is saved', async () => {
  const { request, id } = await opened('contracts')
  const change = (amount: number) =>
    asSubscriber(request, (ctx) => updateContract(ctx, { id, amount: centsFromAmount(amount) }, { ifVersion: [1] }))
  const results = await Promise.allSettled([1, 2, 3, 4].map(change))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused.map(({ key }) => key)).toEqual(Array(3).fill('CONTRACT_CHANGED'))
})

test.each([
  [
    'REST',
    (id: number, version: number) => ({
      method: 'DELETE' as const,
      url: `/contacts/${id}`,
      headers: { 'if-match': `"${version}"` },
    }),
  ],
  [
    'tRPC',
    (id: number, version: number) => ({
      method: 'POST' as const,
      url: '/trpc/contacts.remove',
      payload: { json: { id, version } },
    }),
  ],
])('over %s a contact is deleted as it was seen, and not whoever has its ID since', async (_transport, deletion) => {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request, { name: 'Harbor' })
  const authorized = (asked: Parameters<typeof call>[1]) =>
    call(server, { ...asked, headers: { ...asked.headers, ...bearer(request) } })
  const url = `/customers/${customerId}/contacts`
  const { body } = await authorized({ method: 'POST', url, payload: { name: 'Ada' } })
  const { id } = Contact.parse(body)
  await authorized({ method: 'POST', url: `/contacts/${id}/first`, payload: { version: 1 } })
  expect(await authorized(deletion(id, 1))).toMatchObject({ status: 412 })
  expect(await authorized({ url })).toMatchObject({ body: [{ name: 'Ada' }, { name: 'Harbor', version: 2 }] })
  expect((await authorized(deletion(id, 2))).status).toBeLessThan(300)
  expect(await authorized({ url })).toMatchObject({ body: [{ name: 'Ada' }] })
})
