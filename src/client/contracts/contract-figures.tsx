import { SimpleGrid } from '@mantine/core'
import { CheckCircledIcon, ClockIcon, FileTextIcon, LayersIcon } from '@radix-ui/react-icons'
import { formatCount, formatMoney } from '#client/text/format.ts'
import type { Answers } from '#client/api/trpc.ts'
import { StatCard } from '#client/ui/stat-card.tsx'

type Figures = Answers['contracts']['figures']

interface Card {
  label: string
  definition: string
  icon: typeof FileTextIcon
  valueOf: (figures: Figures) => string
}

const CARDS: Card[] = [
  {
    label: 'Total Contracts',
    definition: 'All contracts, whatever their status',
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
    valueOf: ({ expiring }) => formatCount(expiring),
  },
  {
    label: 'Active Contracts',
    definition: 'Contracts whose status is active',
    icon: CheckCircledIcon,
    valueOf: ({ active }) => formatCount(active),
  },
]

/** The figures above the table: a skeleton each while they are on their way, a dash where they did not come. */
export function ContractFigures({ figures, failed }: { figures: Figures | undefined; failed: boolean }) {
  const missing = failed ? '–' : undefined
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      {CARDS.map(({ label, definition, icon: Icon, valueOf }) => (
        <StatCard
          key={label}
          label={label}
          definition={definition}
          icon={<Icon width={18} height={18} />}
          value={figures ? valueOf(figures) : missing}
        />
      ))}
    </SimpleGrid>
  )
}
