import { expect, test } from 'vitest'
import { NOTIFICATION_TYPES } from '#shared/schemas/notifications.ts'
import type { RequestContext } from '#server/context.ts'
import { anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import {
  clearNotifications,
  countUnread,
  listNotifications,
  markAllRead,
  removeNotification,
} from './notifications.service.ts'
import { notify } from './notify.ts'

const world = useWorld()
const EVERY = { unread: false, limit: 50 }

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
  return (await listNotifications(requireReader(request), EVERY)).map(({ id }) => id)
}

test.each(NOTIFICATION_TYPES)('a notification of every kind can be stored: %s', async (type) => {
  const request = await anAccount(world)
  await asSubscriber(request, ({ write, accountId, services }) =>
    notify(write, { accountId, now: services.now() }, { type, title: 'Title', message: 'Message' }),
  )
  expect(await listNotifications(requireReader(request), EVERY)).toMatchObject([{ type, title: 'Title' }])
})

test('all are marked read at once, however many there are', async () => {
  const { request } = await aReaderOf(120)
  await asSubscriber(request, markAllRead)
  expect(await countUnread(requireReader(request))).toEqual({ count: 0 })
  expect(await listNotifications(requireReader(request), { ...EVERY, unread: true })).toEqual([])
  expect((await listNotifications(requireReader(request), EVERY))[0]).toMatchObject({ isRead: true })
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
