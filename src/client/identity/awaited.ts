export interface Awaited<T> {
  /** Undefined as long as nobody knows. */
  now: () => T | undefined
  /** Waits for it, which is a need of it. */
  given: () => Promise<T>
  give: (value: T | undefined) => void
  need: () => void
  /** Called once it is needed, which may be at once. */
  onNeed: (start: () => void) => void
}

/** What somebody else is going to say, and need not before anybody asks. */
export function makeAwaited<T>({ isNeeded }: { isNeeded: boolean }): Awaited<T> {
  let value: T | undefined
  let waiting: ((value: T) => void)[] = []
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
      return value === undefined ? new Promise((resolve) => waiting.push(resolve)) : value
    },
    give(given) {
      value = given
      if (given === undefined) return
      for (const resolve of waiting) resolve(given)
      waiting = []
    },
    need,
    onNeed(given) {
      start = given
      if (isNeeded) start()
    },
  }
}
