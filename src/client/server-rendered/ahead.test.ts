import { dehydrate, QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { doubtOldAnswers, readAhead, takeAnswers, writeAhead, type Ahead } from './ahead.ts'
import { makeQueryClient } from '#client/api/query-client.ts'

const AHEAD: Ahead = {
  href: '/contracts',
  known: { id: 'user_ada', name: 'Ada Lovelace', email: 'ada@example.com', tokenForMs: 50_000, timeZone: 'UTC' },
  answers: { mutations: [], queries: [] },
}

function aPage(html: string): Document {
  return new DOMParser().parseFromString(`<body><div id="root"></div>${html}</body>`, 'text/html')
}

test('what the server has answered arrives in the browser as it was, dates included', () => {
  const data = { at: new Date('2026-11-21T08:00:00Z'), name: 'Ada & Söhne' }
  const [server, browser] = [new QueryClient(), new QueryClient()]
  server.setQueryData(['answer'], data)
  const ahead = readAhead(aPage(writeAhead({ ...AHEAD, answers: dehydrate(server) })))
  takeAnswers(browser, ahead ?? AHEAD)
  expect(browser.getQueryData(['answer'])).toEqual(data)
})

test('no text in it can end the element and begin another', () => {
  const known = {
    id: '</script><script>alert(1)</script><!--',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    tokenForMs: 1,
    timeZone: 'UTC',
  }
  const page = aPage(writeAhead({ ...AHEAD, known }))
  expect(page.scripts).toHaveLength(1)
  expect(readAhead(page)?.known).toEqual(known)
})

test('a page that is the shell alone brings nothing', () => {
  expect(readAhead(aPage(''))).toBeUndefined()
})

test.for([
  ['a minute', 60_000, 1],
  ['a few seconds', 5000, 0],
] as const)('what a page shows that waited for %s is asked again: %i ms, times %i', ([, ms, times]) => {
  const [server, browser] = [new QueryClient(), makeQueryClient(() => {})]
  const queryFn = vi.fn<() => Promise<string>>(() => new Promise(() => {}))
  server.setQueryData(['answer'], 'old')
  vi.spyOn(performance, 'now').mockReturnValue(ms)
  vi.spyOn(Date, 'now').mockReturnValue(performance.timeOrigin + ms)
  takeAnswers(browser, { ...AHEAD, answers: dehydrate(server) })
  doubtOldAnswers(browser)
  expect(queryFn).not.toHaveBeenCalled()
  const unsubscribe = new QueryObserver(browser, { queryKey: ['answer'], queryFn }).subscribe(() => {})
  expect(queryFn).toHaveBeenCalledTimes(times)
  unsubscribe()
})
