import { afterEach, describe, expect, test, vi } from 'vitest'
import { openTurns } from './turns.ts'

const { signal } = new AbortController()

afterEach(() => void vi.useRealTimers())

describe('turns', () => {
  test('are taken one at a time, in the order in which they were asked for', async () => {
    const turns = openTurns({ mostWaiting: 2, mostOfOne: 2, longestWaitMs: 60_000 })
    const order: string[] = []
    const giveBack = await turns.take({ accountId: 1, signal })
    const others = ['second', 'third'].map(async (name) => {
      const done = await turns.take({ accountId: 1, signal })
      order.push(name)
      await Promise.resolve()
      order.push(`${name} is done`)
      done()
    })
    order.push('first is done')
    giveBack()
    await Promise.all(others)
    expect(order).toEqual(['first is done', 'second', 'second is done', 'third', 'third is done'])
    await expect(turns.take({ accountId: 1, signal })).resolves.toBeTypeOf('function')
  })

  test('of one account leave room for the others, who go first', async () => {
    const turns = openTurns({ mostWaiting: 3, mostOfOne: 2, longestWaitMs: 60_000 })
    const order: string[] = []
    const take = async (accountId: number, name: string) => {
      const done = await turns.take({ accountId, signal })
      order.push(name)
      return done
    }
    const giveBack = await take(1, 'one')
    const [second, third] = [take(1, 'one again'), take(1, 'one at last')]
    await expect(take(1, 'one too many')).rejects.toMatchObject({ key: 'IMPORT_BUSY' })
    const other = take(2, 'another')
    giveBack()
    for (const turn of [other, second, third]) (await turn)()
    expect(order).toEqual(['one', 'another', 'one again', 'one at last'])
  })

  test('are refused where too many wait', async () => {
    const turns = openTurns({ mostWaiting: 1, mostOfOne: 1, longestWaitMs: 60_000 })
    const giveBack = await turns.take({ accountId: 1, signal })
    const second = turns.take({ accountId: 1, signal })
    await expect(turns.take({ accountId: 1, signal })).rejects.toMatchObject({ key: 'IMPORT_BUSY' })
    giveBack()
    await expect(second).resolves.toBeTypeOf('function')
  })

  test('are not waited for by somebody who has gone, and go to the next', async () => {
    const turns = openTurns({ mostWaiting: 2, mostOfOne: 2, longestWaitMs: 60_000 })
    const giveBack = await turns.take({ accountId: 1, signal })
    const gone = new AbortController()
    const second = turns.take({ accountId: 1, signal: gone.signal })
    const third = turns.take({ accountId: 1, signal })
    gone.abort()
    await expect(second).rejects.toMatchObject({ key: 'IMPORT_BUSY' })
    giveBack()
    await expect(third).resolves.toBeTypeOf('function')
  })

  test('are waited for so long and no longer', async () => {
    vi.useFakeTimers()
    const turns = openTurns({ mostWaiting: 2, mostOfOne: 2, longestWaitMs: 60_000 })
    await turns.take({ accountId: 1, signal })
    const second = turns.take({ accountId: 1, signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await second).toMatchObject({ key: 'IMPORT_BUSY' })
  })
})
