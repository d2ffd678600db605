import { z } from 'zod'

export const NOTIFICATION_TYPES = ['renewal_reminder', 'overdue', 'follow_up', 'other'] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

export const ListNotifications = z.object({
  unread: z.stringbool().or(z.boolean()).default(false),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListNotifications = z.output<typeof ListNotifications>
