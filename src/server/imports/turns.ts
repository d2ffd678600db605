import { AppError } from '#shared/errors.ts'

interface Limits {
  mostWaiting: number
  /** Of one account. */
  mostOfOne: number
  longestWaitMs: number
}

export interface Asking {
  accountId: number
  /** Says when nobody waits for it any more. */
  signal: AbortSignal
}

/**
 * Lets one work at a time; the others wait in the order in which they came, but an account that has just had its turn
 * lets the others go first.
 */
export function openTurns({ mostWaiting, mostOfOne, longestWaitMs }: Limits) {
  const waiting: (PromiseWithResolvers<void> & { accountId: number })[] = []
  let isTaken = false

  const giveBack = (accountId: number) => {
    const other = waiting.findIndex((place) => place.accountId !== accountId)
    const [one] = waiting.splice(Math.max(0, other), 1)
    if (one) one.resolve()
    else isTaken = false
  }

  const wait = async ({ accountId, signal }: Asking) => {
    const own = waiting.filter((place) => place.accountId === accountId).length
    if (waiting.length >= mostWaiting || own >= mostOfOne || signal.aborted) throw new AppError('IMPORT_BUSY')
    const place = { ...Promise.withResolvers<void>(), accountId }
    const leave = () => {
      if (waiting.includes(place)) waiting.splice(waiting.indexOf(place), 1)
      place.reject(new AppError('IMPORT_BUSY'))
    }
    const timer = setTimeout(leave, longestWaitMs)
    signal.addEventListener('abort', leave, { once: true })
    waiting.push(place)
    try {
      await place.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
    }
  }

  /**
   * Waits for the turn; it is to be given back once, by what this answers.
   * @throws IMPORT_BUSY where too many wait, it took too long, or nobody waits for it any more
   */
  const take = async (asking: Asking): Promise<() => void> => {
    if (isTaken) await wait(asking)
    isTaken = true
    return () => giveBack(asking.accountId)
  }
  return { take }
}
