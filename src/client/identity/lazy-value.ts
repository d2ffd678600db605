export interface Awaited<T> {
  /** Undefined as long as nobody knows. */
  now: () => T | undefined
  /** Waits for it, which is a need of it. */
  given: () => Promise<T>
  give: (value: T | undefined) => void
  /** Nobody could be asked: who waits gets this error, and the next need starts anew. */
  fail: (error: Error) => void
  need: () => void
  /** Nobody needs it for now. */
  doWithout: () => void
  /** Called once it is needed, which may be at once, and again at the first need after it failed. */
  onNeed: (start: () => void) => void
}

/** What somebody else is going to say, and need not before anybody asks. */
export function makeAwaited<T>({ isNeeded }: { isNeeded: boolean }): Awaited<T> {
  let value: T | undefined
  let waiting: PromiseWithResolvers<T>[] = []
  let start = () => {}

  function need() {
    if (isNeeded) return
    isNeeded = true
    start()
  }

  return {
    now: () => value,
    async given() {
      need()
      if (value !== undefined) return value
      const waiter = Promise.withResolvers<T>()
      waiting.push(waiter)
      return waiter.promise
    },
    give(given) {
      value = given
      if (given === undefined) return
      for (const { resolve } of waiting) resolve(given)
      waiting = []
    },
    fail(error) {
      isNeeded = false
      for (const { reject } of waiting) reject(error)
      waiting = []
    },
    need,
    doWithout: () => void (isNeeded = false),
    onNeed(given) {
      start = given
      if (isNeeded) start()
    },
  }
}
