import { usableCompanyName } from '#shared/domain/company-name.ts'
import type { ContractStatus } from '#shared/domain/contract-status.ts'
import { addMonths, startOfMonth, type Day } from '#shared/domain/day.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import type { ReaderContext } from '#server/context.ts'
import { contractView, type ContractRow, type ContractView } from '#server/contracts/contract.view.ts'
import {
  cardFigures,
  CHART_MONTHS,
  chartMonths,
  contractsByStatus,
  revenueByCycle,
  type MonthView,
} from './dashboard.figures.ts'
import { DashboardRow, dashboardStatement, type AttentionRows } from './dashboard.statement.ts'

export interface AttentionView extends ContractView {
  clientName: string
}

/** Every figure and list of the dashboard; amounts in US dollars, percentages with one decimal. */
export interface DashboardView {
  totalContracts: number
  activeContracts: number
  totalCustomers: number
  totalRevenue: number
  monthlyRevenue: number
  averageContractValue: number
  expiringSoon: number
  /** The sum of their amounts. */
  expiringRevenue: number
  overdue: number
  /** New this month / total, active / total, contracts per customer. */
  growthRate: number
  successRate: number
  contractsPerCustomer: number
  contractsByStatus: Record<ContractStatus, number>
  /** Of the active contracts. */
  revenueByCycle: Record<RenewalCycle, number>
  /** The last six, this month last, by the start of the contracts. */
  months: MonthView[]
  /** The most urgent first, at most as many of each as were asked for; the counts above are of all. */
  overdueContracts: AttentionView[]
  expiringContracts: AttentionView[]
  /** Those of both lists whose customer was written to today. */
  remindedToday: number[]
  /** Those of both lists whose customer a reminder by hand is about to go out to. */
  plannedReminders: { contractId: number; goesOutAt: Date }[]
  /** The import that the sample data came with; null without any. */
  sampleImportId: number | null
  /** Whether a file has brought rows. */
  hasImported: boolean
  /** Whether customers can be told who writes to them. */
  hasCompanyName: boolean
}

/**
 * The whole dashboard in one statement (spec section 2).
 * @param rows of each list, at most
 */
export async function readDashboard(ctx: ReaderContext, rows: AttentionRows = 100): Promise<DashboardView> {
  const { read, accountId, today } = ctx
  const since = addMonths(startOfMonth(today), 1 - CHART_MONTHS)
  const [row] = await read(dashboardStatement(accountId, { today, since, rows }), DashboardRow)
  if (!row) throw new Error('an aggregate without groups answers one row')
  const attention = [...row.overdueRows, ...row.expiringRows]
  const months = chartMonths(since, row)
  return {
    ...cardFigures(row, months.at(-1)?.contracts ?? 0),
    contractsByStatus: contractsByStatus(row.totals),
    revenueByCycle: revenueByCycle(row.totals),
    months,
    overdueContracts: row.overdueRows.map((contract) => attentionView(contract, today)),
    expiringContracts: row.expiringRows.map((contract) => attentionView(contract, today)),
    remindedToday: attention.filter(({ isReminded }) => isReminded).map(({ id }) => id),
    plannedReminders: attention.flatMap(({ id, reminderGoesOutAt: at }) =>
      at === null ? [] : [{ contractId: id, goesOutAt: at }],
    ),
    sampleImportId: row.sampleImportId,
    hasImported: row.hasImported,
    hasCompanyName: usableCompanyName(row.companyName) !== null,
  }
}

/** As section 3 of the specification has it, a contract on these lists says its customer's name twice. */
function attentionView(contract: ContractRow, today: Day): AttentionView {
  return { ...contractView(contract, today), clientName: contract.customerName }
}
