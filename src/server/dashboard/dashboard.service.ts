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
  /** Open contracts with no end decided whose last day for notice is within 7 days. */
  noticeDue: number
  /** In any of the three lists, each counted once. */
  requiringAttention: number
  /** New this month / total, active / total, contracts per customer. */
  growthRate: number
  successRate: number
  contractsPerCustomer: number
  contractsByStatus: Record<ContractStatus, number>
  /** Of the active contracts. */
  revenueByCycle: Record<RenewalCycle, number>
  /** The last six, this month last, by the start of the contracts. */
  months: MonthView[]
  /** The most urgent first, up to the number requested; the counts above include all. */
  overdueContracts: AttentionView[]
  /** By their last day for notice; those that renew soon are among `expiringContracts` as well. */
  noticeContracts: AttentionView[]
  expiringContracts: AttentionView[]
  /** Contracts in these lists whose customer got an email today. */
  remindedToday: number[]
  /** Contracts in these lists with a reminder by hand about to be sent. */
  plannedReminders: { contractId: number; goesOutAt: Date }[]
  /** The import of the sample data; null if there is none. */
  sampleImportId: number | null
  /** Whether rows have been imported from a file. */
  hasImported: boolean
  /** Whether the company has a name. */
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
  const attention = inAnyList(row)
  const months = chartMonths(since, row)
  return {
    ...cardFigures(row, months.at(-1)?.contracts ?? 0),
    contractsByStatus: contractsByStatus(row.totals),
    revenueByCycle: revenueByCycle(row.totals),
    months,
    overdueContracts: row.overdueRows.map((contract) => attentionView(contract, today)),
    noticeContracts: row.noticeRows.map((contract) => attentionView(contract, today)),
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

/** A contract whose notice is due can renew soon as well. */
function inAnyList({ overdueRows, noticeRows, expiringRows }: DashboardRow) {
  const listed = [...overdueRows, ...noticeRows, ...expiringRows]
  return [...new Map(listed.map((contract) => [contract.id, contract])).values()]
}

/** Section 3 of the specification has the customer's name twice in a contract of these lists. */
function attentionView(contract: ContractRow, today: Day): AttentionView {
  return { ...contractView(contract, today), clientName: contract.customerName }
}
