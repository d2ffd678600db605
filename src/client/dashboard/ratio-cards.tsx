import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { formatCount, formatPercent } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'
import classes from './ratio-cards.module.css'

type Dashboard = Outputs['dashboard']['get']

const CARDS: { label: string; hint: string; tone: string; valueOf: (dashboard: Dashboard) => string }[] = [
  {
    label: 'Growth Rate',
    hint: 'New this month / total contracts',
    tone: 'growth',
    valueOf: ({ growthRate }) => formatPercent(growthRate),
  },
  {
    label: 'Success Rate',
    hint: 'Active / total contracts',
    tone: 'success',
    valueOf: ({ successRate }) => formatPercent(successRate),
  },
  {
    label: 'Efficiency',
    hint: 'Contracts per customer',
    tone: 'efficiency',
    valueOf: ({ contractsPerCustomer }) => formatCount(contractsPerCustomer),
  },
]

export function RatioCards({ dashboard }: { dashboard: Dashboard | undefined }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing={{ base: 'xs', sm: 'md' }}>
      {CARDS.map(({ label, hint, tone, valueOf }) => (
        <Paper key={label} p="md" className={classes.card ?? ''} data-tone={tone} role="group" aria-label={label}>
          <Text size="sm" fw={600}>
            {label}
          </Text>
          {dashboard ? (
            <Text fz={28} lh="36px" fw={700}>
              {valueOf(dashboard)}
            </Text>
          ) : (
            <Skeleton height={36} width="40%" />
          )}
          <Text size="sm">{hint}</Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}
