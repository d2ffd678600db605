import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchClerk, startClerk } from './clerk-script.ts'

const CONFIG = { publishableKey: 'pk_test_none', proxyUrl: 'https://provider.test' }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A page on which each requested script loads, fails or hangs, as the host says. */
function aHost(end: () => 'load' | 'error' | 'hangs') {
  const began = Date.now()
  const askedAt: number[] = []
  vi.spyOn(document.head, 'append').mockImplementation((script) => {
    askedAt.push(Date.now() - began)
    const ended = end()
    if (script instanceof Element && ended !== 'hangs') script.dispatchEvent(new Event(ended))
  })
  return askedAt
}

/** Whether the script came, and after how long. */
async function outcome() {
  const began = Date.now()
  const ended = fetchClerk(CONFIG).then(
    () => ({ came: true, after: Date.now() - began }),
    () => ({ came: false, after: Date.now() - began }),
  )
  await vi.advanceTimersByTimeAsync(60_000)
  return ended
}

test('a script that cannot be fetched is asked for five times, with pauses from 125 ms on, each twice the last', async () => {
  const askedAt = aHost(() => 'error')
  expect(await outcome()).toEqual({ came: false, after: 1875 })
  expect(askedAt).toEqual([0, 125, 375, 875, 1875])
})

test('a host that hangs is given up after 15 seconds', async () => {
  const askedAt = aHost(() => 'hangs')
  expect(await outcome()).toEqual({ came: false, after: 15_000 })
  expect(askedAt).toEqual([0])
})

test('after a start that failed the next one is another', async () => {
  const ends = ['error', 'error', 'error', 'error', 'error', 'load'] as const
  const askedAt = aHost(() => ends[askedAt.length - 1] ?? 'hangs')
  const [first] = await Promise.allSettled([startClerk(CONFIG), vi.advanceTimersByTimeAsync(2000)])
  expect(first.status).toBe('rejected')
  const clerk = { load: vi.fn() }
  vi.stubGlobal('Clerk', clerk)
  expect(await startClerk(CONFIG)).toBe(clerk)
  expect(await startClerk(CONFIG)).toBe(clerk)
  expect(clerk.load).toHaveBeenCalledOnce()
  vi.unstubAllGlobals()
})

test('a host that fails once is forgiven', async () => {
  vi.stubGlobal('Clerk', {})
  const ends = ['error', 'load'] as const
  const askedAt = aHost(() => ends[askedAt.length - 1] ?? 'hangs')
  expect(await outcome()).toEqual({ came: true, after: 125 })
  vi.unstubAllGlobals()
})
