import { z } from 'zod'
import { flag, wholeNumber } from './fields.ts'

export const NOTIFICATION_TYPES = ['renewal_reminder', 'overdue', 'follow_up', 'other'] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

export const ListNotifications = z.object({
  unread: flag().default(false),
  limit: wholeNumber(1, 100).default(50),
})
export type ListNotifications = z.output<typeof ListNotifications>
