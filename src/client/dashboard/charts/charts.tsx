import { SimpleGrid, Stack } from '@mantine/core'
import type { Outputs } from '#client/api/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { ChartCard } from './chart-card.tsx'
import { CHARTS } from './chart.ts'
import { useNearScreen } from './use-near-screen.ts'
import { usePlot } from './use-plot.ts'

/** The four charts. What draws them is loaded once the figures are there and the charts are about to be seen. */
export function Charts({ dashboard }: { dashboard: Outputs['dashboard']['get'] | undefined }) {
  const [ref, isNear] = useNearScreen()
  const { Plot, isError, isFetching, retry } = usePlot(isNear && dashboard !== undefined)
  return (
    <Stack ref={ref} gap="md" component="section" aria-label="Charts">
      {isError && <ErrorState over message="Failed to load the charts" retrying={isFetching} onRetry={retry} />}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={{ base: 'xs', sm: 'md' }}>
        {CHARTS.map((chart) => (
          <ChartCard
            key={chart.title}
            chart={chart}
            points={dashboard && chart.pointsOf(dashboard)}
            {...{ Plot, isError }}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
}
