export interface LazyValue<T> {
  /** Undefined until it is loaded. */
  current: () => T | undefined
  /** Requests it, and waits for it. */
  get: () => Promise<T>
  set: (value: T | undefined) => void
  /** Rejects waiters; the next request tries again. */
  fail: (error: Error) => void
  request: () => void
  /** Cancels a request that has not started anything yet. */
  cancelRequest: () => void
  /** Called at the first request, and at the first one after a failure. */
  onRequest: (start: () => void) => void
}

/** A value that is loaded when it is first requested. */
export function makeLazyValue<T>({ isRequested }: { isRequested: boolean }): LazyValue<T> {
  let value: T | undefined
  let waiting: PromiseWithResolvers<T>[] = []
  let start = () => {}

  function request() {
    if (isRequested) return
    isRequested = true
    start()
  }

  return {
    current: () => value,
    async get() {
      request()
      if (value !== undefined) return value
      const waiter = Promise.withResolvers<T>()
      waiting.push(waiter)
      return waiter.promise
    },
    set(next) {
      value = next
      if (next === undefined) return
      for (const { resolve } of waiting) resolve(next)
      waiting = []
    },
    fail(error) {
      isRequested = false
      for (const { reject } of waiting) reject(error)
      waiting = []
    },
    request,
    cancelRequest: () => void (isRequested = false),
    onRequest(begin) {
      start = begin
      if (isRequested) start()
    },
  }
}
