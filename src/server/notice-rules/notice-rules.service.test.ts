import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AdoptNoticeRule, ChangeNoticeRule, ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { RenameTag } from '#shared/schemas/tags.ts'
import type { RequestContext } from '#server/context.ts'
import { removeContract } from '#server/contracts/contracts.service.ts'
import { renameTag } from '#server/tags/tags.service.ts'
import { watchQueue } from '#support/held-rows.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { choicesJoined, CHOSEN_RULE_ID } from './chosen-rule.ts'
import { chooseNoticeRule, noticeChoiceOfCustomer, noticeWindowOfContract } from './notice-choices.service.ts'
import { NOTICED_TABLES } from './noticed-contracts.ts'
import {
  adoptNoticeRule,
  changeNoticeRule,
  listNoticeRules,
  makeNoticeRule,
  removeNoticeRule,
} from './notice-rules.service.ts'

const world = useWorld()

const A_RULE = {
  name: 'Ours',
  unit: 'days',
  from: 30,
  until: 10,
  countedFrom: 'renewal_date',
  means: ['email'],
} as const
const AUTOMATIC = {
  renews: 'automatic',
  renewalCycle: 'yearly',
  renewalDate: '2026-09-01',
  noticePeriod: '30 days',
} as const

const make = (request: RequestContext, name = 'Ours') =>
  asSubscriber(request, (ctx) => makeNoticeRule(ctx, MakeNoticeRule.parse({ ...A_RULE, name })))
const choose = (request: RequestContext, choice: object) =>
  asSubscriber(request, (ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse(choice)))
/** The window of a contract; lists of very many contracts find the same rule by joins. */
async function windowOf(request: RequestContext, id: number) {
  const ctx = requireReader(request)
  const window = await noticeWindowOfContract(ctx, { id })
  const joined = sql`
    select ${CHOSEN_RULE_ID} as id from ${NOTICED_TABLES} ${choicesJoined(ctx.accountId)}
    where k.account_id = ${ctx.accountId} and k.id = ${id}`
  expect(await ctx.read(joined, z.object({ id: z.int().nullable() }))).toEqual([{ id: window.rule?.id ?? null }])
  return window
}

