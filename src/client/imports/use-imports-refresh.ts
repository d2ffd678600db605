import { trpc } from '#client/api/trpc.ts'
import { useRefresh } from '#client/api/use-refresh.ts'

/** Refetches everything that shows imported rows, after an import or an undo. */
export function useImportsRefresh() {
  const refresh = useRefresh()
  const utils = trpc.useUtils()
  return () => Promise.all([refresh(), utils.imports.invalidate()])
}
