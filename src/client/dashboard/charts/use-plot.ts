import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

/** What draws a chart, once it is wanted. A query and not `lazy`, which never tries again what has failed. */
export function usePlot(wanted: boolean) {
  const { data, isError, isFetching, errorUpdateCount, refetch } = useQuery({
    queryKey: ['plot'],
    queryFn: () => import('./plot.tsx'),
    enabled: wanted,
    staleTime: Infinity,
    gcTime: Infinity,
    networkMode: 'always',
  })
  // Browsers keep in mind what could not be fetched, some of them for as long as the page is there.
  const retry = () => (errorUpdateCount > 1 ? location.reload() : void refetch())
  // Charts are drawn a piece at a time, so that one can scroll and click meanwhile.
  const Plot = useDeferredValue(data?.Plot)
  return { Plot, isError, isFetching, retry }
}