describe('a rule', () => {
  test('applies to no contract until it is chosen', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, AUTOMATIC)
    const rule = await make(request)
    expect(rule).toMatchObject({ days: '30 to 10 days before the renewal date', preset: null, citation: null })
    expect(await windowOf(request, id)).toMatchObject({ rule: null, window: null, chosenFor: null, own: 'inherited' })
    await choose(request, { rule: rule.id })
    expect(await windowOf(request, id)).toMatchObject({
      rule: { id: rule.id },
      chosenFor: 'account',
      window: { from: '2026-08-02', through: '2026-08-22' },
      derivation: 'Between Aug 2, 2026 and Aug 22, 2026: 30 to 10 days before Sep 1, 2026, the renewal date',
      why: null,
    })
  })

  test('is taken over from a law with its citation and the day it was read', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, AUTOMATIC)
    const rule = await asSubscriber(request, (ctx) =>
      adoptNoticeRule(ctx, AdoptNoticeRule.parse({ preset: 'new_york_services' })),
    )
    expect(rule).toMatchObject({
      citation: 'New York General Obligations Law 5-903',
      readOn: '2026-11-22',
      means: ['letter'],
      days: '30 to 15 days before the last day for notice',
    })
    await choose(request, { contractId: id, rule: rule.id })
    expect(await windowOf(request, id)).toMatchObject({
      window: { from: '2026-07-03', through: '2026-07-18' },
      advice: expect.stringContaining('not legal advice'),
    })
  })

  test('says why a contract has no window', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, { ...AUTOMATIC, renews: 'by_agreement' })
    const rule = await make(request)
    await choose(request, { rule: rule.id })
    expect(await windowOf(request, id)).toMatchObject({
      rule: { id: rule.id },
      window: null,
      why: 'not_automatic',
      derivation: 'The contract does not renew automatically',
    })
  })

  test('of a law can be kept by email only where the law lets customers agree to that', async () => {
    const request = await anAccount(world)
    const adopt = (preset: string) =>
      asSubscriber(request, (ctx) => adoptNoticeRule(ctx, AdoptNoticeRule.parse({ preset, emailAgreed: true })))
    expect(await adopt('wisconsin_business')).toMatchObject({ means: ['email', 'letter'] })
    await expect(adopt('new_york_services')).rejects.toMatchObject({ key: 'NOTICE_EMAIL_DOES_NOT_COUNT' })
  })

  test('of a law cannot be changed, and one of our own can', async () => {
    const request = await anAccount(world)
    const law = await asSubscriber(request, (ctx) =>
      adoptNoticeRule(ctx, AdoptNoticeRule.parse({ preset: 'new_york_leases' })),
    )
    const own = await make(request)
    const change = (id: number) =>
      asSubscriber(request, (ctx) => changeNoticeRule(ctx, ChangeNoticeRule.parse({ ...A_RULE, id, until: 20 })))
    expect(await change(own.id)).toMatchObject({ id: own.id, until: 20 })
    await expect(change(law.id)).rejects.toMatchObject({ key: 'NOTICE_RULE_OF_LAW' })
    const other = await anAccount(world)
    await expect(
      asSubscriber(other, (ctx) => changeNoticeRule(ctx, ChangeNoticeRule.parse({ ...A_RULE, id: own.id }))),
    ).rejects.toMatchObject({ key: 'NOTICE_RULE_NOT_FOUND' })
  })

  test('that is removed no longer applies, and what is chosen less specifically does', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, AUTOMATIC)
    const [general, special] = [await make(request, 'General'), await make(request, 'Special')]
    await choose(request, { rule: general.id })
    await choose(request, { contractId: id, rule: special.id })
    await asSubscriber(request, (ctx) => removeNoticeRule(ctx, { id: special.id }))
    expect(await windowOf(request, id)).toMatchObject({ rule: { name: 'General' }, own: 'inherited' })
    expect((await listNoticeRules(requireReader(request))).rules).toMatchObject([{ name: 'General' }])
  })

  test('is one of at most fifty', async () => {
    const request = await anAccount(world)
    for (let made = 0; made < 50; made += 1) await make(request)
    await expect(make(request)).rejects.toMatchObject({ key: 'NOTICE_RULES_FULL' })
  })

  test('is one of at most fifty also of two that are added at once', async () => {
    const request = await anAccount(world)
    for (let made = 0; made < 49; made += 1) await make(request)
    await using queue = await watchQueue(world)
    const { second } = await asSubscriber(request, async (ctx) => {
      await makeNoticeRule(ctx, MakeNoticeRule.parse(A_RULE))
      const made = Promise.allSettled([make(request)])
      await Promise.race([made, queue.waitedFor(1)])
      return { second: made }
    })
    expect(await second).toMatchObject([{ status: 'rejected', reason: { key: 'NOTICE_RULES_FULL' } }])
  })

  test.each([
    [{ from: 5, until: 10 }, 'The window must not end before it begins'],
    [{ unit: 'months', from: 25 }, 'Must be at most 24 months'],
    [{ until: 0 }, 'Must be at least 1: contracts renew early on their renewal date'],
    [{ means: [] }, 'Choose at least one way'],
    [{ means: ['email', 'email'] }, 'Something is in the list twice'],
    [{ name: ' ' }, 'Enter a name'],
  ])('with %j is refused', (changes, message) => {
    expect(MakeNoticeRule.safeParse({ ...A_RULE, ...changes }).error?.issues[0]?.message).toBe(message)
  })
})

