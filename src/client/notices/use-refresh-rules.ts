import { trpc } from '#client/api/trpc.ts'

/** After rules or choices have changed, whatever shows them. */
export function useRefreshRules() {
  const utils = trpc.useUtils()
  return () => Promise.all([utils.noticeRules.invalidate(), utils.notices.invalidate()])
}
