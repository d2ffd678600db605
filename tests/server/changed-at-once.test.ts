import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { getContract, updateContract } from '#server/contracts/contracts.service.ts'
import { renewContract, reopenContract } from '#server/contracts/renewals.service.ts'
import { listTerms } from '#server/contracts/terms.service.ts'
import type { RequestContext, SubscriberContext } from '#server/context.ts'
import { renameTag } from '#server/tags/tags.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { beforeStatement } from '#support/before-statement.ts'
import { doneOrWaiting, holdRows } from '#support/held-rows.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()

type Change = (ctx: SubscriberContext) => Promise<unknown>

/** Has two changes of contracts begin at once, of which the first one locks its contract first; returns their results. */
async function atOnce(request: RequestContext, first: Change, second: Change) {
  await using lock = await holdRows(world, 'contracts')
  const changes: Promise<unknown>[] = []
  for (const change of [first, second]) {
    changes.push(asSubscriber(request, change))
    await lock.waitedFor(changes.length)
  }
  await lock.release()
  return Promise.allSettled(changes)
}

test('a contract that expires while it is set to pending is opened again by a decision', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request)
  const expired: Change = (ctx) => updateContract(ctx, { id, status: 'expired' })
  const pending: Change = (ctx) => updateContract(ctx, { id, status: 'pending' })
  await atOnce(request, expired, pending)
  expect(await getContract(requireReader(request), { id })).toMatchObject({ status: 'pending' })
  expect(await listTerms(requireReader(request), { id })).toMatchObject([{ outcome: 'running', undoes: 'reopen' }])
})

test('a contract that is opened again while it is cancelled is ended by a decision', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request)
  await asSubscriber(request, (ctx) => updateContract(ctx, { id, status: 'expired' }))
  await atOnce(
    request,
    (ctx) => reopenContract(ctx, { id }),
    (ctx) => updateContract(ctx, { id, status: 'cancelled' }),
  )
  expect(await getContract(requireReader(request), { id })).toMatchObject({ status: 'cancelled' })
  expect(await listTerms(requireReader(request), { id })).toMatchObject([{ outcome: 'ended', undoes: 'end' }])
})

test('a contract that is renewed while its start is moved begins before its first term is over', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request, { startDate: '2026-01-01', renewalDate: '2026-03-01' })
  const [, moved] = await atOnce(
    request,
    (ctx) => renewContract(ctx, { id }),
    (ctx) => updateContract(ctx, { id, startDate: toDay('2026-03-01') }),
  )
  expect(moved).toMatchObject({ status: 'rejected', reason: { key: 'START_AFTER_TERM' } })
})

const SEEN = { ifVersion: [1, 2] }
const tagged = ['VIP']
const TAGGED = {
  contract: async (request: RequestContext): Promise<Change> => {
    const { id } = await aContract(request, { tags: tagged })
    return (ctx) => updateContract(ctx, { id, tags: tagged }, SEEN)
  },
  customer: async (request: RequestContext): Promise<Change> => {
    const { id } = await aCustomer(request, { tags: tagged })
    return (ctx) => updateCustomer(ctx, { id, tags: tagged }, SEEN)
  },
}

test.each(['contract', 'customer'] as const)(
  'a %s is changed while its tag is renamed, and neither has to be repeated',
  async (what) => {
    const request = await anAccount(world)
    const change = await TAGGED[what](request)
    let runs = 0
    const run = (work: Change) =>
      asSubscriber(request, (ctx) => {
        runs += 1
        return work(ctx)
      })
    let renamed: Promise<unknown> | undefined
    await run(({ write, ...ctx }) => {
      const rename = async () => {
        renamed ??= run((other) => renameTag(other, { tag: 'VIP', name: 'Gold' }))
        await doneOrWaiting(world, { write, work: renamed })
      }
      return change({ ...ctx, write: beforeStatement(write, /from tags/, rename) })
    })
    await renamed
    expect(runs).toBe(2)
  },
)
