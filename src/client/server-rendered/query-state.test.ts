import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { makeQueryClient } from '#client/api/query-client.ts'
import { dehydrateQueries, restoreQueries } from './query-state.ts'

test('what the server has answered arrives in the browser as it was, dates included', async () => {
  const data = { at: new Date('2026-11-21T08:00:00Z'), name: 'Ada & Söhne' }
  const [server, browser] = [new QueryClient(), new QueryClient()]
  server.setQueryData(['answer'], data)
  restoreQueries(browser, await dehydrateQueries(server))
  expect(browser.getQueryData(['answer'])).toEqual(data)
})

test('an answer that is still on its way is waited for, and one that failed is left out', async () => {
  const [server, browser] = [new QueryClient(), new QueryClient()]
  const ask = (key: string, queryFn: () => Promise<string>) =>
    void new QueryObserver(server, { queryKey: [key], queryFn, retry: false }).subscribe(() => {})
  ask('slow', async () => Promise.resolve('here'))
  ask('broken', () => Promise.reject(new Error('no')))
  restoreQueries(browser, await dehydrateQueries(server))
  expect(browser.getQueryData(['slow'])).toBe('here')
  expect(browser.getQueryState(['broken'])).toBeUndefined()
})

test.for([
  ['a minute', 60_000, 1],
  ['a few seconds', 5000, 0],
] as const)('what a page shows that waited for %s is asked again: %i ms, times %i', async ([, ms, times]) => {
  const [server, browser] = [new QueryClient(), makeQueryClient(() => {})]
  const queryFn = vi.fn<() => Promise<string>>(() => new Promise(() => {}))
  server.setQueryData(['answer'], 'old', { updatedAt: 0 })
  vi.spyOn(performance, 'now').mockReturnValue(ms)
  vi.spyOn(Date, 'now').mockReturnValue(performance.timeOrigin + ms)
  restoreQueries(browser, await dehydrateQueries(server))
  expect(queryFn).not.toHaveBeenCalled()
  const unsubscribe = new QueryObserver(browser, { queryKey: ['answer'], queryFn }).subscribe(() => {})
  expect(queryFn).toHaveBeenCalledTimes(times)
  unsubscribe()
})
