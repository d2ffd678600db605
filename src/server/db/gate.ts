import { AppError } from '#shared/errors.ts'
import type { Acting } from './read.ts'

interface GateOptions {
  /** How many connections of a pool one account uses at once. */
  atOnce: number
  /** How many more of its requests wait for one of those. */
  mostWaiting: number
}

const RETRY_SECONDS = 5

/**
 * Runs work that takes a connection of a pool, limited for each account, so that one account never takes all of them.
 * What else it asks for waits in memory, in the order in which it came, and holds nothing meanwhile. Work must not ask
 * the same gate for more of its account, or it could wait for itself.
 */
export function openGate({ atOnce, mostWaiting }: GateOptions) {
  const accounts = new Map<number, { running: number; waiting: (() => void)[] }>()
  /** @throws TOO_MANY_AT_ONCE where too much waits already, but for jobs and imports, which nobody would ask again */
  return async <T>({ accountId, actor }: Acting, work: () => Promise<T>): Promise<T> => {
    const account = accounts.get(accountId) ?? { running: 0, waiting: [] }
    accounts.set(accountId, account)
    if (account.running < atOnce) account.running += 1
    else if (account.waiting.length < mostWaiting || /^(?:job|import):/.test(actor)) {
      await new Promise<void>((resolve) => account.waiting.push(resolve))
    } else throw new AppError('TOO_MANY_AT_ONCE', { wait: { seconds: RETRY_SECONDS } })
    try {
      return await work()
    } finally {
      // The next in line takes over the slot, so that no newcomer overtakes it.
      const next = account.waiting.shift()
      if (next) next()
      else account.running -= 1
      if (account.running === 0) accounts.delete(accountId)
    }
  }
}
