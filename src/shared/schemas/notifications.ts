import * as z from 'zod/mini'
import { flag, Page, Slice } from './filters.ts'

const NotificationFilter = z.object({ unread: z._default(flag(), false) })

export const ListNotifications = z.object({ ...NotificationFilter.shape, ...Page.shape })
export type ListNotifications = z.output<typeof ListNotifications>

export const SliceNotifications = z.object({ ...NotificationFilter.shape, ...Slice.shape })

const INSTANT = 'Must be a date and time such as 2026-03-10T09:00:00Z'

/** Restores what was cleared since an instant. */
export const RestoreNotifications = z.object({
  since: z.pipe(
    z.iso.datetime({ offset: true, error: INSTANT }).check(z.refine((written) => written >= '2000', INSTANT)),
    z.transform((written: string) => new Date(written)),
  ),
})
export type RestoreNotifications = z.output<typeof RestoreNotifications>
