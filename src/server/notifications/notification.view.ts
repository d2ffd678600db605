import { z } from 'zod'
import { columnsOf } from '#server/db/columns.ts'
import type { NotificationType } from './texts.ts'
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
export const NotificationRow = z.object(NOTIFICATION_COLUMNS.fields)
type NotificationRow = z.output<typeof NotificationRow>

export function notificationView(row: NotificationRow): NotificationView {
  const { id, type, title, message, readAt, createdAt, actionUrl } = row
  return { id, type, title, message, isRead: readAt !== null, createdAt, actionUrl }
}
