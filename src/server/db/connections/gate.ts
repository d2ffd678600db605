import { AppError } from '#shared/errors.ts'
import type { Acting } from './read.ts'

interface GateOptions {
  /** How many connections of a pool one account uses at once. */
  atOnce: number
  /** From this many connections in use, each account gets at most one. */
  crowdedAt: number
  /** How many more requests of an account may wait for one. */
  mostWaiting: number
  /** How many pieces of work, of all accounts, a request may wait for. */
  mostAhead: number
}

interface Account {
  running: number
  waiting: (() => void)[]
}

const RETRY_SECONDS = 5
/** Stands for all links that are still to be checked, as made-up ones would otherwise hold up the account they name. */
const OF_LINKS = 0

/**
 * Runs work that takes a connection from a pool. Each account gets a few at once, and only one while most of the pool
 * is in use, so that a few accounts never take all of it. The rest waits in memory without a connection: accounts take
 * turns, and the work of one account runs in the order in which it came. Work must not pass the same gate again for its
 * account, or it could wait for itself.
 */
export function openGate({ atOnce, crowdedAt, mostWaiting, mostAhead }: GateOptions) {
  const accounts = new Map<number, Account>()
  /** Accounts with waiting work, the next one first. */
  const queue = new Set<Account>()
  let running = 0
  const mayBegin = (account: Account) => account.running === 0 || (account.running < atOnce && running < crowdedAt)
  const begin = (account: Account) => {
    account.running += 1
    running += 1
  }
  const beginNext = () => {
    // An account whose work starts goes to the end of the queue, where this loop meets it again.
    for (const account of queue) {
      if (!mayBegin(account)) continue
      queue.delete(account)
      begin(account)
      account.waiting.shift()?.()
      if (account.waiting.length > 0) queue.add(account)
    }
  }
  const refuseExcess = ({ waiting }: Account) => {
    if (waiting.length >= mostWaiting) throw new AppError('TOO_MANY_AT_ONCE', { wait: { seconds: RETRY_SECONDS } })
    // Before each piece of its work, an account waits for one of every other account.
    if (running * (waiting.length + 1) >= mostAhead) throw new AppError('SERVER_BUSY')
  }
  /** @throws TOO_MANY_AT_ONCE, SERVER_BUSY if too much is waiting, except for jobs and imports, which nobody would retry */
  return async <T>({ accountId, actor }: Acting, work: () => Promise<T>): Promise<T> => {
    const who = actor === 'link' ? OF_LINKS : accountId
    const account = accounts.get(who) ?? { running: 0, waiting: [] }
    if (!/^(?:job|import):/.test(actor)) refuseExcess(account)
    accounts.set(who, account)
    if (account.waiting.length === 0 && mayBegin(account)) begin(account)
    else {
      queue.add(account)
      await new Promise<void>((resolve) => account.waiting.push(resolve))
    }
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
