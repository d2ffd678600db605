import { isOpen, type ContractStatus } from './contract-status.ts'
import { addDays, daysBetween, endOfMonth, toDay, type Day, type DaySpan } from './day.ts'

/** The fields that decide whether a contract needs attention. */
export interface Term {
  status: ContractStatus
  renewalDate: Day
}

export const EXPIRING_WITHIN_DAYS = 30
export const URGENT_WITHIN_DAYS = 7
export const NOTICE_WITHIN_DAYS = 7

const FIRST_DAY = toDay('1900-01-01')

/** 0 on the renewal day itself, negative once it has passed. */
export function daysLeft(contract: Term, today: Day): number {
  return daysBetween(today, contract.renewalDate)
}

/** Open, and the renewal date has passed. */
export function isOverdue(contract: Term, today: Day): boolean {
  return isOpen(contract.status) && contract.renewalDate < today
}

/** Open, and the renewal date lies in the dashboard's window. */
export function isExpiringSoon(contract: Term, today: Day): boolean {
  const { from, through } = expiringWindow(today)
  return isOpen(contract.status) && contract.renewalDate >= from && contract.renewalDate <= through
}

/** Open, and overdue or expiring soon: what "Contracts Requiring Attention" lists. */
export function needsAttention(contract: Term, today: Day): boolean {
  return isOpen(contract.status) && contract.renewalDate <= attentionUntil(today)
}

/** The renewal dates that have passed. */
export function overdueWindow(today: Day): DaySpan {
  return { from: FIRST_DAY, through: addDays(today, -1) }
}

/** The renewal dates from today to `days` from now. */
export function renewalWindow(today: Day, days: number): DaySpan {
  return { from: today, through: addDays(today, days) }
}

/** The renewal dates that count as expiring soon on the dashboard. */
export function expiringWindow(today: Day): DaySpan {
  return renewalWindow(today, EXPIRING_WITHIN_DAYS)
}

/** The last days for notice that require attention. */
export function noticeWindow(today: Day): DaySpan {
  return renewalWindow(today, NOTICE_WITHIN_DAYS)
}

/** The fields that decide whether notice is due. */
interface Notice {
  status: ContractStatus
  noticeDate: Day | null
  endsOn: Day | null
}

/** Open with no end decided, and the last day for notice lies in the dashboard's window. */
export function isNoticeDue({ status, noticeDate, endsOn }: Notice, today: Day): boolean {
  const { from, through } = noticeWindow(today)
  return isOpen(status) && endsOn === null && noticeDate !== null && noticeDate >= from && noticeDate <= through
}

/** The renewal dates that count as expiring on the contracts page. */
export function monthEndWindow(today: Day): DaySpan {
  return { from: today, through: endOfMonth(today) }
}

/** The last renewal date that requires attention; every earlier one does. */
export function attentionUntil(today: Day): Day {
  return addDays(today, EXPIRING_WITHIN_DAYS)
}

/** This month's start dates from tomorrow on; an empty span on the last day of the month. */
export function laterThisMonthWindow(today: Day): DaySpan {
  return { from: addDays(today, 1), through: endOfMonth(today) }
}

/** The start dates in a month ('YYYY-MM') up to today. */
export function startedWindow(month: string, today: Day): DaySpan {
  const from = toDay(`${month}-01`)
  const end = endOfMonth(from)
  return { from, through: end < today ? end : today }
}

/** How a row is highlighted. */
export function attentionLevel(daysLeft: number): 'overdue' | 'soon' | 'later' {
  if (daysLeft < 0) return 'overdue'
  return daysLeft <= EXPIRING_WITHIN_DAYS ? 'soon' : 'later'
}

/** The color of the days left. */
export function timeLeftTone(daysLeft: number): 'red' | 'yellow' | 'green' {
  if (daysLeft <= URGENT_WITHIN_DAYS) return 'red'
  return daysLeft <= EXPIRING_WITHIN_DAYS ? 'yellow' : 'green'
}
