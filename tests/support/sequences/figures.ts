import { isDeepStrictEqual as isSame } from 'node:util'
import type { DashboardView } from '#server/dashboard/dashboard.service.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { isInTrash, type States } from './contract-state.ts'

/** What the dashboard says of all contracts is what they add up to, one by one. */
export function faultsOfFigures(states: States, dashboard: DashboardView, today: string): string[] {
  const rows = [...states.values()].filter((state) => !isInTrash(state)).map(({ row }) => row)
  const having = (name: string, value: unknown) => rows.filter((row) => row[name] === value)
  const active = having('status', 'active')
  const open = [...active, ...having('status', 'pending')]
  const begun = rows.filter((row) => String(row['start_date']) <= today)
  const expected = {
    contractsByStatus: Object.fromEntries(CONTRACT_STATUSES.map((name) => [name, having('status', name).length])),
    totalRevenue: dollars(active),
    revenueByCycle: Object.fromEntries(
      RENEWAL_CYCLES.map((name) => [name, dollars(active.filter((row) => row['renewal_cycle'] === name))]),
    ),
    overdue: open.filter((row) => String(row['renewal_date']) < today).length,
    months: dashboard.months.map(({ month }) => {
      const ofMonth = begun.filter((row) => String(row['start_date']).startsWith(month))
      return { month, contracts: ofMonth.length, revenue: dollars(ofMonth.filter((row) => active.includes(row))) }
    }),
  }
  const { contractsByStatus, totalRevenue, revenueByCycle, overdue, months } = dashboard
  const told = { contractsByStatus, totalRevenue, revenueByCycle, overdue, months }
  return isSame(told, expected)
    ? []
    : [`the dashboard says ${JSON.stringify(told)}, and the contracts are ${JSON.stringify(expected)}`]
}

function dollars(rows: Record<string, unknown>[]): number {
  return rows.reduce((sum, row) => sum + Number(row['amount_cents']), 0) / 100
}
