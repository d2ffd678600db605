import { describe, expect, test } from 'vitest'
import { z } from 'zod'
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
const Decided = z.object({ decision: z.int() })

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

describe('an undo that names a decision', () => {
  const OTHER = { status: 409, body: { refusal: 'DECIDED_SINCE' } }
  const LATER = { ...END, on: '2026-04-05' }
  const LATER_STILL = { ...END, on: '2026-04-08' }

  /** The ID of the decision that a call has made. */
  const decisionOf = ({ body }: Awaited<ReturnType<typeof call>>) => Decided.parse(body).decision

  test('takes back nothing else: a second click does not undo the renewal before', async () => {
    const { id, post, get, trpc } = await aRenewedContract()
    const [{ decision: first } = {}] = await trpc.contracts.terms({ id })
    const decision = decisionOf(await post('renew', { term: 2 }))
    expect(await post('undo', { decision })).toMatchObject({ status: 200, body: { term: 2 } })
    const before = await get()
    expect(await post('undo', { decision })).toMatchObject(OTHER)
    await expect(trpc.contracts.undo({ id, decision })).rejects.toThrow(
      'This is no longer the latest decision about the contract, so nothing was undone',
    )
    expect(await get()).toEqual(before)
    expect(await post('undo', { decision: first })).toMatchObject({ status: 200, body: { term: 1 } })
    expect(await post('undo', { decision: first })).toMatchObject(OTHER)
    expect(await post('undo')).toMatchObject({ status: 409, body: { refusal: 'NOTHING_TO_UNDO' } })
  })

  test('of two ends in the same term takes back the last one alone, however often it is sent', async () => {
    const { post, get } = await aRenewedContract()
    await post('end', LATER)
    const decision = decisionOf(await post('end', LATER_STILL))
    expect(await post('undo', { decision })).toMatchObject({ status: 200, body: { endsOn: LATER.on } })
    expect(await post('undo', { decision })).toMatchObject(OTHER)
    expect(await get()).toMatchObject({ endsOn: LATER.on })
  })

  test('takes back no end that was decided in another tab after reopening', async () => {
    const { post, get } = await aRenewedContract()
    const seen = decisionOf(await post('end', LATER))
    await post('reopen')
    const second = decisionOf(await post('end', LATER))
    const before = await get()
    expect(await post('undo', { decision: seen })).toMatchObject(OTHER)
    expect(await get()).toEqual(before)
    expect(await post('undo', { decision: second })).toMatchObject({ status: 200, body: { endsOn: null } })
  })

  test('is about the decision that the terms and each act name, in both transports', async () => {
    const { id, post, get, trpc } = await aRenewedContract()
    const named = async () => (await trpc.contracts.terms({ id })).map(({ decision }) => decision)
    const ended = decisionOf(await post('end', LATER))
    expect(await named()).toEqual([ended, null])
    const { decision: reopened } = await trpc.contracts.reopen({ id })
    expect(await named()).toEqual([reopened, null])
    const { decision: renewed } = await trpc.contracts.renew({ id, term: 2 })
    expect(await named()).toEqual([renewed, null, null])
    expect(new Set([ended, reopened, renewed]).size).toBe(3)
    expect(await post('undo', { decision: 'renew' })).toMatchObject({ status: 400 })
    expect(await get()).not.toHaveProperty('decision')
    expect(await trpc.contracts.update({ id, status: 'expired' })).not.toHaveProperty('decision')
    expect(await named()).toEqual([expect.any(Number), null, null])
  })
})
