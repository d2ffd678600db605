import { expect, test } from 'vitest'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { ChooseNoticeRule } from '#shared/schemas/notice-rules.ts'
import { startBulk } from '#server/bulk/bulk.service.ts'
import { runBulkChanges } from '#server/bulk/run-bulk-changes.ts'
import { requireReader } from '#server/context.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { renewContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { listNoticeRules } from '#server/notice-rules/notice-rules.service.ts'
import { removeTag, renameTag } from '#server/tags/tags.service.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { aContract, asSubscriber, useWorld } from '#support/world.ts'

const world = useWorld()

/** The last day of the windows of contracts that renew on April 20, longer before than any reminder. */
const TODAY = '2026-03-06'
const RULE = { from: 60, until: 45 }

type Noticed = Awaited<ReturnType<typeof aNoticedContract>>

/** What the customer gets on that day once something has changed after the day's planning, which is over five minutes later. */
async function subjectsAfter({ on }: Noticed, change: () => Promise<unknown>): Promise<string[]> {
  expect(await on(TODAY)).toEqual([])
  await change()
  return (await on(TODAY, '12:06')).map(({ subject }) => subject)
}

const NOTICE = [expect.stringMatching(/^Notice: your contract renews/)]

test('a contract whose window closes today since its date was changed has its notice today', async () => {
  const noticed = await aNoticedContract(world, { rule: RULE, contract: { renewalDate: '2026-07-01' } })
  const { request, id } = noticed
  const change = UpdateContract.parse({ id, renewalDate: '2026-04-20' })
  expect(await subjectsAfter(noticed, () => asSubscriber(request, (ctx) => updateContract(ctx, change)))).toEqual(
    NOTICE,
  )
})

test('a new contract whose window closes today has its notice today', async () => {
  const noticed = await aNoticedContract(world, { rule: RULE, contract: { renewalDate: '2026-07-01' } })
  const { request, customerId } = noticed
  const fields = { customerId, renews: 'automatic', renewalCycle: 'yearly', renewalDate: '2026-04-20' } as const
  expect(await subjectsAfter(noticed, () => aContract(request, fields))).toEqual(NOTICE)
})

test('a contract whose renewal is undone has its notice on the last day for it', async () => {
  const noticed = await aNoticedContract(world, { rule: RULE, contract: { renewalDate: '2026-04-20' } })
  const { request, id } = noticed
  await asSubscriber(request, (ctx) => renewContract(ctx, { id, from: 'term' }))
  expect(await subjectsAfter(noticed, () => asSubscriber(request, (ctx) => undoDecision(ctx, { id })))).toEqual(NOTICE)
})

/** An account with a rule for the tag North alone, which another contract has, and a contract of today's window that has Old. */
async function aRuledTag() {
  const contract = { renewalDate: '2026-04-20', tags: ['Old'] }
  const noticed = await aNoticedContract(world, { rule: RULE, contract })
  const { request, customerId } = noticed
  const [rule] = (await listNoticeRules(requireReader(request))).rules
  await aContract(request, { customerId, renewalDate: '2026-12-20', tags: ['North'] })
  const choose = (chosen: object) =>
    asSubscriber(request, (ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse(chosen)))
  await choose({ rule: 'none' })
  await choose({ tag: 'North', rule: rule?.id })
  return { ...noticed, choose, rule: rule?.id }
}

type Ruled = Awaited<ReturnType<typeof aRuledTag>>

test.each<[string, (given: Ruled) => Promise<unknown>]>([
  [
    'it is tagged together with others',
    async ({ request, ctx, id }) => {
      const change = BulkChange.parse({ action: 'tag', add: ['North'], contracts: { ids: [id] } })
      await asSubscriber(request, (subscriber) => startBulk(subscriber, change))
      await runBulkChanges({ ...ctx, db: world.db.as('job:bulk-changes') })
    },
  ],
  [
    'its customer is tagged',
    ({ request, customerId }) =>
      asSubscriber(request, (ctx) => updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, tags: ['North'] }))),
  ],
  [
    'its tag becomes that of the rule',
    ({ request }) => asSubscriber(request, (ctx) => renameTag(ctx, { tag: 'Old', name: 'North' })),
  ],
])('a contract has its notice on the last day for it where %s', async (_, change) => {
  const ruled = await aRuledTag()
  expect(await subjectsAfter(ruled, () => change(ruled))).toEqual(NOTICE)
})

test('a contract has its notice on the last day for it where a tag that wanted none is removed', async () => {
  const ruled = await aRuledTag()
  const { request, choose, rule } = ruled
  await choose({ rule })
  await choose({ tag: 'Old', rule: 'none' })
  expect(await subjectsAfter(ruled, () => asSubscriber(request, (ctx) => removeTag(ctx, { tag: 'Old' })))).toEqual(
    NOTICE,
  )
})
