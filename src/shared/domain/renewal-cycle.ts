import { addMonths, endOfMonth, monthsBetween, type Day } from './day.ts'

export const RENEWAL_CYCLES = ['monthly', 'quarterly', 'yearly'] as const
export type RenewalCycle = (typeof RENEWAL_CYCLES)[number]

const MONTHS: Record<RenewalCycle, number> = { monthly: 1, quarterly: 3, yearly: 12 }

/** What decides when a contract renews; its start date is the anchor. */
export interface Renewing {
  startDate: Day
  renewalDate: Day
  renewalCycle: RenewalCycle
}

/** How many months a term of this cycle has. */
export function monthsOf(cycle: RenewalCycle): number {
  return MONTHS[cycle]
}

/** The renewal date suggested for a new contract: one cycle after its start. */
export function firstRenewal(startDate: Day, cycle: RenewalCycle): Day {
  return addMonths(startDate, monthsOf(cycle))
}

/** The suggested renewal date: the first one, in whole cycles after the start, that is today or later. */
export function comingRenewal(startDate: Day, cycle: RenewalCycle, today: Day): Day {
  const months = monthsOf(cycle)
  const cycles = Math.max(1, Math.floor(monthsBetween(startDate, today) / months))
  const candidate = addMonths(startDate, cycles * months)
  return candidate >= today ? candidate : addMonths(startDate, (cycles + 1) * months)
}

/**
 * The renewal date after this number of cycles. It keeps the start date's day of the month, even across a shorter month:
 * with a start on January 31, February 28 is followed by March 31. A renewal date agreed for another day keeps that day
 * instead, so that no term is cut short, and the last day of a month stays the last day of the month.
 */
export function nextRenewal({ startDate, renewalDate, renewalCycle }: Renewing, cycles = 1): Day {
  const months = monthsOf(renewalCycle) * cycles
  const sinceStart = monthsBetween(startDate, renewalDate)
  if (renewalDate === addMonths(startDate, sinceStart)) return addMonths(startDate, sinceStart + months)
  const next = addMonths(renewalDate, months)
  return renewalDate === endOfMonth(renewalDate) ? endOfMonth(next) : next
}
