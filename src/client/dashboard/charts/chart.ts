import { CONTRACT_STATUSES, type ContractStatus } from '#shared/domain/contract-status.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import type { ContractFilter } from '#shared/schemas/filters.ts'
import { CYCLE_LABELS, STATUS_LABELS } from '#client/text/contract-words.ts'
import { formatCount, formatMoney, formatMonth, formatPercent, formatShortMonth } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'
import type { Counted } from '#client/list/counted-link.tsx'

type Dashboard = Outputs['dashboard']['get']
type Month = Dashboard['months'][number]

/** What a chart shows for one month, status or cycle. */
export interface Point {
  /** On the axis or in the legend, and spelled out. */
  label: string
  name: string
  value: number
  /** The value in full words. */
  text: string
  /** A color of the theme, where it means something. */
  color?: string
  /** The contracts that it counts. */
  counted: Counted
}

export interface Chart {
  kind: 'area' | 'pie' | 'bar' | 'line'
  title: string
  description: string
  /** The headings of the points' names and values. */
  columns: [string, string]
  unit: 'money' | 'contracts'
  /** Shown instead of a chart in which everything is 0. */
  empty: { title: string; hint: string }
  pointsOf: (dashboard: Dashboard) => Point[]
}

export const CHARTS: Chart[] = [
  {
    kind: 'area',
    title: 'Revenue Trend',
    description: 'Amounts of active contracts by the month they started, last 6 months',
    columns: ['Month', 'Revenue'],
    unit: 'money',
    empty: { title: 'No revenue in the last 6 months', hint: 'An active contract counts in the month it starts.' },
    pointsOf: ({ months }) => monthPoints(months, ({ revenue }) => inMoney(revenue), { status: 'active' }),
  },
  {
    kind: 'pie',
    title: 'Contract Status Distribution',
    description: 'All contracts by their status',
    columns: ['Status', 'Contracts'],
    unit: 'contracts',
    empty: { title: 'No contracts yet', hint: 'Your contracts will appear here by status.' },
    pointsOf: statusPoints,
  },
  {
    kind: 'bar',
    title: 'Revenue by Renewal Cycle',
    description: 'Amounts of active contracts by how often they renew',
    columns: ['Renewal cycle', 'Revenue'],
    unit: 'money',
    empty: { title: 'No revenue yet', hint: 'Active contracts are shown here by their renewal cycle.' },
    pointsOf: ({ revenueByCycle }) =>
      RENEWAL_CYCLES.map((cycle) => ({
        ...named(CYCLE_LABELS[cycle]),
        ...inMoney(revenueByCycle[cycle]),
        counted: { status: 'active', cycle },
      })),
  },
  {
    kind: 'line',
    title: 'Contract Growth',
    description: 'Contracts by the month they started, in any status, last 6 months',
    columns: ['Month', 'Contracts'],
    unit: 'contracts',
    empty: { title: 'No contracts started in the last 6 months', hint: 'A contract counts in the month it starts.' },
    pointsOf: ({ months }) => monthPoints(months, ({ contracts }) => inContracts(contracts), {}),
  },
]

/** The statuses in the order in which a contract passes through them. */
function statusPoints({ contractsByStatus: counts, totalContracts: total }: Dashboard): Point[] {
  const textOf = (count: number) => `${formatCount(count)} (${formatPercent(total === 0 ? 0 : (count / total) * 100)})`
  return CONTRACT_STATUSES.map((status) => ({
    ...named(STATUS_LABELS[status]),
    value: counts[status],
    text: textOf(counts[status]),
    color: colorOf(status),
    counted: { status },
  }))
}

function colorOf(status: ContractStatus): string {
  return `var(--traxx-chart-${status})`
}

/** What started in each month. The last one is this month, which is not over yet. */
function monthPoints(
  months: Month[],
  valueOf: (month: Month) => { value: number; text: string },
  filter: Partial<ContractFilter>,
): Point[] {
  return months.map((one, index) => {
    const name = formatMonth(one.month)
    const isCurrent = index === months.length - 1
    return {
      label: formatShortMonth(one.month),
      name: isCurrent ? `${name} so far` : name,
      counted: { ...filter, startedIn: one.month },
      ...valueOf(one),
    }
  })
}

function named(name: string) {
  return { label: name, name }
}

function inMoney(value: number) {
  return { value, text: formatMoney(value) }
}

function inContracts(value: number) {
  return { value, text: formatCount(value) }
}
