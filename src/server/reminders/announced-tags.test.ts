import { describe, expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { PostNotice } from '#shared/schemas/notices.ts'
import { AnnounceCustomerTags, AnnounceTag } from '#shared/schemas/reminders.ts'
import { RenameTag } from '#shared/schemas/tags.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { listNoticeRules, makeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { postNotice } from '#server/notices/post-notice.service.ts'
import { removeTag, renameTag } from '#server/tags/tags.service.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { aContract, aCustomer, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { announceCustomerTags, announceTag } from './announced-tags.service.ts'

const world = useWorld()

const TODAY = toDay('2026-03-10')
const NOTICE = expect.stringMatching(/^Notice: your contract renews/)
/** Due on TODAY for contracts that renew in May, of which the other rule wants none yet. */
const LONG = { name: 'Long', unit: 'days', from: 90, until: 30, countedFrom: 'renewal_date', means: ['email'] }

/** An account with a rule for the tag North alone: notice by email 30 to 15 days before, or as given. */
async function aRuledTag(rule: object = {}) {
  const noticed = await aNoticedContract(world, { rule, contract: { renewalDate: '2027-04-05' } })
  const { request, customerId, on } = noticed
  const as = <Result>(work: Parameters<typeof asSubscriber<Result>>[1]) => asSubscriber(request, work)
  const [made] = (await listNoticeRules(requireReader(request))).rules
  const choose = (choice: object) => as((ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse(choice)))
  const addLong = () => as((ctx) => makeNoticeRule(ctx, MakeNoticeRule.parse({ ...LONG, contents: [] })))
  const terms = { renews: 'automatic', renewalCycle: 'yearly', renewalDate: '2026-04-08' } as const
  const add = (given: object = {}) => aContract(request, { customerId, ...terms, ...given })
  // So that the account has it.
  const { id: tagged } = await aCustomer(request, { name: 'Birch', email: 'new@harbor.test', tags: ['North'] })
  await choose({ rule: 'none' })
  await choose({ tag: 'North', rule: made?.id })
  await on(TODAY)
  return {
    ...noticed,
    tagged,
    as,
    add,
    addLong,
    choose,
    ofCustomer: (tags: string[], id = customerId) =>
      announceCustomerTags(requireReader(request), AnnounceCustomerTags.parse({ id, tags })),
    ofTag: (tag: string, name?: string) => announceTag(requireReader(request), AnnounceTag.parse({ tag, name })),
    retag: (tags: string[], id = customerId) => as((ctx) => updateCustomer(ctx, UpdateCustomer.parse({ id, tags }))),
    rename: (tag: string, name: string) => as((ctx) => renameTag(ctx, RenameTag.parse({ tag, name }))),
    remove: (tag: string) => as((ctx) => removeTag(ctx, { tag })),
    subjects: async (hour: string) => (await on(TODAY, hour)).map(({ subject }) => subject),
  }
}

describe('notices that tags of a customer bring today are said beforehand', () => {
  test('of all of its contracts, and so they come', async () => {
    const { request, add, ofCustomer, retag, subjects } = await aRuledTag()
    for (const terms of [{}, {}, { renewalDate: '2026-06-01' }, { renews: 'by_agreement' }]) await add(terms)
    const { id: other } = await aCustomer(request, { name: 'Cafe', email: 'new@harbor.test' })
    await add({ customerId: other })
    expect(await ofCustomer(['NORTH', 'New'])).toEqual({ notices: 2, isAll: true })
    expect(await subjects('12:10')).toEqual([])
    await retag(['NORTH', 'New'])
    expect(await subjects('12:20')).toEqual([NOTICE, NOTICE])
    expect(await ofCustomer(['North', 'Newer'])).toEqual({ notices: 0, isAll: true })
  })

  test('of all, however many there are', async () => {
    const { request, customerId, ofCustomer } = await aRuledTag()
    const many = `insert into contracts (account_id, customer_id, amount_cents, renewal_cycle, start_date, renewal_date, status, renews)
      select ?, ?, 100, 'yearly', '2025-04-01', '2026-04-08', 'active', 'automatic' from generate_series(1, 501)`
    const accountId = request.caller?.id ?? 0
    await world.db.writeAs(accountId, (em) => em.execute(many, [accountId, customerId]))
    expect(await ofCustomer(['North'])).toEqual({ notices: 501, isAll: true })
  })

  test('not of a contract that has the tag itself', async () => {
    const { add, ofCustomer, retag, subjects } = await aRuledTag()
    await add({ tags: ['North'] })
    await subjects('12:10')
    expect(await ofCustomer(['North'])).toEqual({ notices: 0, isAll: true })
    await retag(['North'])
    expect(await subjects('12:20')).toEqual([])
  })

  test('that lose one, where the rule for all then applies', async () => {
    const { tagged, add, addLong, choose, ofCustomer, retag, subjects } = await aRuledTag()
    await choose({ rule: (await addLong()).id })
    await add({ customerId: tagged, renewalDate: '2026-05-20' })
    expect(await subjects('12:10')).toEqual([])
    expect(await ofCustomer([], tagged)).toEqual({ notices: 1, isAll: true })
    await retag([], tagged)
    expect(await subjects('12:20')).toEqual([NOTICE])
  })

  test('none where no rule is chosen for what changes', async () => {
    const { tagged, add, addLong, choose, ofCustomer } = await aRuledTag()
    await choose({ rule: (await addLong()).id })
    await add({ customerId: tagged, renewalDate: '2026-04-08' })
    expect(await ofCustomer(['North', 'South'], tagged)).toEqual({ notices: 0, isAll: true })
  })

  test('in one statement where no rule is chosen for what changes, nor for tags that change', async () => {
    const { request, tagged } = await aRuledTag()
    await aCustomer(request, { name: 'Cafe', tags: ['South', 'West'] })
    const reader = requireReader(request)
    let statements = 0
    const read = new Proxy(reader.read, {
      apply: (target, self, asked) => {
        statements += 1
        return Reflect.apply(target, self, asked)
      },
    })
    const ctx = { ...reader, read }
    await announceCustomerTags(ctx, { id: tagged, tags: ['North', 'South'] })
    expect(statements).toBe(1)
    for (const change of [{ tag: 'South', name: 'West' }, { tag: 'South', name: 'New' }, { tag: 'South' }])
      await announceTag(ctx, change)
    expect(statements).toBe(4)
    await announceTag(ctx, { tag: 'North', name: 'West' })
    expect(statements).toBeGreaterThan(5)
  })

  test('none of which a letter was mailed', async () => {
    const { as, add, ofCustomer, retag, subjects } = await aRuledTag({ means: ['email', 'letter'] })
    const { id } = await add({ tags: ['North'] })
    await as((ctx) => postNotice(ctx, PostNotice.parse({ id, on: TODAY })))
    expect(await ofCustomer(['North'])).toEqual({ notices: 0, isAll: true })
    await retag(['North'])
    expect(await subjects('12:10')).toEqual([])
  })

  test('by the owner of the customer alone', async () => {
    const { customerId } = await aRuledTag()
    const { ofCustomer } = await aRuledTag()
    await expect(ofCustomer(['North'], customerId)).rejects.toMatchObject({ key: 'CUSTOMER_NOT_FOUND' })
  })
})

describe('notices that a tag brings by becoming another one are said beforehand', () => {
  test('of contracts and of customers that have it, and so they come', async () => {
    const { request, add, ofTag, rename, subjects } = await aRuledTag()
    const { id: other } = await aCustomer(request, { name: 'Cafe', email: 'new@harbor.test', tags: ['South'] })
    for (const terms of [{ tags: ['South'] }, { customerId: other }, {}, { tags: ['South', 'North'] }]) await add(terms)
    // One of them has the tag of the rule already.
    expect(await subjects('12:10')).toEqual([NOTICE])
    expect(await ofTag('south', 'NORTH')).toEqual({ notices: 2, isAll: true })
    await rename('south', 'NORTH')
    expect(await subjects('12:20')).toEqual([NOTICE, NOTICE])
  })

  test('of those of the other one, which gets its rule', async () => {
    const { add, ofTag, rename, subjects } = await aRuledTag()
    await add({ tags: ['South'] })
    expect(await ofTag('North', 'South')).toEqual({ notices: 1, isAll: true })
    await rename('North', 'South')
    expect(await subjects('12:10')).toEqual([NOTICE])
  })

  test('by the rule of the other one, if both have one', async () => {
    const { add, addLong, choose, ofTag, rename, subjects } = await aRuledTag()
    await add({ tags: ['North'], renewalDate: '2026-05-20' })
    await add({ tags: ['South'], renewalDate: '2026-04-08' })
    await choose({ tag: 'South', rule: (await addLong()).id })
    expect(await subjects('12:10')).toEqual([])
    expect(await ofTag('North', 'South')).toEqual({ notices: 1, isAll: true })
    expect(await ofTag('South', 'North')).toEqual({ notices: 1, isAll: true })
    await rename('North', 'South')
    expect(await subjects('12:20')).toEqual([NOTICE])
  })

  test('none where it only gets another name, which keeps its rule', async () => {
    const { add, ofTag, rename, subjects } = await aRuledTag()
    await add({ tags: ['North'] })
    await subjects('12:10')
    for (const name of ['NORTH', 'Far North']) expect(await ofTag('North', name)).toEqual({ notices: 0, isAll: true })
    await rename('North', 'Far North')
    expect(await subjects('12:20')).toEqual([])
  })
})

describe('notices that removing a tag brings are said beforehand', () => {
  test('where the rule for all then applies, and so they come', async () => {
    const { tagged, add, addLong, choose, ofTag, remove, subjects } = await aRuledTag()
    await choose({ rule: (await addLong()).id })
    for (const terms of [{ tags: ['North'] }, { customerId: tagged }, { customerId: tagged, tags: ['North'] }])
      await add({ renewalDate: '2026-05-20', ...terms })
    expect(await subjects('12:10')).toEqual([])
    expect(await ofTag('north')).toEqual({ notices: 3, isAll: true })
    await remove('north')
    expect(await subjects('12:20')).toEqual([NOTICE, NOTICE, NOTICE])
  })

  test('where it was chosen that no rule applies to it', async () => {
    const { add, addLong, choose, ofTag, remove, subjects } = await aRuledTag()
    await choose({ rule: (await addLong()).id })
    await add({ tags: ['Quiet'], renewalDate: '2026-05-20' })
    await choose({ tag: 'Quiet', rule: 'none' })
    expect(await subjects('12:10')).toEqual([])
    expect(await ofTag('Quiet')).toEqual({ notices: 1, isAll: true })
    await remove('Quiet')
    expect(await subjects('12:20')).toEqual([NOTICE])
  })

  test('none where no rule applies then', async () => {
    const { add, ofTag } = await aRuledTag()
    await add({ tags: ['North'] })
    expect(await ofTag('North')).toEqual({ notices: 0, isAll: true })
  })

  test("by the owner of the tag alone, and never of another account's contracts", async () => {
    const theirs = await aRuledTag()
    await theirs.add({ tags: ['Theirs'] })
    const { ofTag } = await aRuledTag()
    await expect(ofTag('Theirs')).rejects.toMatchObject({ key: 'TAG_NOT_FOUND' })
    await expect(ofTag('Theirs', 'North')).rejects.toMatchObject({ key: 'TAG_NOT_FOUND' })
    expect(await ofTag('North', 'Theirs')).toEqual({ notices: 0, isAll: true })
  })
})
