import { Paper, SimpleGrid, Text } from '@mantine/core'
import { formatCount, formatPercent } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'
import leads from '#client/ui/cards/lead.module.css'
import { CountedLink, type Counted } from '#client/list/counted-link.tsx'
import classes from './ratio-cards.module.css'

type Dashboard = Outputs['dashboard']['get']

interface RatioCard {
  label: string
  hint: string
  tone: string
  valueOf: (dashboard: Dashboard) => string
  /** The contracts that the ratio counts, if there is a list of them. */
  countedOf?: (dashboard: Dashboard) => Counted
}

const CARDS: RatioCard[] = [
  {
    label: 'Growth Rate',
    hint: 'New this month / total contracts',
    tone: 'growth',
    valueOf: ({ growthRate }) => formatPercent(growthRate),
    countedOf: ({ months }) => ({ startedIn: months.at(-1)?.month }),
  },
  {
    label: 'Success Rate',
    hint: 'Active / total contracts',
    tone: 'success',
    valueOf: ({ successRate }) => formatPercent(successRate),
    countedOf: () => ({ status: 'active' }),
  },
  {
    label: 'Efficiency',
    hint: 'Contracts per customer',
    tone: 'efficiency',
    valueOf: ({ contractsPerCustomer }) => formatCount(contractsPerCustomer),
  },
]

export function RatioCards({ dashboard }: { dashboard: Dashboard }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing={{ base: 'xs', sm: 'md' }}>
      {CARDS.map(({ label, hint, tone, valueOf, countedOf }) => (
        <Paper key={label} p="md" className={classes.card ?? ''} data-tone={tone} role="group" aria-label={label}>
          <Text size="sm" fw={500}>
            {countedOf ? (
              <CountedLink counted={countedOf(dashboard)} className={leads.lead}>
                {label}
              </CountedLink>
            ) : (
              label
            )}
          </Text>
          <Text fz={24} lh="32px" fw={650}>
            {valueOf(dashboard)}
          </Text>
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}
