import { BookmarkIcon, FileTextIcon, PersonIcon, PlusIcon } from '@radix-ui/react-icons'
import { formatCount } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'
import type { FigureCard } from '#client/list/figure-cards.tsx'
import type { CustomersSearch } from './customers-search.ts'

type Figures = Outputs['customers']['figures']

/** The figures above the table of customers. `month` is the one that "this month" means, once it is known. */
export const customerFigures = (month?: Figures['month']): FigureCard<Figures, Partial<CustomersSearch>>[] => [
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
    counted: month === undefined ? undefined : { addedIn: month },
  },
  {
    label: 'With Contracts',
    definition: 'Customers with at least one contract, in any status',
    icon: BookmarkIcon,
    valueOf: ({ withContracts }) => formatCount(withContracts),
    counted: { withContracts: true },
  },
  {
    label: 'Avg Contracts',
    definition: 'Contracts per customer, including customers without any',
    icon: FileTextIcon,
    valueOf: ({ averageContracts }) => formatCount(averageContracts),
  },
]
