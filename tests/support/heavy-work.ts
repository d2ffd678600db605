import { afterEach } from 'vitest'
import type { Limits } from '#server/limits/limits.ts'

type Begin = (limits: Limits, ...work: Parameters<Limits['begin']>) => Promise<() => void>

/** Begins heavy work that ends with its test at the latest. What is never ended would extend its lease in later tests. */
export function useHeavyWork(): Begin {
  const begun = new Set<() => void>()
  afterEach(() => {
    for (const end of begun) end()
  })
  return async (limits, ...work) => {
    const end = await limits.begin(...work)
    const endOnce = () => {
      if (begun.delete(endOnce)) end()
    }
    begun.add(endOnce)
    return endOnce
  }
}
