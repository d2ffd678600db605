import { useState } from 'react'

/** The point whose tooltip is shown. */
export interface ActivePoint {
  index: number | undefined
  show: (index: number) => void
  hide: () => void
}

export function useActivePoint(): ActivePoint {
  const [index, show] = useState<number>()
  return { index, show, hide: () => show(undefined) }
}
