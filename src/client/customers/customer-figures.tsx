import { SimpleGrid } from '@mantine/core'
import { BookmarkIcon, FileTextIcon, PersonIcon, PlusCircledIcon } from '@radix-ui/react-icons'
import { formatCount } from '#client/text/format.ts'
import type { Answers } from '#client/api/trpc.ts'
import { StatCard } from '#client/ui/stat-card.tsx'

type Figures = Answers['customers']['figures']

const CARDS: { label: string; definition: string; icon: typeof PersonIcon; figure: keyof Figures }[] = [
  { label: 'Total Customers', definition: 'Everybody in your directory', icon: PersonIcon, figure: 'total' },
  {
    label: 'New This Month',
    definition: 'Customers added since the 1st of this month',
    icon: PlusCircledIcon,
    figure: 'newThisMonth',
  },
  {
    label: 'With Contracts',
    definition: 'Customers with at least one contract, whatever its status',
    icon: BookmarkIcon,
    figure: 'withContracts',
  },
  {
    label: 'Avg Contracts',
    definition: 'Contracts per customer, all customers counted',
    icon: FileTextIcon,
    figure: 'averageContracts',
  },
]

/** The figures above the table: a skeleton each while they are on their way, a dash where they did not come. */
export function CustomerFigures({ figures, failed }: { figures: Figures | undefined; failed: boolean }) {
  const missing = failed ? '–' : undefined
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      {CARDS.map(({ label, definition, icon: Icon, figure }) => (
        <StatCard
          key={label}
          label={label}
          definition={definition}
          icon={<Icon width={18} height={18} />}
          value={figures ? formatCount(figures[figure]) : missing}
        />
      ))}
    </SimpleGrid>
  )
}
