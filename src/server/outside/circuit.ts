import { setTimeout as pause } from 'node:timers/promises'

/** A service outside that is not asked while it is away, so that nobody waits for it in vain. */
export interface Circuit {
  readonly service: string
  /** Whether calls are refused for now. */
  isOpen(): boolean
  /**
   * Runs one call. `isFailed` finds answers that mean that the service is away; `moreMs` adds to the limit.
   * @throws ServiceAway if it takes longer than the limit, or is not made, as the last ones have all failed
   */
  run<T>(call: () => Promise<T>, options?: CallOptions<T>): Promise<T>
}

interface CallOptions<T> {
  moreMs?: number
  isFailed?: (answer: T) => boolean
}

export interface CircuitOptions {
  service: string
  /** How long a call may take. */
  limitMs: number
  /** Tells a service that is away from one that refuses a call. */
  isAway: (error: unknown) => boolean
  /** In milliseconds, of a clock that only goes forward. */
  now?: () => number
}

/** Failed calls in a row. */
export const MOST_FAILURES = 5
/** How long nothing is asked then, before one call finds out whether the service is back. */
export const AWAY_MS = 15_000

/** No answer in time, or no question. */
export class ServiceAway extends Error {
  override readonly name = 'ServiceAway'
}

export function openCircuit({ service, limitMs, isAway, now = () => performance.now() }: CircuitOptions): Circuit {
  let failures = 0
  let nextAt = 0
  const hasFailed = () => failures >= MOST_FAILURES
  const isOpen = () => hasFailed() && now() < nextAt
  const note = (isFailure: boolean) => {
    failures = isFailure ? failures + 1 : 0
    nextAt = now() + AWAY_MS
  }
  return {
    service,
    isOpen,
    async run(call, { moreMs = 0, isFailed = () => false } = {}) {
      const most = limitMs + moreMs
      if (isOpen()) throw new ServiceAway(`${service} is not asked, as it has failed ${failures} times in a row`)
      // This call finds out, and others are refused meanwhile.
      if (hasFailed()) nextAt = now() + AWAY_MS
      try {
        const answer = await within(most, call(), service)
        note(isFailed(answer))
        return answer
      } catch (error) {
        note(error instanceof ServiceAway || isAway(error))
        throw error
      }
    },
  }
}

/** Stops waiting; what was asked may still be carried out. */
async function within<T>(ms: number, asked: Promise<T>, service: string): Promise<T> {
  const waiting = new AbortController()
  const late = pause(ms, undefined, { signal: waiting.signal }).then(() => {
    throw new ServiceAway(`${service} has not answered within ${ms} ms`)
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    late.catch(() => {})
    waiting.abort()
  }
}

/** Whether something failed because a service was away, by what it failed with first. */
export function isServiceAway(error: unknown): boolean {
  return error instanceof ServiceAway || (error instanceof Error && isServiceAway(error.cause))
}
