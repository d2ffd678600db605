/** How far ahead windows are listed, and their letters can be downloaded. */
export const NOTICE_DAYS = 90

/** Notices that are due in the next 90 days, those that were given, or the windows that closed without notice. */
export const NOTICE_LISTS = ['due', 'given', 'missed'] as const
export type NoticeList = (typeof NOTICE_LISTS)[number]
