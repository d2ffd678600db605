import { columnsOf, type RowOf } from '#server/db/columns.ts'
import type { NotificationType } from '#shared/schemas/notifications.ts'
import { NotificationEntity } from './notification.entity.ts'

export interface NotificationView {
  id: number
  type: NotificationType
  title: string
  message: string
  isRead: boolean
  createdAt: Date
  actionUrl: string | null
}

/** Of notifications `n`. */
export const NOTIFICATION_COLUMNS = columnsOf(NotificationEntity, 'n', [
  'id',
  'type',
  'title',
  'message',
  'readAt',
  'createdAt',
  'actionUrl',
])
export type NotificationRow = RowOf<typeof NOTIFICATION_COLUMNS>

export function notificationView({ readAt, createdAt, ...row }: NotificationRow): NotificationView {
  return { ...row, isRead: readAt !== null, createdAt: new Date(createdAt) }
}
