import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Chart, Point } from './chart.ts'

export type PlotComponent = ComponentType<{ chart: Chart; points: Point[] }>

/** What draws a chart, once it is wanted. A query and not `lazy`, which never tries again what has failed. */
export function usePlot(wanted: boolean) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['plot'],
    queryFn: () => import('./plot.tsx'),
    enabled: wanted,
    staleTime: Infinity,
    gcTime: Infinity,
    networkMode: 'always',
  })
  return { Plot: data?.Plot, isError, isFetching, retry: () => void refetch() }
}
