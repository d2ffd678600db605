import { useState } from 'react'
import type { Outputs } from '#client/api/trpc.ts'

/** Shown until there is a contract; then until closed. */
export function useFirstSteps(dashboard: Outputs['dashboard']['get'] | undefined) {
  const [isTaking, setIsTaking] = useState(false)
  const isEmpty = dashboard?.totalContracts === 0
  if (isEmpty && !isTaking) setIsTaking(true)
  const isSample = dashboard !== undefined && dashboard.sampleImportId !== null
  return {
    isEmpty,
    isShown: isEmpty || (isTaking && !isSample),
    close: isEmpty ? undefined : () => setIsTaking(false),
  }
}
