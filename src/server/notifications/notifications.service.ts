import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ListNotifications, RestoreNotifications } from '#shared/schemas/notifications.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageRow, pageStatement, pageView, type PageView } from '#server/db/page.ts'
import { NotificationEntity } from './notification.entity.ts'
import { NOTIFICATION_COLUMNS, NotificationRow, notificationView, type NotificationView } from './notification.view.ts'

const BY_TIME: SortKey = { name: 'notifications', expression: 'n.created_at', type: 'timestamptz', id: 'n.id' }
const NotificationPage = pageRow(NotificationRow)

/** A page of the notifications that are not cleared, newest first, with their total. */
export async function listNotifications(
  { read, accountId }: ReaderContext,
  { unread, ...position }: ListNotifications,
): Promise<PageView<NotificationView>> {
  const page = pageOf(BY_TIME, 'desc', position)
  const from = sql`
    from notifications n where n.account_id = ${accountId} and n.cleared_at is null
      ${unread ? sql`and n.read_at is null` : empty}`
  const [found] = await read(pageStatement({ columns: NOTIFICATION_COLUMNS, from, page }), NotificationPage)
  return pageView(found, page, notificationView)
}

const UnreadRow = z.object({ count: z.int() })

/** How many notifications are neither read nor cleared. */
export async function countUnread({ read, accountId }: ReaderContext): Promise<{ count: number }> {
  const statement = sql`
    select count(*)::int as count from notifications
    where account_id = ${accountId} and read_at is null and cleared_at is null`
  const [row] = await read(statement, UnreadRow)
  return row ?? { count: 0 }
}

/** Reading twice changes nothing. @throws NOTIFICATION_NOT_FOUND, also for somebody else's. */
export async function markRead({ em, accountId, services }: SubscriberContext, { id }: ById): Promise<void> {
  const notification = await em.findOne(NotificationEntity, { id, accountId, clearedAt: null })
  if (!notification) throw new AppError('NOTIFICATION_NOT_FOUND')
  notification.readAt ??= services.now()
  await em.flush()
}

/** However many there are. */
export async function markAllRead({ em, accountId, services }: SubscriberContext): Promise<void> {
  await em.nativeUpdate(NotificationEntity, { accountId, readAt: null, clearedAt: null }, { readAt: services.now() })
}

export interface ClearedView {
  /** When it was cleared: what was cleared since then can be restored. */
  clearedAt: Date
}

/** @throws NOTIFICATION_NOT_FOUND, also for somebody else's and for one that is cleared already. */
export async function removeNotification(
  { em, accountId, services }: SubscriberContext,
  { id }: ById,
): Promise<ClearedView> {
  const clearedAt = services.now()
  const removed = await em.nativeUpdate(NotificationEntity, { id, accountId, clearedAt: null }, { clearedAt })
  if (removed === 0) throw new AppError('NOTIFICATION_NOT_FOUND')
  return { clearedAt }
}

/** Empties the list. */
export async function clearNotifications({ em, accountId, services }: SubscriberContext): Promise<ClearedView> {
  const clearedAt = services.now()
  await em.nativeUpdate(NotificationEntity, { accountId, clearedAt: null }, { clearedAt })
  return { clearedAt }
}

/** Restores those cleared since then, read or unread as before; returns their number. */
export async function restoreNotifications(
  { em, accountId }: SubscriberContext,
  { since }: RestoreNotifications,
): Promise<{ restored: number }> {
  const cleared = { accountId, clearedAt: { $gte: since } }
  return { restored: await em.nativeUpdate(NotificationEntity, cleared, { clearedAt: null }) }
}
