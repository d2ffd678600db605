import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { workerConnection } from '#support/database.ts'
import { answers, watchDatabase } from './silence.ts'

const PATIENCE_MS = 10

/** A database that is there or not, and how often it was asked. */
function aWatch() {
  let isThere = true
  let asked = 0
  const watch = watchDatabase({
    isThere: async () => {
      asked += 1
      return isThere
    },
    patienceMs: PATIENCE_MS,
  })
  onTestFinished(() => watch.close())
  return {
    watch,
    asked: () => asked,
    become: (now: boolean) => {
      isThere = now
    },
  }
}

test('a statement that takes long is left alone, however often the database is asked', async () => {
  const { watch, asked } = aWatch()
  let ended = false
  const answered = watch.untilAnswered(() => {
    ended = true
  })
  await expect.poll(asked).toBeGreaterThan(3)
  answered()
  expect([ended, watch.isSilent()]).toEqual([false, false])
})

test('what waits for a database that is gone ends, and nothing begins until it is back', async () => {
  const { watch, become } = aWatch()
  become(false)
  await Promise.all([1, 2].map(() => new Promise<void>((end) => void watch.untilAnswered(end))))
  expect(watch.isSilent()).toBe(true)
  become(true)
  await expect.poll(() => watch.isSilent()).toBe(false)
})

test('what was answered in time is not asked about', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { watch, asked } = aWatch()
  const answered = watch.untilAnswered(() => {})
  await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1)
  answered()
  await vi.advanceTimersByTimeAsync(100 * PATIENCE_MS)
  expect(asked()).toBe(0)
  watch.untilAnswered(() => {})
  await vi.advanceTimersByTimeAsync(PATIENCE_MS)
  expect(asked()).toBe(1)
})

test('a server is there if it answers, even with a refusal', async () => {
  const connection = await workerConnection()
  expect(await answers(connection)).toBe(true)
  expect(await answers({ ...connection, database: 'nowhere' })).toBe(true)
  expect(await answers({ host: '127.0.0.1', port: 9 })).toBe(false)
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const port = Number(Reflect.get(Object(silent.address()), 'port'))
  expect(await answers({ host: '127.0.0.1', port }, 50)).toBe(false)
})
