import sql from 'sql-template-tag'
import { attentionUntil, expiringWindow, newThisMonthWindow } from '#shared/domain/contract-term.ts'
import { amountFromCents, averageCents, centsFromTwelfths, percent, type Cents } from '#shared/domain/money.ts'
import type { ReaderContext } from '#server/context.ts'
import { CONTRACT_COLUMNS, contractsOf, IS_OPEN } from '#server/contracts/contract.rows.ts'
import { contractView, type ContractRow, type ContractView } from '#server/contracts/contract.view.ts'

const ATTENTION_ROWS = 100

/** Every figure and list of the dashboard; amounts in US dollars, percentages with one decimal. */
export interface DashboardView {
  totalContracts: number
  activeContracts: number
  totalCustomers: number
  totalRevenue: number
  monthlyRevenue: number
  averageContractValue: number
  expiringSoon: number
  overdue: number
  /** New this month / total, active / total, contracts per customer. */
  growthRate: number
  successRate: number
  contractsPerCustomer: number
  /** The most urgent first; both lists are cut to what the screen shows, the counts above are not. */
  overdueContracts: ContractView[]
  expiringContracts: ContractView[]
}

interface Totals {
  contracts: number
  active: number
  customers: number
  revenueCents: Cents
  monthlyTwelfths: number
  expiring: number
  overdue: number
  newThisMonth: number
  attention: ContractRow[]
}

/** The whole dashboard in one statement (spec section 2; definitions of decisions, "Time" and "Money"). */
export async function readDashboard({ read, accountId, today }: ReaderContext): Promise<DashboardView> {
  const expiring = expiringWindow(today)
  const fresh = newThisMonthWindow(today)
  const [totals] = await read<Totals>(sql`
    select count(*)::int as contracts,
      count(*) filter (where k.status = 'active')::int as active,
      (select count(*)::int from customers where account_id = ${accountId}) as customers,
      coalesce(sum(k.amount_cents) filter (where k.status = 'active'), 0)::float8 as "revenueCents",
      coalesce(sum(k.amount_cents * case k.renewal_cycle when 'monthly' then 12 when 'quarterly' then 4 else 1 end)
        filter (where k.status = 'active'), 0)::float8 as "monthlyTwelfths",
      count(*) filter (where ${IS_OPEN} and k.renewal_date between ${expiring.from} and ${expiring.to})::int as expiring,
      count(*) filter (where ${IS_OPEN} and k.renewal_date < ${today})::int as overdue,
      count(*) filter (where k.start_date between ${fresh.from} and ${fresh.to})::int as "newThisMonth",
      (select coalesce(json_agg(r), '[]') from (
        select ${CONTRACT_COLUMNS} ${contractsOf(accountId)} and ${IS_OPEN} and k.renewal_date <= ${attentionUntil(today)}
        order by k.renewal_date, k.id limit ${ATTENTION_ROWS}) r) as attention
    from contracts k where k.account_id = ${accountId}`)
  if (!totals) throw new Error('an aggregate without groups answers one row')
  const attention = totals.attention.map((row) => contractView(row, today))
  return {
    totalContracts: totals.contracts,
    activeContracts: totals.active,
    totalCustomers: totals.customers,
    totalRevenue: amountFromCents(totals.revenueCents),
    monthlyRevenue: amountFromCents(centsFromTwelfths(totals.monthlyTwelfths)),
    averageContractValue: amountFromCents(averageCents(totals.revenueCents, totals.active)),
    expiringSoon: totals.expiring,
    overdue: totals.overdue,
    growthRate: percent(totals.newThisMonth, totals.contracts),
    successRate: percent(totals.active, totals.contracts),
    contractsPerCustomer: totals.customers === 0 ? 0 : Math.round((totals.contracts / totals.customers) * 10) / 10,
    overdueContracts: attention.filter((contract) => contract.daysLeft < 0),
    expiringContracts: attention.filter((contract) => contract.daysLeft >= 0),
  }
}
