import { trpc } from '#client/api/trpc.ts'

/** After rules or choices have changed, whatever shows them. */
export function useRefreshRules() {
  const utils = trpc.useUtils()
  return () => utils.noticeRules.invalidate()
}
