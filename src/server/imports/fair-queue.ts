import { AppError } from '#shared/errors.ts'

interface Limits {
  mostWaiting: number
  mostWaitingOfOne: number
  longestWaitMs: number
}

export interface Applicant {
  accountId: number
  /** Aborts when nobody waits for the result any more. */
  signal: AbortSignal
}

type Place = PromiseWithResolvers<void>

/** Lets one work at a time. The accounts that wait are served by turns, each account's own in the order of arrival. */
export class FairQueue {
  private readonly limits: Limits
  /** Who waits, the account that is served next first. */
  private readonly waiting = new Map<number, Place[]>()
  private isTaken = false

  constructor(limits: Limits) {
    this.limits = limits
  }

  /**
   * Resolves when the work may begin, with a function that is to be called once at its end.
   * @throws IMPORT_TOO_MANY_WAITING, IMPORT_BUSY where too many wait, it took too long, or nobody waits any more
   */
  async enter(applicant: Applicant): Promise<() => void> {
    if (this.isTaken) await this.wait(applicant)
    this.isTaken = true
    return () => this.release(applicant.accountId)
  }

  private async wait({ accountId, signal }: Applicant): Promise<void> {
    if (signal.aborted) throw new AppError('IMPORT_BUSY')
    const place = this.join(accountId)
    const giveUp = () => {
      this.leave(accountId, place)
      place.reject(new AppError('IMPORT_BUSY'))
    }
    const timer = setTimeout(giveUp, this.limits.longestWaitMs)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      await place.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  private join(accountId: number): Place {
    const own = this.waiting.get(accountId) ?? []
    if (own.length >= this.limits.mostWaitingOfOne) throw new AppError('IMPORT_TOO_MANY_WAITING')
    const all = [...this.waiting.values()].flat()
    if (all.length >= this.limits.mostWaiting) throw new AppError('IMPORT_BUSY')
    const place = Promise.withResolvers<void>()
    this.waiting.set(accountId, [...own, place])
    return place
  }

  private leave(accountId: number, place: Place | undefined): void {
    const others = this.waiting.get(accountId)?.filter((one) => one !== place) ?? []
    if (others.length > 0) this.waiting.set(accountId, others)
    else this.waiting.delete(accountId)
  }

  private release(accountId: number): void {
    this.moveToEnd(accountId)
    const [next] = this.waiting
    if (next) {
      const [nextAccount, [place]] = next
      this.leave(nextAccount, place)
      place?.resolve()
    } else this.isTaken = false
  }

  private moveToEnd(accountId: number): void {
    const own = this.waiting.get(accountId)
    this.waiting.delete(accountId)
    if (own) this.waiting.set(accountId, own)
  }
}
