import { SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useState } from 'react'
import type { Outputs } from '#client/api/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { ChartCard } from './chart-card.tsx'
import { CHARTS } from './chart.ts'

/** The four charts. The code that draws them loads once the figures are there and the charts are nearly in view. */
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

/** True once an element has been within a screen's height of the window. */
function useNearScreen(): [ref: (element: HTMLElement | null) => (() => void) | undefined, isNear: boolean] {
  const [isNear, setNear] = useState(false)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const look = (entries: IntersectionObserverEntry[]) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      setNear(true)
      observer.disconnect()
    }
    const observer = new IntersectionObserver(look, { rootMargin: '100%' })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, isNear]
}

/** The component that draws charts, loaded when wanted. A query, because `lazy` never retries. */
function usePlot(wanted: boolean) {
  const { data, isError, isFetching, errorUpdateCount, refetch } = useQuery({
    queryKey: ['plot'],
    queryFn: () => import('./plot.tsx'),
    enabled: wanted,
    staleTime: Infinity,
    gcTime: Infinity,
    networkMode: 'always',
  })
  // Some browsers cache a failed import until the page is reloaded.
  const retry = () => (errorUpdateCount > 1 ? location.reload() : void refetch())
  // Deferred, so that the page stays responsive while charts are drawn.
  const Plot = useDeferredValue(data?.Plot)
  return { Plot, isError, isFetching, retry }
}
