import { ListNotices } from '#shared/schemas/notices.ts'

/** The address of the notices. */
export const NoticesSearch = ListNotices
export type NoticesSearch = ListNotices
