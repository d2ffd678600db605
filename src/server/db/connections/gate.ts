import { AppError } from '#shared/errors.ts'
import type { Acting } from './read.ts'

interface GateOptions {
  /** How many connections of a pool one account uses at once. */
  atOnce: number
  /** From this many connections in use, each account gets at most one. */
  crowdedAt: number
  /** How many more requests of an account wait for one of those. */
  mostWaiting: number
}

interface Account {
  running: number
  waiting: (() => void)[]
}

const RETRY_SECONDS = 5
/** All links that are still to be checked: made-up ones would keep the account that they name from its own work. */
const OF_LINKS = 0

/**
 * Runs work that takes a connection of a pool, limited for each account, and to one at a time while most of the pool is in
 * use, so that a few accounts never take all of it. What else they ask for waits in memory and holds no connection:
 * accounts in rotation, and the work of one account in the order in which it came. Work must not ask the same gate for
 * more of its account, or it could wait for itself.
 */
export function openGate({ atOnce, crowdedAt, mostWaiting }: GateOptions) {
  const accounts = new Map<number, Account>()
  /** Accounts with work that waits, the next one first. */
  const queue = new Set<Account>()
  let running = 0
  const mayBegin = (account: Account) => account.running === 0 || (account.running < atOnce && running < crowdedAt)
  const begin = (account: Account) => {
    account.running += 1
    running += 1
  }
  const beginNext = () => {
    // An account that begins goes to the end of the queue, and this loop comes to it again.
    for (const account of queue) {
      if (!mayBegin(account)) continue
      queue.delete(account)
      begin(account)
      account.waiting.shift()?.()
      if (account.waiting.length > 0) queue.add(account)
    }
  }
  /** @throws TOO_MANY_AT_ONCE where too much waits already, but for jobs and imports, which nobody would ask again */
  return async <T>({ accountId, actor }: Acting, work: () => Promise<T>): Promise<T> => {
    const who = actor === 'link' ? OF_LINKS : accountId
    const account = accounts.get(who) ?? { running: 0, waiting: [] }
    accounts.set(who, account)
    if (account.waiting.length === 0 && mayBegin(account)) begin(account)
    else if (account.waiting.length < mostWaiting || /^(?:job|import):/.test(actor)) {
      queue.add(account)
      await new Promise<void>((resolve) => account.waiting.push(resolve))
    } else throw new AppError('TOO_MANY_AT_ONCE', { wait: { seconds: RETRY_SECONDS } })
    try {
      return await work()
    } finally {
      account.running -= 1
      running -= 1
      beginNext()
      if (account.running === 0) accounts.delete(who)
    }
  }
}
