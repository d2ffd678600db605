import * as z from 'zod/mini'
import { flag, wholeNumber } from './filters.ts'

export const NOTIFICATION_TYPES = ['renewal_reminder', 'overdue', 'follow_up', 'other'] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

export const ListNotifications = z.object({
  unread: z._default(flag(), false),
  limit: z._default(wholeNumber(1, 100), 50),
})
export type ListNotifications = z.output<typeof ListNotifications>
