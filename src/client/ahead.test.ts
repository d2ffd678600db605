import { dehydrate, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { readAhead, takeAnswers, writeAhead, type Ahead } from './ahead.ts'

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
