import { expect, test } from 'vitest'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { PostNotice } from '#shared/schemas/notices.ts'
import { requireReader } from '#server/context.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { listNoticeRules, makeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { postNotice } from '#server/notices/post-notice.service.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { aContract, aCustomer, asSubscriber, useWorld } from '#support/world.ts'
import { startBulk } from './bulk.service.ts'
import { previewBulk } from './preview-bulk.service.ts'
import { runBulkChanges } from './run-bulk-changes.ts'

const world = useWorld()

const TODAY = '2026-03-10'

/** An account with a rule for the tag North alone: notice by email 30 to 15 days before, or as given. */
async function aRuledTag(rule: object = {}) {
  const noticed = await aNoticedContract(world, { rule, contract: { renewalDate: '2027-04-05', tags: ['North'] } })
  const { request, ctx, customerId } = noticed
  const as = <Result>(work: Parameters<typeof asSubscriber<Result>>[1]) => asSubscriber(request, work)
  const [made] = (await listNoticeRules(requireReader(request))).rules
  await as((subscriber) => chooseNoticeRule(subscriber, ChooseNoticeRule.parse({ rule: 'none' })))
  await as((subscriber) => chooseNoticeRule(subscriber, ChooseNoticeRule.parse({ tag: 'North', rule: made?.id })))
  const add = async (terms: object = {}) =>
    (
      await aContract(request, {
        customerId,
        renews: 'automatic',
        renewalCycle: 'yearly',
        renewalDate: '2026-04-08',
        ...terms,
      })
    ).id
  await noticed.on(TODAY)
  const change = (tags: object) => BulkChange.parse({ action: 'tag', contracts: { filter: {} }, ...tags })
  return {
    ...noticed,
    as,
    add,
    preview: (tags: object) => previewBulk(requireReader(request), change(tags)),
    start: (tags: object) => as((subscriber) => startBulk(subscriber, change(tags))),
    run: () => runBulkChanges(ctx),
  }
}

test('notices that tags bring today are counted beforehand, and so they come', async () => {
  const { request, add, preview, start, run, on } = await aRuledTag()
  const { id: unreached } = await aCustomer(request, { name: 'Cafe', email: null })
  for (const terms of [
    {},
    {},
    { renewalDate: '2026-06-01' },
    { renews: 'by_agreement' },
    { tags: ['North'] },
    { customerId: unreached },
  ])
    await add(terms)
  expect(await preview({ add: ['NORTH'] })).toMatchObject({ count: 5, emailsToday: 2 })
  expect(await preview({ add: ['South'] })).toMatchObject({ emailsToday: 0 })
  // One of them has the tag already.
  expect(await on(TODAY, '12:10')).toHaveLength(1)
  await start({ add: ['North'] })
  await run()
  const sent = await on(TODAY, '12:20')
  expect(sent.map(({ subject }) => subject)).toEqual(
    Array(2).fill(expect.stringMatching(/^Notice: your contract renews/)),
  )
  expect(await preview({ remove: ['North'] })).toMatchObject({ emailsToday: 0 })
})

test('removing a tag can bring the notice that another rule asks for', async () => {
  const { as, add, preview } = await aRuledTag()
  await add({ tags: ['North'], renewalDate: '2026-04-20' })
  const long = { name: 'Long', unit: 'days', from: 60, until: 20, countedFrom: 'renewal_date', means: ['email'] }
  const { id: rule } = await as((ctx) => makeNoticeRule(ctx, MakeNoticeRule.parse({ ...long, contents: [] })))
  await as((ctx) => chooseNoticeRule(ctx, { rule }))
  expect(await preview({ remove: ['North'] })).toMatchObject({ count: 2, emailsToday: 1 })
})

test('no notice is counted of which a letter was mailed', async () => {
  const { as, add, preview, run } = await aRuledTag({ means: ['email', 'letter'] })
  const id = await add({ tags: ['North'] })
  await as((ctx) => postNotice(ctx, PostNotice.parse({ id, on: TODAY })))
  const untagged = BulkChange.parse({ action: 'tag', contracts: { ids: [id] }, remove: ['North'] })
  await as((ctx) => startBulk(ctx, untagged))
  await run()
  expect(await preview({ add: ['North'] })).toMatchObject({ count: 1, emailsToday: 0 })
  await add()
  expect(await preview({ add: ['North'] })).toMatchObject({ count: 2, emailsToday: 1 })
})

test('the contracts of another account are not counted', async () => {
  const theirs = await aRuledTag()
  const id = await theirs.add()
  const { request } = await aRuledTag()
  const change = BulkChange.parse({ action: 'tag', contracts: { ids: [id] }, add: ['North'] })
  expect(await previewBulk(requireReader(request), change)).toMatchObject({ count: 0, emailsToday: 0 })
})
