import { trpc } from '#client/api/trpc.ts'
import { useRefresh } from '#client/api/use-refresh.ts'

/** After an import has brought rows, or was taken back: they, their figures and the imports are fetched anew. */
export function useImportsRefresh() {
  const refresh = useRefresh()
  const utils = trpc.useUtils()
  return () => Promise.all([refresh(), utils.imports.invalidate()])
}
