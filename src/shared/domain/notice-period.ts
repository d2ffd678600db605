import { addDaysIfAny, addMonths, endOfMonth, toDay, type Day } from './day.ts'

export const NOTICE_UNITS = ['days', 'months'] as const
export type NoticeUnit = (typeof NOTICE_UNITS)[number]

/** How long before its renewal date a contract has to be ended. */
export interface NoticePeriod {
  count: number
  unit: NoticeUnit
}

const MOST: Record<NoticeUnit, number> = { days: 365, months: 24 }

const WRITTEN = /^(\d{1,3})\s*(days?|d|months?|mos?|m)$/i

/** Reads '30 days', '1 month', '3m'; undefined for anything else, and for more than 365 days or 24 months. */
export function parseNoticePeriod(text: string): NoticePeriod | undefined {
  const [, digits = '', word = ''] = WRITTEN.exec(text.trim()) ?? []
  const count = Number(digits)
  const unit = word.toLowerCase().startsWith('d') ? 'days' : 'months'
  return count >= 1 && count <= MOST[unit] ? { count, unit } : undefined
}

/** '30 days', '1 month': what `parseNoticePeriod` reads. */
export function noticePeriodText({ count, unit }: NoticePeriod): string {
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`
}

/** The last day on which notice can be given; undefined before the calendar begins. */
export function lastDayForNotice(renewalDate: Day, { count, unit }: NoticePeriod): Day | undefined {
  if (unit === 'days') return addDaysIfAny(renewalDate, -count)
  return renewalDate < FIRST_FOR_MONTHS ? undefined : addMonths(renewalDate, -count)
}

/** The same for a notice period as it was written; null without one, or if it cannot be read. */
export function lastDayForNoticeOf({
  renewalDate,
  noticePeriod,
}: {
  renewalDate: Day
  noticePeriod: string | null
}): Day | null {
  const notice = noticePeriod === null ? undefined : parseNoticePeriod(noticePeriod)
  return (notice && lastDayForNotice(renewalDate, notice)) ?? null
}

/** The latest renewal date of contracts whose last day for notice is this one, whatever their notice periods. */
export function latestRenewalOf(lastDay: Day): Day {
  return endOfMonth(addMonths(lastDay, MOST.months))
}

/** The longest notice period before it is still in the calendar. */
const FIRST_FOR_MONTHS = toDay('1902-01-01')
