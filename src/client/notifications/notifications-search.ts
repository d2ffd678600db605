import * as z from 'zod/mini'
import { oneOf } from '#shared/schemas/filters.ts'
import { ListPosition } from '#client/list/list-position.ts'

/** What the notifications page keeps in its address. */
export const NotificationsSearch = z.object({
  tab: z._default(oneOf(['all', 'unread']), 'all'),
  ...ListPosition.shape,
})
export type NotificationsSearch = z.output<typeof NotificationsSearch>
export type NotificationTab = NotificationsSearch['tab']
