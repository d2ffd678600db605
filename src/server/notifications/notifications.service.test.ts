import { expect, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import {
  clearNotifications,
  countUnread,
  listNotifications,
  markAllRead,
  markRead,
  removeNotification,
  restoreNotifications,
} from './notifications.service.ts'

const world = useWorld()
const EVERY = { unread: false, limit: 50, skip: 0 }

/** An account with this many unread notifications; answers their ids, the latest first. */
async function aReaderOf(count: number) {
  const request = await anAccount(world)
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(
      `insert into notifications (account_id, type, title, message)
        select ?, 'other', 'Title ' || n, 'Message' from generate_series(1, ${count}) n`,
      [request.caller?.id],
    ),
  )
  return { request, ids: await idsOf(request) }
}

async function idsOf(request: RequestContext) {
  return (await listNotifications(requireReader(request), EVERY)).rows.map(({ id }) => id)
}

test('all are marked read at once, however many there are', async () => {
  const { request } = await aReaderOf(120)
  await asSubscriber(request, markAllRead)
  expect(await countUnread(requireReader(request))).toEqual({ count: 0 })
  expect(await listNotifications(requireReader(request), { ...EVERY, unread: true })).toMatchObject({ rows: [] })
  expect((await listNotifications(requireReader(request), EVERY)).rows[0]).toMatchObject({ isRead: true })
})

test('one is removed, and then is not found any more', async () => {
  const { request, ids } = await aReaderOf(3)
  const [first = 0, ...others] = ids
  await asSubscriber(request, (ctx) => removeNotification(ctx, { id: first }))
  expect(await idsOf(request)).toEqual(others)
  await expect(asSubscriber(request, (ctx) => removeNotification(ctx, { id: first }))).rejects.toMatchObject({
    key: 'NOTIFICATION_NOT_FOUND',
  })
})

test('clearing empties the list, and no one else is touched', async () => {
  const { request } = await aReaderOf(3)
  const { request: other, ids } = await aReaderOf(2)
  await asSubscriber(request, clearNotifications)
  expect(await idsOf(request)).toEqual([])
  expect(await idsOf(other)).toEqual(ids)
})

test("somebody else's cannot be removed", async () => {
  const { request, ids } = await aReaderOf(1)
  const other = await anAccount(world)
  await expect(asSubscriber(other, (ctx) => removeNotification(ctx, { id: ids[0] ?? 0 }))).rejects.toMatchObject({
    key: 'NOTIFICATION_NOT_FOUND',
  })
  expect(await idsOf(request)).toEqual(ids)
})

test('every one is listed and counted, however many there are, in pages that miss and repeat nothing', async () => {
  const { request } = await aReaderOf(123)
  const ctx = requireReader(request)
  const seen: number[] = []
  let page = await listNotifications(ctx, EVERY)
  for (;;) {
    seen.push(...page.rows.map(({ id }) => id))
    expect(page.total).toBe(123)
    if (!page.more || !page.last) break
    page = await listNotifications(ctx, { ...EVERY, after: page.last })
  }
  expect(new Set(seen).size).toBe(123)
  expect(seen).toHaveLength(123)
})

test('what was cleared since then is brought back, read or unread as it was, and nothing from before', async () => {
  const { request, ids } = await aReaderOf(4)
  const [read = 0, other = 0, longAgo = 0, kept = 0] = ids
  let now = new Date('2026-03-10T09:00:00Z')
  const clocked = { ...request, services: { ...request.services, now: () => now } }
  await asSubscriber(clocked, (ctx) => markRead(ctx, { id: read }))
  await asSubscriber(clocked, (ctx) => removeNotification(ctx, { id: longAgo }))
  now = new Date('2026-03-10T09:05:00Z')
  const { clearedAt } = await asSubscriber(clocked, (ctx) => removeNotification(ctx, { id: read }))
  await asSubscriber(clocked, (ctx) => removeNotification(ctx, { id: other }))
  expect(await idsOf(request)).toEqual([kept])
  expect(await countUnread(requireReader(request))).toEqual({ count: 1 })
  const restored = () => asSubscriber(clocked, (ctx) => restoreNotifications(ctx, { since: clearedAt }))
  expect(await restored()).toEqual({ restored: 2 })
  expect(await restored()).toEqual({ restored: 0 })
  expect(await idsOf(request)).toEqual([read, other, kept])
  expect(await countUnread(requireReader(request))).toEqual({ count: 2 })
})

test('what was cleared at once is brought back at once, and nothing of another account', async () => {
  const { request, ids } = await aReaderOf(3)
  const { request: other } = await aReaderOf(2)
  const { clearedAt } = await asSubscriber(request, clearNotifications)
  await asSubscriber(other, clearNotifications)
  expect(await asSubscriber(request, (ctx) => restoreNotifications(ctx, { since: clearedAt }))).toEqual({ restored: 3 })
  expect(await idsOf(request)).toEqual(ids)
  expect(await idsOf(other)).toEqual([])
})

test('what is cleared can neither be marked read nor cleared again', async () => {
  const { request, ids } = await aReaderOf(1)
  const id = ids[0] ?? 0
  await asSubscriber(request, clearNotifications)
  await expect(asSubscriber(request, (ctx) => markRead(ctx, { id }))).rejects.toMatchObject({
    key: 'NOTIFICATION_NOT_FOUND',
  })
  await expect(asSubscriber(request, (ctx) => removeNotification(ctx, { id }))).rejects.toMatchObject({
    key: 'NOTIFICATION_NOT_FOUND',
  })
})
