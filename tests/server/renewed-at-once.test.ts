import { expect, test } from 'vitest'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { getBulk, startBulk } from '#server/bulk/bulk.service.ts'
import { runBulkChanges } from '#server/bulk/run-bulk-changes.ts'
import type { RequestContext } from '#server/context.ts'
import { saveRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { listTerms } from '#server/contracts/terms.service.ts'
import { renewByHand } from '#server/renewals/renew-by-hand.service.ts'
import { renewContracts } from '#server/renewals/renew-contracts.ts'
import { ledgerOf } from '#support/ledger.ts'
import { holdRows } from '#support/held-rows.ts'
import { aContract, anAccount, asSubscriber, requireReader, TODAY, useWorld } from '#support/world.ts'

const world = useWorld()
const { signal } = new AbortController()

/** Whoever renews, as it looks when somebody else has been faster. */
const WAYS = {
  tab: (request: RequestContext, id: number) =>
    asSubscriber(request, (ctx) => renewByHand(ctx, { id, term: 1 })).then(
      () => 'done',
      (error: { key: string }) => error.key,
    ),
  job: (request: RequestContext) =>
    renewContracts({ ...request, db: request.db.as('job:renew-contracts'), signal }).then(() => 'done'),
  change: async (request: RequestContext, id: number) => {
    const input = BulkChange.parse({ action: 'renew', contracts: { ids: [id] } })
    const change = await asSubscriber(request, (ctx) => startBulk(ctx, input))
    await runBulkChanges({ ...request, signal })
    const { leftOut } = await getBulk(requireReader(request), change)
    return leftOut[0]?.reason ?? 'done'
  },
}

/** Without a reason, it has nothing to tell: the job renews what is due. */
const TOO_LATE = { tab: 'TERM_CHANGED', job: 'done', change: 'renewed' }

test.each([
  ['tab', 'tab'],
  ['tab', 'job'],
  ['job', 'tab'],
  ['job', 'job'],
  ['tab', 'change'],
  ['change', 'tab'],
  ['job', 'change'],
  ['change', 'job'],
] as const)(
  'of a %s and a %s that renew a contract at once, the first one renews it and tells the customer',
  async (first, second) => {
    const request = await anAccount(world)
    // Its date has come, so that the next term has begun when the second one renews it.
    const { id } = await aContract(request, { renews: 'automatic', renewalDate: TODAY })
    const settings = { confirmRenewals: true, endOverdueAfterDays: null, endReasons: ['Price'] }
    await asSubscriber(request, (ctx) => saveRenewalSettings(ctx, settings))
    await using lock = await holdRows(world, 'contracts')
    const one = WAYS[first](request, id)
    await lock.waitedFor(1)
    const other = WAYS[second](request, id)
    await lock.waitedFor(2)
    await lock.release()
    expect([await one, await other]).toEqual(['done', TOO_LATE[second]])
    expect(await listTerms(requireReader(request), { id })).toMatchObject([{ number: 2 }, { number: 1 }])
    expect((await ledgerOf(request)).map(({ kind }) => kind)).toEqual(['confirmation'])
  },
)
