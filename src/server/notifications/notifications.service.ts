import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ListNotifications } from '#shared/schemas/notifications.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { NotificationEntity } from './notification.entity.ts'
import { NOTIFICATION_COLUMNS, NotificationRow, notificationView } from './notification.view.ts'

/** The latest notifications first. */
export async function listNotifications({ read, accountId }: ReaderContext, { unread, limit }: ListNotifications) {
  const statement = sql`
    select ${NOTIFICATION_COLUMNS} from notifications n
    where account_id = ${accountId} ${unread ? sql`and read_at is null` : empty}
    order by created_at desc, id desc limit ${limit}`
  const rows = await read(statement, NotificationRow)
  return rows.map(notificationView)
}

const UnreadRow = z.object({ count: z.int() })

export async function countUnread({ read, accountId }: ReaderContext): Promise<{ count: number }> {
  const [row] = await read(
    sql`select count(*)::int as count from notifications where account_id = ${accountId} and read_at is null`,
    UnreadRow,
  )
  return row ?? { count: 0 }
}

/** Reading twice changes nothing. @throws NOTIFICATION_NOT_FOUND, also for somebody else's. */
export async function markRead({ em, accountId, services }: SubscriberContext, { id }: ById): Promise<void> {
  const notification = await em.findOne(NotificationEntity, { id, accountId })
  if (!notification) throw new AppError('NOTIFICATION_NOT_FOUND')
  notification.readAt ??= services.now()
  await em.flush()
}

/** However many there are. */
export async function markAllRead({ write, accountId, services }: SubscriberContext): Promise<void> {
  await write(sql`
    update notifications set read_at = ${services.now()} where account_id = ${accountId} and read_at is null`)
}

/** @throws NOTIFICATION_NOT_FOUND, also for somebody else's. */
export async function removeNotification({ write, accountId }: SubscriberContext, { id }: ById): Promise<void> {
  const [removed] = await write(
    sql`delete from notifications where account_id = ${accountId} and id = ${id} returning id`,
  )
  if (!removed) throw new AppError('NOTIFICATION_NOT_FOUND')
}

/** Empties the list. */
export async function clearNotifications({ write, accountId }: SubscriberContext): Promise<void> {
  await write(sql`delete from notifications where account_id = ${accountId}`)
}
