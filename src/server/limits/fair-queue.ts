import { AppError, type RefusalKey } from '#shared/errors.ts'

interface Limits {
  mostWaiting: number
  longestWaitMs: number
  /** The error for tasks that cannot wait any longer. */
  refusal: RefusalKey
}

export interface Requester {
  accountId: number
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

/** Resolved when the task may begin. */
type Ticket = PromiseWithResolvers<void>

/** Runs one task at a time. Waiting accounts are served round-robin, and the tasks of one account in order of arrival. */
export class FairQueue {
  private readonly limits: Limits
  /** Waiting tasks by account; the account to be served next comes first. */
  private readonly waiting = new Map<number, Ticket[]>()
  private isTaken = false

  constructor(limits: Limits) {
    this.limits = limits
  }

  /**
   * Resolves when the task may begin, with a function to be called once when it has ended.
   * @throws the refusal of the limits if too many wait, it took too long, or the signal aborts
   */
  async enter(requester: Requester): Promise<() => void> {
    if (this.isTaken) await this.wait(requester)
    this.isTaken = true
    return () => this.release(requester.accountId)
  }

  private async wait({ accountId, signal }: Requester): Promise<void> {
    if (signal.aborted) throw new AppError(this.limits.refusal)
    const ticket = this.join(accountId)
    const giveUp = () => {
      this.leave(accountId, ticket)
      ticket.reject(new AppError(this.limits.refusal))
    }
    const timer = setTimeout(giveUp, this.limits.longestWaitMs)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      await ticket.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  private join(accountId: number): Ticket {
    const own = this.waiting.get(accountId) ?? []
    const all = [...this.waiting.values()].flat()
    if (all.length >= this.limits.mostWaiting) throw new AppError(this.limits.refusal)
    const ticket = Promise.withResolvers<void>()
    this.waiting.set(accountId, [...own, ticket])
    return ticket
  }

  private leave(accountId: number, ticket: Ticket | undefined): void {
    const others = this.waiting.get(accountId)?.filter((one) => one !== ticket) ?? []
    if (others.length > 0) this.waiting.set(accountId, others)
    else this.waiting.delete(accountId)
  }

  private release(accountId: number): void {
    this.moveToEnd(accountId)
    const [next] = this.waiting
    if (next) {
      const [nextAccount, [ticket]] = next
      this.leave(nextAccount, ticket)
      ticket?.resolve()
    } else this.isTaken = false
  }

  private moveToEnd(accountId: number): void {
    const own = this.waiting.get(accountId)
    this.waiting.delete(accountId)
    if (own) this.waiting.set(accountId, own)
  }
}
