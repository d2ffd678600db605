import { BookmarkIcon, FileTextIcon, PersonIcon, PlusIcon } from '@radix-ui/react-icons'
import { formatCount } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'
import type { FigureCard } from '#client/list/figure-cards.tsx'
import type { CustomersSearch } from './customers-search.ts'

/** The figures above the table of customers. Each shows all customers, sorted so that those it counts come first. */
export const CUSTOMER_FIGURES: FigureCard<Outputs['customers']['figures'], Partial<CustomersSearch>>[] = [
  {
    label: 'Total Customers',
    definition: 'Everyone in your directory',
    icon: PersonIcon,
    valueOf: ({ total }) => formatCount(total),
    counted: {},
  },
  {
    label: 'New This Month',
    definition: 'Customers added since the 1st of this month',
    icon: PlusIcon,
    valueOf: ({ newThisMonth }) => formatCount(newThisMonth),
    counted: { sort: 'createdAt', direction: 'desc' },
  },
  {
    label: 'With Contracts',
    definition: 'Customers with at least one contract, in any status',
    icon: BookmarkIcon,
    valueOf: ({ withContracts }) => formatCount(withContracts),
  },
  {
    label: 'Avg Contracts',
    definition: 'Contracts per customer, including customers without any',
    icon: FileTextIcon,
    valueOf: ({ averageContracts }) => formatCount(averageContracts),
  },
]
