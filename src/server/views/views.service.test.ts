import { expect, test } from 'vitest'
import { ContractFilter } from '#shared/schemas/filters.ts'
import { ChangeView, SaveView } from '#shared/schemas/views.ts'
import type { RequestContext } from '#server/context.ts'
import { watchQueue } from '#support/held-rows.ts'
import { anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { changeView, listViews, removeView, saveView } from './views.service.ts'

const world = useWorld()

const save = (request: RequestContext, name: string, others: object = {}) =>
  asSubscriber(request, (ctx) => saveView(ctx, SaveView.parse({ name, search: {}, ...others })))
const change = (request: RequestContext, id: number, changes: object) =>
  asSubscriber(request, (ctx) => changeView(ctx, ChangeView.parse({ id, ...changes })))
const remove = (request: RequestContext, id: number) => asSubscriber(request, (ctx) => removeView(ctx, { id }))
const namesOf = async (request: RequestContext) => {
  const views = await listViews(requireReader(request))
  expect(views.map(({ position }) => position)).toEqual(views.map((_, at) => at + 1))
  return views.map(({ name }) => name)
}

test('a view has its filters, order and columns, and what there is not is refused', async () => {
  const request = await anAccount(world)
  const search = {
    tag: ['VIP', 'north'],
    amountFrom: '12.50',
    sort: 'amount',
    direction: 'desc',
    columns: 'tags,lost,amount',
  }
  const saved = await save(request, 'Large', { search })
  expect(saved).toEqual({
    id: saved.id,
    name: 'Large',
    position: 1,
    search: { tag: 'VIP,north', amountFrom: 12.5, sort: 'amount', direction: 'desc', columns: 'tags,amount' },
  })
  const { columns: _columns, ...filter } = saved.search
  expect(ContractFilter.parse(filter)).toEqual(filter)
  expect(SaveView.safeParse({ name: 'x', search: { lost: 1 } }).success).toBe(false)
  expect(SaveView.safeParse({ name: ' ', search: {} }).success).toBe(false)
})

test('views are renamed, changed and moved', async () => {
  const request = await anAccount(world)
  const [a, b, c] = [await save(request, 'A'), await save(request, 'B'), await save(request, 'C')]
  await save(request, 'First', { position: 1 })
  expect(await namesOf(request)).toEqual(['First', 'A', 'B', 'C'])
  await change(request, c.id, { position: 2 })
  expect(await namesOf(request)).toEqual(['First', 'C', 'A', 'B'])
  await change(request, a.id, { position: 50 })
  expect(await namesOf(request)).toEqual(['First', 'C', 'B', 'A'])
  expect(await change(request, b.id, { name: 'Bee', search: { noPdf: true } })).toMatchObject({
    name: 'Bee',
    position: 3,
    search: { noPdf: true },
  })
  await remove(request, c.id)
  expect(await namesOf(request)).toEqual(['First', 'Bee', 'A'])
})

test('a name is taken in any case', async () => {
  const request = await anAccount(world)
  await save(request, 'Café')
  const { id } = await save(request, 'Other')
  await expect(save(request, 'CAFE')).rejects.toMatchObject({ key: 'VIEW_NAME_TAKEN' })
  await expect(change(request, id, { name: 'cafe' })).rejects.toMatchObject({ key: 'VIEW_NAME_TAKEN' })
  await save(await anAccount(world), 'Café')
})

test('there are 50 at most', async () => {
  const request = await anAccount(world)
  for (let n = 1; n <= 50; n += 1) await save(request, `View ${n}`)
  await expect(save(request, 'One more')).rejects.toMatchObject({ key: 'VIEWS_FULL' })
})

test('of two saved at once in the last place, one is refused', async () => {
  const request = await anAccount(world)
  for (let n = 1; n <= 49; n += 1) await save(request, `View ${n}`)
  await using queue = await watchQueue(world)
  const [saved, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = asSubscriber(request, async (ctx) => {
    await saveView(ctx, SaveView.parse({ name: 'One', search: {} }))
    saved.resolve()
    await held.promise
  })
  await saved.promise
  const refusal = save(request, 'Another').catch((error: unknown) => error)
  await queue.waitedFor(1)
  held.resolve()
  await first
  expect(await refusal).toMatchObject({ key: 'VIEWS_FULL' })
  expect(await namesOf(request)).toHaveLength(50)
})

test("another account's view is not found", async () => {
  const owner = await anAccount(world)
  const { id } = await save(owner, 'Theirs')
  const request = await anAccount(world)
  await expect(change(request, id, { name: 'Mine' })).rejects.toMatchObject({ key: 'VIEW_NOT_FOUND' })
  await expect(remove(request, id)).rejects.toMatchObject({ key: 'VIEW_NOT_FOUND' })
  expect(await namesOf(owner)).toEqual(['Theirs'])
  expect(await namesOf(request)).toEqual([])
})
