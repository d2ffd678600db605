import * as z from 'zod/mini'
import { oneOf } from '#shared/schemas/filters.ts'
import { ListPosition } from '#client/list/list-position.ts'

/** The address of the notifications page. */
export const NotificationsSearch = z.object({
  tab: z._default(oneOf(['all', 'unread']), 'all'),
  ...ListPosition.shape,
})
export type NotificationsSearch = z.output<typeof NotificationsSearch>
export type NotificationTab = NotificationsSearch['tab']
