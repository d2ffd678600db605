import { addDays, daysBetween, endOfMonth, startOfMonth, toDay, type Day, type DaySpan } from './day.ts'

/** The most days that are read at once: a year, and the weeks around it. */
export const MOST_CALENDAR_DAYS = 400

const DAYS_A_WEEK = 7
// A Sunday.
const FIRST_SUNDAY = toDay('1900-01-07')

/** Whether a calendar can be read for these days. */
export function isCalendarSpan({ from, through }: DaySpan): boolean {
  const days = daysBetween(from, through) + 1
  return days >= 1 && days <= MOST_CALENDAR_DAYS
}

/** 0 on a Sunday, 6 on a Saturday. */
export function dayOfWeek(day: Day): number {
  const days = daysBetween(FIRST_SUNDAY, day) % DAYS_A_WEEK
  return days < 0 ? days + DAYS_A_WEEK : days
}

/** The whole weeks that a month touches, from Sunday to Saturday. */
export function weeksOfMonth(month: Day): Day[][] {
  const [first, last] = [startOfMonth(month), endOfMonth(month)]
  const weeks: Day[][] = []
  for (let offset = -dayOfWeek(first); offset <= daysBetween(first, last); offset += DAYS_A_WEEK)
    weeks.push(Array.from({ length: DAYS_A_WEEK }, (_, index) => addDays(first, offset + index)))
  return weeks
}
