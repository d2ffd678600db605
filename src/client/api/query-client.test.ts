import { focusManager, MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { noServer, trpcServer } from '#support/trpc-server.ts'
import { makeQueryClient } from './query-client.ts'
import { makeTrpcClient } from './trpc.ts'

const client = makeTrpcClient(async () => null)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function watchUnread() {
  const heard: unknown[] = []
  const queries = makeQueryClient((error) => heard.push(error))
  const observer = new QueryObserver(queries, {
    queryKey: ['unread'],
    queryFn: () => client.notifications.unreadCount.query(),
  })
  return { heard, queries, observer, stop: observer.subscribe(() => {}) }
}

test('a failure shows at once, and is asked again every 5 seconds until there is an answer', async () => {
  noServer()
  const { observer, stop } = watchUnread()
  await vi.advanceTimersByTimeAsync(100)
  expect(observer.getCurrentResult().isError).toBe(true)

  trpcServer({ notifications: { unreadCount: () => ({ count: 3 }) } })
  await vi.advanceTimersByTimeAsync(4800)
  expect(observer.getCurrentResult().isError).toBe(true)
  await vi.advanceTimersByTimeAsync(300)
  expect(observer.getCurrentResult().data).toEqual({ count: 3 })
  stop()
})

test('without a connection a query and a change fail at once, instead of waiting for one without a word', async () => {
  noServer()
  onlineManager.setOnline(false)
  const { queries, observer, stop } = watchUnread()
  const mutationFn = () => client.identity.refresh.mutate()
  const change = new MutationObserver(queries, { mutationFn })
  void change.mutate().catch(() => {})
  await vi.advanceTimersByTimeAsync(100)
  expect(change.getCurrentResult()).toMatchObject({ isError: true, isPaused: false })
  expect(observer.getCurrentResult()).toMatchObject({ isError: true, fetchStatus: 'idle' })
  stop()
  onlineManager.setOnline(true)
})

test('a refusal is heard once and not asked again', async () => {
  const server = trpcServer({
    notifications: { unreadCount: () => Promise.reject(new AppError('NOT_SIGNED_IN')) },
  })
  const { heard, stop } = watchUnread()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(server.calls).toHaveLength(1)
  expect(heard).toHaveLength(1)
  stop()
})

test('what was asked for less than 2 seconds ago is not asked for again', async () => {
  const server = trpcServer({ notifications: { unreadCount: () => ({ count: 0 }) } })
  const queries = makeQueryClient(() => {})
  const ask = () => queries.query({ queryKey: ['unread'], queryFn: () => client.notifications.unreadCount.query() })
  const first = ask()
  await vi.advanceTimersByTimeAsync(10)
  await first
  await vi.advanceTimersByTimeAsync(1900)
  await ask()
  expect(server.calls).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(200)
  const second = ask()
  await vi.advanceTimersByTimeAsync(10)
  await second
  expect(server.calls).toHaveLength(2)
})

test('a screen that comes back into view is refreshed, but not within 5 seconds', async () => {
  const server = trpcServer({ notifications: { unreadCount: () => ({ count: 0 }) } })
  const { queries, stop } = watchUnread()
  queries.mount()
  const callsAfter = async (ms: number) => {
    focusManager.setFocused(false)
    await vi.advanceTimersByTimeAsync(ms)
    focusManager.setFocused(true)
    await vi.advanceTimersByTimeAsync(10)
    return server.calls.length
  }
  expect(await callsAfter(4900)).toBe(1)
  expect(await callsAfter(200)).toBe(2)
  focusManager.setFocused(undefined)
  queries.unmount()
  stop()
})

test('whoever is told to wait asks again when they were told to, and not when the screen comes back before', async () => {
  let isOver = false
  const wait = { seconds: 30, limit: 100 }
  const server = trpcServer({
    notifications: {
      unreadCount: () => (isOver ? { count: 3 } : Promise.reject(new AppError('TOO_MANY_REQUESTS', { wait }))),
    },
  })
  const { queries, observer, stop } = watchUnread()
  queries.mount()
  await vi.advanceTimersByTimeAsync(20_000)
  focusManager.setFocused(false)
  focusManager.setFocused(true)
  await vi.advanceTimersByTimeAsync(9000)
  expect(server.calls).toHaveLength(1)
  isOver = true
  await vi.advanceTimersByTimeAsync(2000)
  expect(observer.getCurrentResult().data).toEqual({ count: 3 })
  expect(server.calls).toHaveLength(2)
  focusManager.setFocused(undefined)
  queries.unmount()
  stop()
})

test('a longer wait than a minute is left to the person', async () => {
  const wait = { seconds: 900, limit: 30 }
  const server = trpcServer({
    notifications: { unreadCount: () => Promise.reject(new AppError('TOO_MANY_REQUESTS', { wait })) },
  })
  const { stop } = watchUnread()
  await vi.advanceTimersByTimeAsync(1_000_000)
  expect(server.calls).toHaveLength(1)
  stop()
})
