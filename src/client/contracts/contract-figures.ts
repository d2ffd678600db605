import { CheckCircledIcon, ClockIcon, FileTextIcon, LayersIcon } from '@radix-ui/react-icons'
import { formatCount, formatMoney } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'
import type { FigureCard } from '#client/list/figure-cards.tsx'

/** The figures above the table of contracts. */
export const CONTRACT_FIGURES: FigureCard<Outputs['contracts']['figures']>[] = [
  {
    label: 'Total Contracts',
    definition: 'All contracts, in any status',
    icon: FileTextIcon,
    valueOf: ({ total }) => formatCount(total),
    counted: {},
  },
  {
    label: 'Total Revenue',
    definition: 'The sum of the amounts of active contracts',
    icon: LayersIcon,
    valueOf: ({ revenue }) => formatMoney(revenue),
    counted: { status: 'active' },
  },
  {
    label: 'Expiring Soon',
    definition: 'Pending and active contracts that renew from today to the end of this month',
    icon: ClockIcon,
    note: 'this month',
    valueOf: ({ expiring }) => formatCount(expiring),
    counted: { expiring: true },
  },
  {
    label: 'Active Contracts',
    definition: 'Contracts whose status is active',
    icon: CheckCircledIcon,
    valueOf: ({ active }) => formatCount(active),
    counted: { status: 'active' },
  },
]