describe('of several choices', () => {
  test('the most specific counts: contract, customer, tag, account', async () => {
    const request = await anAccount(world)
    const { id, customerId } = await aContract(request, { ...AUTOMATIC, tags: ['Maintenance'] })
    const names = ['Account', 'Tag', 'Customer', 'Contract'] as const
    const rules = new Map<string, number>()
    for (const name of names) rules.set(name, (await make(request, name)).id)
    const applied = async () => {
      const { rule, chosenFor, tag } = await windowOf(request, id)
      return [rule?.name, chosenFor, tag]
    }
    await choose(request, { rule: rules.get('Account') })
    expect(await applied()).toEqual(['Account', 'account', null])
    await choose(request, { tag: 'maintenance', rule: rules.get('Tag') })
    expect(await applied()).toEqual(['Tag', 'tag', 'Maintenance'])
    await choose(request, { customerId, rule: rules.get('Customer') })
    expect(await applied()).toEqual(['Customer', 'customer', null])
    await choose(request, { contractId: id, rule: rules.get('Contract') })
    expect(await applied()).toEqual(['Contract', 'contract', null])
    await choose(request, { contractId: id, rule: 'none' })
    expect(await windowOf(request, id)).toMatchObject({ rule: null, chosenFor: 'contract', own: 'none' })
    await choose(request, { contractId: id, rule: 'inherited' })
    expect(await applied()).toEqual(['Customer', 'customer', null])
    expect(await noticeChoiceOfCustomer(requireReader(request), { id: customerId })).toEqual({
      own: rules.get('Customer'),
    })
  })

  test('the rule made first counts among tags, of the contract and of its customer', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request, { name: 'Harbor', tags: ['New York'] })
    const { id } = await aContract(request, { ...AUTOMATIC, customerId, tags: ['Maintenance', 'None'] })
    const [first, second] = [await make(request, 'First'), await make(request, 'Second')]
    await choose(request, { tag: 'None', rule: 'none' })
    expect(await windowOf(request, id)).toMatchObject({ rule: null, chosenFor: 'tag' })
    await choose(request, { tag: 'Maintenance', rule: second.id })
    expect(await windowOf(request, id)).toMatchObject({ rule: { name: 'Second' } })
    await choose(request, { tag: 'New York', rule: first.id })
    expect(await windowOf(request, id)).toMatchObject({ rule: { name: 'First' }, tag: 'New York' })
  })

  test('those of a renamed tag stay, and a tag that becomes another brings its rule along', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, { ...AUTOMATIC, tags: ['Old'] })
    await aCustomer(request, { name: 'Mill', tags: ['Other'] })
    const rule = await make(request)
    const rename = (tag: string, name: string) =>
      asSubscriber(request, (ctx) => renameTag(ctx, RenameTag.parse({ tag, name })))
    await choose(request, { tag: 'Old', rule: rule.id })
    await rename('Old', 'New')
    expect(await windowOf(request, id)).toMatchObject({ rule: { id: rule.id }, tag: 'New' })
    await rename('New', 'Other')
    expect(await windowOf(request, id)).toMatchObject({ rule: { id: rule.id }, tag: 'Other' })
    expect((await listNoticeRules(requireReader(request))).chosen.tags).toEqual([{ tag: 'Other', rule: rule.id }])
  })
})

describe('a choice', () => {
  test("of another account's rule, contract, customer or tag is not found", async () => {
    const theirs = await anAccount(world)
    const { id, customerId } = await aContract(theirs, { ...AUTOMATIC, tags: ['Theirs'] })
    const theirRule = await make(theirs)
    const request = await anAccount(world)
    const rule = await make(request)
    const key = (refusal: string) => expect.objectContaining({ key: refusal })
    await expect(choose(request, { rule: theirRule.id })).rejects.toEqual(key('NOTICE_RULE_NOT_FOUND'))
    await expect(choose(request, { contractId: id, rule: rule.id })).rejects.toEqual(key('CONTRACT_NOT_FOUND'))
    await expect(choose(request, { customerId, rule: rule.id })).rejects.toEqual(key('CUSTOMER_NOT_FOUND'))
    await expect(choose(request, { tag: 'Theirs', rule: rule.id })).rejects.toEqual(key('TAG_NOT_FOUND'))
    await expect(windowOf(request, id)).rejects.toEqual(key('CONTRACT_NOT_FOUND'))
    await expect(noticeChoiceOfCustomer(requireReader(request), { id: customerId })).rejects.toEqual(
      key('CUSTOMER_NOT_FOUND'),
    )
  })

  test('for a contract in the trash is not found', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, AUTOMATIC)
    const rule = await make(request)
    await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    await expect(choose(request, { contractId: id, rule: rule.id })).rejects.toMatchObject({
      key: 'CONTRACT_NOT_FOUND',
    })
  })

  test('is for one thing at a time', () => {
    expect(ChooseNoticeRule.safeParse({ contractId: 1, customerId: 2, rule: 3 }).success).toBe(false)
  })
})
