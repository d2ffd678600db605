import { ListNotices } from '#shared/schemas/notice-lists.ts'

/** The address of the notices. */
export const NoticesSearch = ListNotices
export type NoticesSearch = ListNotices
