import { expect, test } from 'vitest'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { ChooseNoticeRule } from '#shared/schemas/notice-rules.ts'
import { startBulk } from '#server/bulk/bulk.service.ts'
import { runBulkChanges } from '#server/bulk/run-bulk-changes.ts'
import { requireReader } from '#server/context.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { renewContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { listNoticeRules } from '#server/notice-rules/notice-rules.service.ts'
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

test('contracts that are tagged together have their notices today where the rule is chosen for the tag', async () => {
  const noticed = await aNoticedContract(world, {
    rule: RULE,
    contract: { renewalDate: '2026-04-20', tags: ['North'] },
  })
  const { request, ctx: job, id } = noticed
  const [rule] = (await listNoticeRules(requireReader(request))).rules
  await asSubscriber(request, async (ctx) => {
    await chooseNoticeRule(ctx, ChooseNoticeRule.parse({ rule: 'none' }))
    await chooseNoticeRule(ctx, ChooseNoticeRule.parse({ tag: 'North', rule: rule?.id }))
    await updateContract(ctx, UpdateContract.parse({ id, tags: [] }))
  })
  const change = BulkChange.parse({ action: 'tag', add: ['North'], contracts: { ids: [id] } })
  const tag = async () => {
    await asSubscriber(request, (ctx) => startBulk(ctx, change))
    await runBulkChanges({ ...job, db: world.db.as('job:bulk-changes') })
  }
  expect(await subjectsAfter(noticed, tag)).toEqual(NOTICE)
})
