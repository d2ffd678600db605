import { trpc, type Outputs } from '#client/api/trpc.ts'
import { useRefresh } from '#client/api/use-refresh.ts'

export type Tag = Outputs['tags']['list'][number]

/** Refetches whatever shows tags or filters by them, after tags were renamed or removed. */
export function useRefreshTags() {
  const refresh = useRefresh()
  const { views } = trpc.useUtils()
  return () => Promise.all([refresh(), views.invalidate()])
}
