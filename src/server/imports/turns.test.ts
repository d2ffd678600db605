import { afterEach, describe, expect, test, vi } from 'vitest'
import { openTurns } from './turns.ts'

const { signal } = new AbortController()

afterEach(() => void vi.useRealTimers())

describe('turns', () => {
  test('are taken one at a time, in the order in which they were asked for', async () => {
    const turns = openTurns({ mostWaiting: 2, longestWaitMs: 60_000 })
    const order: string[] = []
    const giveBack = await turns.take(signal)
    const others = ['second', 'third'].map(async (name) => {
      const done = await turns.take(signal)
      order.push(name)
      await Promise.resolve()
      order.push(`${name} is done`)
      done()
    })
    order.push('first is done')
    giveBack()
    await Promise.all(others)
    expect(order).toEqual(['first is done', 'second', 'second is done', 'third', 'third is done'])
    await expect(turns.take(signal)).resolves.toBeTypeOf('function')
  })

  test('are refused where too many wait', async () => {
    const turns = openTurns({ mostWaiting: 1, longestWaitMs: 60_000 })
    const giveBack = await turns.take(signal)
    const second = turns.take(signal)
    await expect(turns.take(signal)).rejects.toMatchObject({ key: 'IMPORT_BUSY' })
    giveBack()
    await expect(second).resolves.toBeTypeOf('function')
  })

  test('are not waited for by somebody who has gone, and go to the next', async () => {
    const turns = openTurns({ mostWaiting: 2, longestWaitMs: 60_000 })
    const giveBack = await turns.take(signal)
    const gone = new AbortController()
    const second = turns.take(gone.signal)
    const third = turns.take(signal)
    gone.abort()
    await expect(second).rejects.toMatchObject({ key: 'IMPORT_BUSY' })
    giveBack()
    await expect(third).resolves.toBeTypeOf('function')
  })

  test('are waited for so long and no longer', async () => {
    vi.useFakeTimers()
    const turns = openTurns({ mostWaiting: 2, longestWaitMs: 60_000 })
    await turns.take(signal)
    const second = turns.take(signal).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await second).toMatchObject({ key: 'IMPORT_BUSY' })
  })
})
