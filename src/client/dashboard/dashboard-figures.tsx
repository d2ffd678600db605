import {
  BarChartIcon,
  CalendarIcon,
  CheckCircledIcon,
  ClockIcon,
  ExclamationTriangleIcon,
  FileTextIcon,
  LayersIcon,
  PersonIcon,
} from '@radix-ui/react-icons'
import { EXPIRING_WITHIN_DAYS } from '#shared/domain/contract-term.ts'
import { formatCount, formatMoney } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { EXPIRING, linkTo, OVERDUE } from '#client/list/counted-link.tsx'
import { FigureCards, type FigureCard } from '#client/list/figure-cards.tsx'

type Dashboard = Outputs['dashboard']['get']

const CARDS: FigureCard<Dashboard>[] = [
  {
    label: 'Total Contracts',
    definition: 'All contracts, in any status',
    icon: FileTextIcon,
    valueOf: ({ totalContracts }) => formatCount(totalContracts),
    counted: {},
  },
  {
    label: 'Total Revenue',
    definition: 'The sum of the amounts of active contracts',
    icon: LayersIcon,
    valueOf: ({ totalRevenue }) => formatMoney(totalRevenue),
    counted: { status: 'active' },
  },
  {
    label: 'Expiring Soon',
    definition:
      'Pending and active contracts that renew within the next 30 days, including today. The amount at stake is their total.',
    icon: ClockIcon,
    valueOf: ({ expiringSoon }) => formatCount(expiringSoon),
    note: `within ${EXPIRING_WITHIN_DAYS} days`,
    detailOf: ({ expiringRevenue }) => `${formatMoney(expiringRevenue)} at stake`,
    counted: EXPIRING,
  },
  {
    label: 'Total Customers',
    definition: 'Everyone in your customer directory',
    icon: PersonIcon,
    valueOf: ({ totalCustomers }) => formatCount(totalCustomers),
    counted: 'customers',
  },
  {
    label: 'Active Contracts',
    definition: 'Contracts whose status is active',
    icon: CheckCircledIcon,
    valueOf: ({ activeContracts }) => formatCount(activeContracts),
    counted: { status: 'active' },
  },
  {
    label: 'Monthly Revenue',
    definition:
      "The active contracts' amounts per month: monthly ones as they are, quarterly ones divided by 3, yearly by 12",
    icon: CalendarIcon,
    valueOf: ({ monthlyRevenue }) => formatMoney(monthlyRevenue),
    counted: { status: 'active' },
  },
  {
    label: 'Overdue',
    definition: 'Pending and active contracts whose renewal date has passed',
    icon: ExclamationTriangleIcon,
    valueOf: ({ overdue }) => formatCount(overdue),
    counted: OVERDUE,
  },
  {
    label: 'Avg Contract Value',
    definition: 'Total Revenue divided by the number of active contracts',
    icon: BarChartIcon,
    valueOf: ({ averageContractValue }) => formatMoney(averageContractValue),
    counted: { status: 'active' },
  },
]

export function DashboardFigures({ dashboard }: { dashboard: Dashboard | undefined }) {
  return <FigureCards cards={CARDS} figures={{ data: dashboard, isError: false }} linkTo={linkTo} />
}
