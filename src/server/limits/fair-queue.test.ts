import { afterEach, describe, expect, test, vi } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const { signal } = new AbortController()

const LIMITS = { mostWaiting: 4, longestWaitMs: 60_000, refusal: 'IMPORT_BUSY' as const }

afterEach(() => void vi.useRealTimers())

/** A queue that notes in which order it was served; each work ends when the next one may begin. */
function noted() {
  const queue = new FairQueue(LIMITS)
  const order: string[] = []
  const work = async (accountId: number, name: string) => {
    const leave = await queue.enter({ accountId, signal })
    order.push(name)
    leave()
  }
  return { queue, order, work }
}

describe('a fair queue', () => {
  test('serves one at a time, an account’s own in the order of arrival', async () => {
    const { queue, order, work } = noted()
    const leave = await queue.enter({ accountId: 1, signal })
    const others = [work(1, 'second'), work(1, 'third')]
    order.push('first')
    leave()
    await Promise.all(others)
    expect(order).toEqual(['first', 'second', 'third'])
    await expect(queue.enter({ accountId: 1, signal })).resolves.toBeTypeOf('function')
  })

  test('serves the accounts by turns, and whoever was served last goes to the end', async () => {
    const { queue, order, work } = noted()
    const leave = await queue.enter({ accountId: 1, signal })
    const all = [work(1, 'one'), work(1, 'one again'), work(2, 'two'), work(2, 'two again')]
    leave()
    await Promise.all(all)
    expect(order).toEqual(['two', 'one', 'two again', 'one again'])
  })

  test('lets nobody starve who waits beside an account that comes again and again', async () => {
    const { queue, order, work } = noted()
    const leave = await queue.enter({ accountId: 2, signal })
    const patient = [work(1, 'patient'), work(1, 'patient again')]
    const restless = async () => {
      for (let round = 0; round < 4; round += 1) await work(2, 'restless')
    }
    const all = [...patient, restless()]
    leave()
    await Promise.all(all)
    expect(order.lastIndexOf('patient again')).toBeLessThan(4)
  })

  test('refuses everybody where very many wait', async () => {
    const { queue, work } = noted()
    const leave = await queue.enter({ accountId: 1, signal })
    const all = [2, 3, 4, 5].map((accountId) => work(accountId, ''))
    await expect(queue.enter({ accountId: 6, signal })).rejects.toMatchObject({ key: 'IMPORT_BUSY' })
    leave()
    await Promise.all(all)
  })

  test('does not keep a place for somebody who has gone', async () => {
    const { queue, order, work } = noted()
    const leave = await queue.enter({ accountId: 1, signal })
    const gone = new AbortController()
    const second = queue.enter({ accountId: 2, signal: gone.signal })
    const third = work(3, 'third')
    gone.abort()
    await expect(second).rejects.toMatchObject({ key: 'IMPORT_BUSY' })
    leave()
    await third
    expect(order).toEqual(['third'])
  })

  test('gives up on a wait that is too long', async () => {
    vi.useFakeTimers()
    const { queue } = noted()
    await queue.enter({ accountId: 1, signal })
    const second = queue.enter({ accountId: 1, signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await second).toMatchObject({ key: 'IMPORT_BUSY' })
  })
})
