import type { NotificationType } from '#shared/schemas/notifications.ts'

export interface NotificationRow {
  id: number
  type: NotificationType
  title: string
  message: string
  isRead: boolean
  createdAt: string
  actionUrl: string | null
}

export interface NotificationView extends Omit<NotificationRow, 'createdAt'> {
  createdAt: Date
}

export function notificationView(row: NotificationRow): NotificationView {
  return {
    id: row.id,
    type: row.type,
    title: row.title,
    message: row.message,
    isRead: row.isRead,
    createdAt: new Date(row.createdAt),
    actionUrl: row.actionUrl,
  }
}
