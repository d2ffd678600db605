import { AppError } from '#shared/errors.ts'

interface Limits {
  mostWaiting: number
  longestWaitMs: number
}

/** Lets one work at a time; the others wait in the order in which they came. */
export function openTurns({ mostWaiting, longestWaitMs }: Limits) {
  const waiting: PromiseWithResolvers<void>[] = []
  let isTaken = false

  const next = () => {
    const one = waiting.shift()
    if (one) one.resolve()
    else isTaken = false
  }

  const wait = async (signal: AbortSignal) => {
    if (waiting.length >= mostWaiting || signal.aborted) throw new AppError('IMPORT_BUSY')
    const place = Promise.withResolvers<void>()
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
   * @throws IMPORT_BUSY where too many wait, it took too long, or the signal says that nobody waits for it any more
   */
  const take = async (signal: AbortSignal): Promise<() => void> => {
    if (isTaken) await wait(signal)
    isTaken = true
    return next
  }
  return { take }
}
