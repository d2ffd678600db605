import type { ContractStatus } from '#shared/domain/contract-status.ts'
import { addDays, addMonths, daysBetween, endOfMonth, startOfMonth, type Day } from '#shared/domain/day.ts'
import { firstRenewal, monthsOf, nextRenewal, type Renewing } from '#shared/domain/renewal-cycle.ts'

export interface DemoTerm extends Renewing {
  status: ContractStatus
}

export interface DemoContract extends DemoTerm {
  /** Its place among the customers. */
  customer: number
  /** US dollars. */
  amount: number
  hasPdf: boolean
}

type Ending = readonly [daysLeft: number, cycle: DemoTerm['renewalCycle'], terms: number, status: ContractStatus]
type Start = readonly [days: number, cycle: DemoTerm['renewalCycle']]

/** What needs attention: overdue, due within a week, due within thirty days. */
const PRESSING: readonly Ending[] = [
  [-22, 'yearly', 1, 'active'],
  [-13, 'monthly', 7, 'active'],
  [-8, 'quarterly', 3, 'active'],
  [-5, 'yearly', 2, 'active'],
  [-3, 'monthly', 1, 'pending'],
  [-1, 'quarterly', 6, 'active'],
  [1, 'yearly', 1, 'active'],
  [2, 'yearly', 2, 'active'],
  [4, 'monthly', 11, 'active'],
  [5, 'quarterly', 5, 'active'],
  [7, 'yearly', 1, 'active'],
  [9, 'monthly', 20, 'active'],
  [12, 'yearly', 3, 'active'],
  [15, 'quarterly', 4, 'active'],
  [18, 'monthly', 9, 'active'],
  [21, 'yearly', 1, 'active'],
  [24, 'monthly', 28, 'active'],
  [27, 'quarterly', 9, 'active'],
  [29, 'yearly', 2, 'active'],
]

const DEALT_WITH: readonly Ending[] = [
  [-12, 'monthly', 8, 'expired'],
  [-27, 'quarterly', 4, 'expired'],
  [-41, 'yearly', 1, 'expired'],
  [-58, 'monthly', 14, 'expired'],
  [-76, 'yearly', 2, 'expired'],
  [-95, 'quarterly', 3, 'expired'],
  [-121, 'yearly', 1, 'expired'],
  [-150, 'monthly', 6, 'expired'],
  [-183, 'yearly', 2, 'expired'],
  [-214, 'quarterly', 2, 'expired'],
  [-260, 'yearly', 1, 'expired'],
  [-301, 'monthly', 12, 'expired'],
  [-344, 'yearly', 2, 'expired'],
  [-390, 'quarterly', 5, 'expired'],
  [-200, 'yearly', 1, 'cancelled'],
  [-140, 'monthly', 10, 'cancelled'],
  [-88, 'quarterly', 2, 'cancelled'],
  [-47, 'monthly', 5, 'cancelled'],
  [-15, 'yearly', 2, 'cancelled'],
  [12, 'quarterly', 3, 'cancelled'],
  [60, 'yearly', 1, 'cancelled'],
  [170, 'yearly', 2, 'cancelled'],
]

/** Agreed but not begun, or begun and not signed yet. */
const PENDING: readonly Start[] = [
  [-6, 'yearly'],
  [-2, 'quarterly'],
  [3, 'monthly'],
  [8, 'yearly'],
  [12, 'quarterly'],
  [20, 'yearly'],
]

/** How many active contracts began this many months ago: business grows. */
const BEGUN_MONTHS_AGO = [6, 6, 5, 5, 4, 3] as const
const BEGUN_CYCLES = ['yearly', 'monthly', 'quarterly'] as const
const LATER_CONTRACTS = 44

/** The terms of about 120 contracts around today: the same for the same day. */
export function demoTerms(today: Day): DemoTerm[] {
  return [
    ...[...PRESSING, ...DEALT_WITH, ...later()].map((ending) => endingAround(today, ending)),
    ...PENDING.map(([days, cycle]) => pending(addDays(today, days), cycle)),
    ...BEGUN_MONTHS_AGO.flatMap((count, months) => begun(today, months, count)),
  ]
}

/** Renewals that lie five weeks to a year ahead, a week apart. */
function later(): Ending[] {
  return Array.from({ length: LATER_CONTRACTS }, (_, index) => {
    const daysLeft = 33 + index * 7
    if (daysLeft < 90 && index % 2 === 0) return [daysLeft, 'quarterly', 2 + index, 'active']
    return [daysLeft, 'yearly', 1 + (index % 3), 'active']
  })
}

/** Counts back to the start and forward again, so that the renewal keeps the start's day of the month. */
function endingAround(today: Day, [daysLeft, renewalCycle, terms, status]: Ending): DemoTerm {
  const startDate = addMonths(addDays(today, daysLeft), -terms * monthsOf(renewalCycle))
  const renewalDate = nextRenewal({ startDate, renewalDate: startDate, renewalCycle }, terms)
  return { startDate, renewalCycle, renewalDate, status }
}

function pending(startDate: Day, renewalCycle: DemoTerm['renewalCycle']): DemoTerm {
  return { startDate, renewalCycle, renewalDate: firstRenewal(startDate, renewalCycle), status: 'pending' }
}

/** Active contracts that began in one month, evenly over what has passed of it. */
function begun(today: Day, monthsAgo: number, count: number): DemoTerm[] {
  const first = startOfMonth(addMonths(startOfMonth(today), -monthsAgo))
  const last = monthsAgo === 0 ? today : endOfMonth(first)
  const days = daysBetween(first, last)
  return Array.from({ length: count }, (_, index) => {
    const startDate = addDays(first, Math.floor((days * (index + 1)) / count))
    const renewalCycle = BEGUN_CYCLES[(index + monthsAgo) % BEGUN_CYCLES.length] ?? 'yearly'
    return { startDate, renewalCycle, renewalDate: upcomingRenewal(startDate, renewalCycle, today), status: 'active' }
  })
}

function upcomingRenewal(startDate: Day, renewalCycle: DemoTerm['renewalCycle'], today: Day): Day {
  let renewalDate = firstRenewal(startDate, renewalCycle)
  while (renewalDate <= today) renewalDate = nextRenewal({ startDate, renewalDate, renewalCycle })
  return renewalDate
}
