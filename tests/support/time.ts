import { onTestFinished, vi } from 'vitest'

/** From here on time can be moved on; without that it passes as ever. Says how long something waits. */
export function movableTime() {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const setTimeout = vi.spyOn(globalThis, 'setTimeout')
  return {
    waits: () => setTimeout.mock.calls.map(([, ms]) => ms),
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}
