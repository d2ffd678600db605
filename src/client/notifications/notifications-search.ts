import { oneOf, searchReader } from '#client/list/search-params.ts'

/** Which tab is open. */
export interface NotificationsSearch {
  tab: 'all' | 'unread'
}

export const NOTIFICATIONS_DEFAULTS = { tab: 'all' } as const

export const notificationsSearch = searchReader<NotificationsSearch>(
  { tab: oneOf(['all', 'unread']) },
  NOTIFICATIONS_DEFAULTS,
)
