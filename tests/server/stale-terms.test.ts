import { describe, expect, test } from 'vitest'
import { appRouter } from '#server/routers/index.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aContract, anAccount, TODAY, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

/** A contract in its second term, by REST and by tRPC. Its date had come, so the second term has begun. */
async function aRenewedContract() {
  const request = await anAccount(world)
  const { id } = await aContract(request, { renewalDate: TODAY })
  const headers = bearer(request)
  const post = (act: string, payload: object = {}) =>
    call(server, { method: 'POST', url: `/contracts/${id}/${act}`, headers, payload })
  const get = async () => (await call(server, { url: `/contracts/${id}`, headers })).body
  expect(await post('renew', { term: 1 })).toMatchObject({ status: 200, body: { term: 2 } })
  return { id, post, get, trpc: appRouter.createCaller(request) }
}

const CHANGED = { status: 409, body: { refusal: 'TERM_CHANGED', term: 2 } }
const END = { reason: 'Price' }

test('a contract that was renewed meanwhile is neither renewed again nor ended by who names its former term', async () => {
  const { id, post, get, trpc } = await aRenewedContract()
  const before = await get()
  expect(await post('renew', { term: 1 })).toMatchObject(CHANGED)
  expect(await post('end', { ...END, term: 1 })).toMatchObject(CHANGED)
  await expect(trpc.contracts.end({ ...END, id, term: 1 })).rejects.toThrow('It is now in term 2')
  expect(await get()).toEqual(before)
  expect(await post('end', { ...END, term: 2 })).toMatchObject({ status: 200, body: { status: 'cancelled' } })
})

test('a contract that has ended in another term is reopened by no one who names the former one', async () => {
  const { id, post, get, trpc } = await aRenewedContract()
  await post('end', END)
  expect(await post('reopen', { term: 1 })).toMatchObject(CHANGED)
  await expect(trpc.contracts.reopen({ id, term: 1 })).rejects.toThrow('It is now in term 2')
  expect(await get()).toMatchObject({ status: 'cancelled' })
  expect(await post('reopen', { term: 2 })).toMatchObject({ status: 200, body: { status: 'active' } })
})

describe('an undo that names what it is about', () => {
  const OTHER = { status: 409, body: { refusal: 'DECIDED_SINCE' } }

  test('takes back nothing else: a second click does not undo the renewal before', async () => {
    const { id, post, get, trpc } = await aRenewedContract()
    await post('renew', { term: 2 })
    expect(await post('undo', { term: 3, undoes: 'renew' })).toMatchObject({ status: 200, body: { term: 2 } })
    const before = await get()
    expect(await post('undo', { term: 3, undoes: 'renew' })).toMatchObject(OTHER)
    await expect(trpc.contracts.undo({ id, term: 3 })).rejects.toThrow('Something else has been decided')
    expect(await get()).toEqual(before)
    expect(await post('undo', { term: 2, undoes: 'renew' })).toMatchObject({ status: 200, body: { term: 1 } })
  })

  test('takes back no end that somebody has decided instead', async () => {
    const { post, get } = await aRenewedContract()
    await post('end', END)
    const before = await get()
    expect(await post('undo', { term: 2, undoes: 'renew' })).toMatchObject(OTHER)
    expect(await get()).toEqual(before)
    expect(await post('undo', { undoes: 'other' })).toMatchObject({ status: 400 })
    expect(await post('undo', { term: 2, undoes: 'end' })).toMatchObject({ status: 200, body: { status: 'active' } })
  })
})
