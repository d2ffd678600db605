import { earnsRevenue, type ContractStatus } from '#shared/domain/contract-status.ts'
import { addMonths, monthOf, type Day } from '#shared/domain/day.ts'
import {
  amountFromSum,
  averageCents,
  centsFromTwelfths,
  monthlyTwelfths,
  percent,
  type CentsSum,
} from '#shared/domain/money.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import type { DashboardRow, StatusTotal } from './dashboard.statement.ts'

/** The months of the charts, the current one included (spec, section 9). */
export const CHART_MONTHS = 6

/** What started in a month: how many contracts, and the amounts of the active ones in US dollars. */
export interface MonthView {
  /** 'YYYY-MM' */
  month: string
  contracts: number
  revenue: number
}

/** The cards: amounts in US dollars, percentages with one decimal, 0 of a total of 0 (docs/decisions/0002). */
export function cardFigures(
  { totals, customers, expiring, expiringCents, overdue, noticeDue, noticeDueLater }: DashboardRow,
  newThisMonth: number,
) {
  const activeTotals = totals.filter(({ status }) => earnsRevenue(status))
  const [contracts, active, revenue] = [countOf(totals), countOf(activeTotals), centsOf(activeTotals)]
  const twelfths = activeTotals.map(({ amountCents, cycle }) => monthlyTwelfths(BigInt(amountCents), cycle))
  return {
    totalContracts: contracts,
    activeContracts: active,
    totalCustomers: customers,
    totalRevenue: amountFromSum(revenue),
    monthlyRevenue: amountFromSum(centsFromTwelfths(sumOf(twelfths))),
    averageContractValue: amountFromSum(averageCents(revenue, active)),
    expiringSoon: expiring,
    expiringRevenue: amountFromSum(BigInt(expiringCents)),
    overdue,
    noticeDue,
    requiringAttention: overdue + expiring + noticeDueLater,
    growthRate: percent(newThisMonth, contracts),
    successRate: percent(active, contracts),
    contractsPerCustomer: customers === 0 ? 0 : Math.round((contracts / customers) * 10) / 10,
  }
}

export function contractsByStatus(totals: StatusTotal[]): Record<ContractStatus, number> {
  const count = (status: ContractStatus) => countOf(totals.filter((total) => total.status === status))
  return {
    pending: count('pending'),
    active: count('active'),
    expired: count('expired'),
    cancelled: count('cancelled'),
  }
}

/** Of the active contracts, in US dollars. */
export function revenueByCycle(totals: StatusTotal[]): Record<RenewalCycle, number> {
  const revenue = (cycle: RenewalCycle) =>
    amountFromSum(centsOf(totals.filter((total) => earnsRevenue(total.status) && total.cycle === cycle)))
  return { monthly: revenue('monthly'), quarterly: revenue('quarterly'), yearly: revenue('yearly') }
}

/** The months from the first one on, including empty ones. Contracts that start after today are not counted. */
export function chartMonths(first: Day, { months, laterThisMonth }: DashboardRow): MonthView[] {
  return Array.from({ length: CHART_MONTHS }, (_, index) => {
    const month = monthOf(addMonths(first, index))
    const found = months.find((one) => one.month === month)
    const later = index === CHART_MONTHS - 1 ? laterThisMonth : NOTHING
    const { contracts, activeCents } = found ?? NOTHING
    return {
      month,
      contracts: contracts - later.contracts,
      revenue: amountFromSum(BigInt(activeCents) - BigInt(later.activeCents)),
    }
  })
}

const NOTHING = { contracts: 0, activeCents: '0' }

function countOf(totals: StatusTotal[]): number {
  return totals.reduce((sum, { contracts }) => sum + contracts, 0)
}

function centsOf(totals: StatusTotal[]): CentsSum {
  return sumOf(totals.map(({ amountCents }) => BigInt(amountCents)))
}

function sumOf(values: bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n)
}
