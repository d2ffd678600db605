import { CheckCircledIcon, ClockIcon, FileTextIcon, LayersIcon } from '@radix-ui/react-icons'
import { formatCount, formatMoney } from '#client/text/format.ts'
import type { ContractFilter } from '#shared/schemas/filters.ts'
import type { Outputs } from '#client/api/trpc.ts'
import type { FigureCard } from '#client/list/figure-cards.tsx'

/** Which contracts a figure is of; all of them where it names none. */
export const FIGURE_FILTERS: Record<string, Pick<ContractFilter, 'status' | 'expiring'>> = {
  'Total Revenue': { status: 'active' },
  'Expiring Soon': { expiring: true },
  'Active Contracts': { status: 'active' },
}

/** What stands above the table of contracts. */
export const CONTRACT_FIGURES: FigureCard<Outputs['contracts']['figures']>[] = [
  {
    label: 'Total Contracts',
    definition: 'All contracts, in any status',
    icon: FileTextIcon,
    valueOf: ({ total }) => formatCount(total),
  },
  {
    label: 'Total Revenue',
    definition: 'The sum of the amounts of active contracts',
    icon: LayersIcon,
    valueOf: ({ revenue }) => formatMoney(revenue),
  },
  {
    label: 'Expiring Soon',
    definition: 'Pending and active contracts that renew from today to the end of this month',
    icon: ClockIcon,
    note: 'this month',
    valueOf: ({ expiring }) => formatCount(expiring),
  },
  {
    label: 'Active Contracts',
    definition: 'Contracts whose status is active',
    icon: CheckCircledIcon,
    valueOf: ({ active }) => formatCount(active),
  },
]
