import * as z from 'zod/mini'
import { Cursor, oneOf, Page, wholeNumber } from './filters.ts'

/** How far ahead windows are listed, and their letters can be downloaded. */
export const NOTICE_DAYS = 90

export const NOTICE_LISTS = ['due', 'given', 'missed'] as const
export type NoticeList = (typeof NOTICE_LISTS)[number]

/** Notices that are due in the next 90 days, those that were given, or the windows that closed without notice. */
const NoticeFilter = z.object({ show: z._default(oneOf(NOTICE_LISTS), 'due') })

export const ListNotices = z.object({ ...NoticeFilter.shape, ...Page.shape })
export type ListNotices = z.output<typeof ListNotices>

/** Of the REST API, which never sends the whole list at once. */
export const SliceNotices = z.object({
  ...NoticeFilter.shape,
  limit: z._default(wholeNumber(1, 1000), 200),
  cursor: z.optional(Cursor),
})
