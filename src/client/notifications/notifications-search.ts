import { z } from 'zod'

/** Which tab is open. */
export const NotificationsSearch = z.object({ tab: z.enum(['all', 'unread']).default('all') })
export type NotificationsSearch = z.output<typeof NotificationsSearch>

export const NOTIFICATIONS_DEFAULTS = { tab: 'all' } as const
