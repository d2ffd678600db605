import { describe, expect, test } from 'vitest'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { ListCustomers } from '#shared/schemas/filters.ts'
import { RenameTag } from '#shared/schemas/tags.ts'
import { SaveView } from '#shared/schemas/views.ts'
import type { RequestContext } from '#server/context.ts'
import { listActivity } from '#server/activity/activity.service.ts'
import { getContract, removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { getCustomer, listCustomers, removeCustomer, updateCustomer } from '#server/customers/customers.service.ts'
import { listTrash, restoreFromTrash } from '#server/trash/trash.service.ts'
import { listViews, saveView } from '#server/views/views.service.ts'
import { holdStatement } from '#support/held-rows.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { listTags, removeTag, renameTag } from './tags.service.ts'

const world = useWorld()

const tag = (request: RequestContext, id: number, tags: string[]) =>
  asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, tags })))
const rename = (request: RequestContext, from: string, to: string) =>
  asSubscriber(request, (ctx) => renameTag(ctx, RenameTag.parse({ tag: from, name: to })))
const tagsOf = async (request: RequestContext, id: number) => (await getContract(requireReader(request), { id })).tags

describe('a tag', () => {
  test('is spelled as the account first spelled it', async () => {
    const request = await anAccount(world)
    const { id, customerId } = await aContract(request, { tags: ['VIP', 'Café'] })
    expect(await tag(request, id, ['cafe', 'vip', 'North'])).toMatchObject({ tags: ['Café', 'VIP', 'North'] })
    const customer = { id: customerId, tags: ['north'] }
    expect(await asSubscriber(request, (ctx) => updateCustomer(ctx, UpdateCustomer.parse(customer)))).toMatchObject({
      tags: ['North'],
    })
    expect((await aCustomer(request, { name: 'Mill', tags: ['NORTH'] })).tags).toEqual(['North'])
  })

  test('is listed with how many contracts and customers have it', async () => {
    const request = await anAccount(world)
    const { id, customerId } = await aContract(request, { tags: ['VIP', 'Old'] })
    await aContract(request, { customerId, tags: ['vip'] })
    await aCustomer(request, { name: 'Mill', tags: ['North', 'VIP'] })
    await tag(request, id, ['VIP'])
    expect(await listTags(requireReader(request))).toEqual([
      { name: 'North', contracts: 0, customers: 1 },
      { name: 'Old', contracts: 0, customers: 0 },
      { name: 'VIP', contracts: 2, customers: 1 },
    ])
    expect(await listTags(requireReader(await anAccount(world)))).toEqual([])
  })

  test('that is added or removed stands in the activity, and counts as a change', async () => {
    const request = await anAccount(world)
    const { id, version } = await aContract(request, { tags: ['VIP'] })
    expect(await tag(request, id, [])).toMatchObject({ tags: [], version: version + 1 })
    await tag(request, id, ['VIP', 'North'])
    const activity = { about: 'contract', id, limit: 10, skip: 0 } as const
    expect(await listActivity(requireReader(request), activity)).toMatchObject({
      rows: [
        { changes: [{ field: 'tags', before: null, after: 'VIP, North' }] },
        { changes: [{ field: 'tags', before: 'VIP', after: null }] },
        { action: 'created' },
      ],
    })
  })

  test('that is the same in two calls at once is spelled in one way', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request)
    const spellings = ['vip', 'VIP', 'Vip', 'vIP']
    const made = await Promise.all(spellings.map((one) => aContract(request, { customerId, tags: [one] })))
    expect(new Set(made.flatMap(({ tags }) => tags)).size).toBe(1)
  })

  test('is one of 500 at most', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, { tags: ['VIP'] })
    const accountId = request.caller?.id
    const many = `insert into tags (account_id, name, key) select ${accountId}, 't' || n, 't' || n from generate_series(2, 500) n`
    await world.db.writeAs(accountId ?? 0, (em) => em.execute(many))
    await expect(tag(request, id, ['One more'])).rejects.toMatchObject({ key: 'TAGS_FULL' })
    expect(await tag(request, id, ['vip', 't7'])).toMatchObject({ tags: ['VIP', 't7'] })
  })
})

