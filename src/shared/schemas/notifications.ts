import * as z from 'zod/mini'
import { instantText } from './fields.ts'
import { flag, Page, Slice } from './filters.ts'

const NotificationFilter = z.object({ unread: z._default(flag(), false) })

export const ListNotifications = z.object({ ...NotificationFilter.shape, ...Page.shape })
export type ListNotifications = z.output<typeof ListNotifications>

export const SliceNotifications = z.object({ ...NotificationFilter.shape, ...Slice.shape })

/** Restores what was cleared since an instant. */
export const RestoreNotifications = z.object({
  since: instantText(),
})
export type RestoreNotifications = z.output<typeof RestoreNotifications>