describe('renaming', () => {
  test('changes a tag wherever it is', async () => {
    const request = await anAccount(world)
    const { id, customerId } = await aContract(request, { tags: ['North', 'VIP'] })
    const customer = await aCustomer(request, { name: 'Mill', tags: ['VIP'] })
    expect(await rename(request, 'vip', 'Key Account')).toEqual({ name: 'Key Account', contracts: 1, customers: 1 })
    expect(await tagsOf(request, id)).toEqual(['North', 'Key Account'])
    expect(await getCustomer(requireReader(request), { id: customer.id })).toMatchObject({ tags: ['Key Account'] })
    expect(await getCustomer(requireReader(request), { id: customerId })).toMatchObject({ version: 1 })
  })

  test('to another tag makes the two one', async () => {
    const request = await anAccount(world)
    const { id, customerId } = await aContract(request, { tags: ['VIP', 'Key'] })
    const { id: other } = await aContract(request, { customerId, tags: ['Key', 'North'] })
    expect(await rename(request, 'Key', 'vip')).toEqual({ name: 'VIP', contracts: 2, customers: 0 })
    expect(await tagsOf(request, id)).toEqual(['VIP'])
    expect(await tagsOf(request, other)).toEqual(['VIP', 'North'])
    expect((await listTags(requireReader(request))).map(({ name }) => name)).toEqual(['North', 'VIP'])
  })

  test.each([
    { meanwhile: 'is added', statement: `insert into tags (account_id, name, key) values ($1, 'Gold', 'gold')` },
    {
      meanwhile: 'gets its name',
      statement: `update tags set name = 'Gold', key = 'gold' where account_id = $1 and key = 'red'`,
    },
  ])('to one that $meanwhile meanwhile makes the two one', async ({ statement }) => {
    const request = await anAccount(world)
    const { id } = await aContract(request, { tags: ['Silver', 'Red'] })
    await using other = await holdStatement(world, statement, [request.caller?.id])
    const renaming = rename(request, 'Silver', 'GOLD')
    renaming.catch(() => {})
    await other.waitedFor(1)
    await other.release()
    expect(await renaming).toEqual({ name: 'Gold', contracts: 1, customers: 0 })
    expect(await tagsOf(request, id)).toContain('Gold')
    expect((await listTags(requireReader(request))).map(({ name }) => name)).not.toContain('Silver')
  })

  test('to one that is removed meanwhile makes it anew', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, { tags: ['Silver', 'Gold'] })
    const account = request.caller?.id
    await using other = await holdStatement(
      world,
      `select from tags where account_id = $1 and key = 'gold' for update`,
      [account],
    )
    const renaming = rename(request, 'Silver', 'Gold')
    renaming.catch(() => {})
    await other.waitedFor(1)
    await other.holder.query(`update contracts set tags = array_remove(tags, 'Gold') where id = $1`, [id])
    await other.holder.query(`delete from tags where account_id = $1 and key = 'gold'`, [account])
    await other.release()
    expect(await renaming).toEqual({ name: 'Gold', contracts: 1, customers: 0 })
    expect(await tagsOf(request, id)).toEqual(['Gold'])
  })

  test('keeps views that filter by the tag', async () => {
    const request = await anAccount(world)
    await aContract(request, { tags: ['VIP', 'North'] })
    const view = SaveView.parse({ name: 'Ours', search: { tag: 'north,vip', status: 'active' } })
    await asSubscriber(request, (ctx) => saveView(ctx, view))
    await rename(request, 'VIP', 'Key Account')
    expect(await listViews(requireReader(request))).toMatchObject([
      { search: { tag: 'north,Key Account', status: 'active' } },
    ])
    await rename(request, 'Key Account', 'North')
    expect(await listViews(requireReader(request))).toMatchObject([{ search: { tag: 'north' } }])
  })

  test('to another spelling of the same keeps it one tag', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, { tags: ['vip'] })
    expect(await rename(request, 'vip', 'VIP')).toEqual({ name: 'VIP', contracts: 1, customers: 0 })
    expect(await tagsOf(request, id)).toEqual(['VIP'])
  })
})

test('removing takes a tag off whatever has it', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request, { tags: ['VIP', 'North'] })
  await asSubscriber(request, (ctx) => removeTag(ctx, { tag: 'vip' }))
  expect(await tagsOf(request, id)).toEqual(['North'])
  expect(await listTags(requireReader(request))).toMatchObject([{ name: 'North' }])
})

test('what is in the trash comes back with its tags as they are by then, and still says who deleted it', async () => {
  const request = await anAccount(world)
  const { id, customerId } = await aContract(request, { tags: ['VIP', 'Old'] })
  const customer = { id: customerId, tags: ['VIP'] }
  await asSubscriber(request, (ctx) => updateCustomer(ctx, UpdateCustomer.parse(customer)))
  await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
  await asSubscriber(request, (ctx) => removeCustomer(ctx, { id: customerId }))
  const key = { ...request, db: world.db.as('key:1') }
  expect(await rename(key, 'VIP', 'Key Account')).toEqual({ name: 'Key Account', contracts: 0, customers: 0 })
  await asSubscriber(key, (ctx) => removeTag(ctx, { tag: 'Old' }))
  const trash = await listTrash(requireReader(request), { limit: 10, skip: 0 })
  expect(trash.rows).toMatchObject([{ deletedBy: { kind: 'person' } }, { deletedBy: { kind: 'person' } }])
  await asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers: [], contracts: [id] }))
  expect(await tagsOf(request, id)).toEqual(['Key Account'])
  expect(await getCustomer(requireReader(request), customer)).toMatchObject({ tags: ['Key Account'] })
})

test("another account's tag is not found", async () => {
  const owner = await anAccount(world)
  const { id } = await aContract(owner, { tags: ['VIP'] })
  const request = await anAccount(world)
  await expect(rename(request, 'VIP', 'Mine')).rejects.toMatchObject({ key: 'TAG_NOT_FOUND' })
  await expect(asSubscriber(request, (ctx) => removeTag(ctx, { tag: 'VIP' }))).rejects.toMatchObject({
    key: 'TAG_NOT_FOUND',
  })
  expect(await tagsOf(owner, id)).toEqual(['VIP'])
})

test('customers are found by their tags, all of them, also with a search', async () => {
  const request = await anAccount(world)
  await aCustomer(request, { name: 'Harbor', tags: ['VIP', 'North'] })
  await aCustomer(request, { name: 'Mill', tags: ['VIP'] })
  await aCustomer(request, { name: 'Harbor Two' })
  const found = async (filter: object) => {
    const { rows, total } = await listCustomers(requireReader(request), ListCustomers.parse(filter))
    return { names: rows.map(({ name }) => name), total }
  }
  expect(await found({ tag: 'vip' })).toEqual({ names: ['Harbor', 'Mill'], total: 2 })
  expect(await found({ tag: ['north', 'VIP'] })).toEqual({ names: ['Harbor'], total: 1 })
  expect(await found({ tag: 'vip,lost' })).toEqual({ names: [], total: 0 })
  expect(await found({ tag: 'vip', search: 'harbor' })).toEqual({ names: ['Harbor'], total: 1 })
})
