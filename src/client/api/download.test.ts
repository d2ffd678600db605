import { afterEach, expect, test, vi } from 'vitest'
import { download } from './download.ts'
import { failureText } from './failure-text.ts'

const signedIn = async () => 'token'
const texts = { failed: 'Failed to download fruit' }

afterEach(() => {
  vi.unstubAllGlobals()
})

/** What the page clicked on to save. */
function savedLinks(): HTMLAnchorElement[] {
  const links: HTMLAnchorElement[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    links.push(this)
  })
  return links
}

async function failureFrom(answer: () => Promise<Response>) {
  vi.stubGlobal('fetch', answer)
  const failure: unknown = await download({ path: '/fruit.csv' }, signedIn).catch((error: unknown) => error)
  return failureText(failure, texts)
}

test('a file is fetched with the bearer token and saved by the name that the server gives it', async () => {
  const links = savedLinks()
  const headers = { 'content-disposition': 'attachment; filename="fruit-2026-11-21.csv"' }
  const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(
    async () => new Response('apple', { headers }),
  )
  vi.stubGlobal('fetch', fetched)
  const query = { search: 'red & round', sort: undefined, ripe: true }
  await expect(download({ path: '/fruit.csv', query }, signedIn)).resolves.toBe('fruit-2026-11-21.csv')
  expect(fetched.mock.calls).toEqual([
    [
      '/fruit.csv?search=red+%26+round&ripe=true',
      { method: 'GET', headers: { authorization: 'Bearer token', accept: '*/*' } },
    ],
  ])
  expect(links[0]).toMatchObject({ download: 'fruit-2026-11-21.csv', href: expect.stringMatching(/^blob:/) })
})

test.each([
  [404, '{"error":"Import not found","refusal":"IMPORT_NOT_FOUND"}', 'Import not found'],
  [500, '{"error":"Something went wrong"}', 'Failed to download fruit'],
  [502, '<html>', 'Failed to download fruit'],
])('an answer of %i with %s says "%s"', async (status, body, text) => {
  expect(await failureFrom(async () => new Response(body, { status }))).toBe(text)
})

test('where no answer comes, or only a part of it, that is said', async () => {
  expect(await failureFrom(() => Promise.reject(new TypeError('Failed to fetch')))).toBe('Network error')
  const part = new ReadableStream({ pull: (controller) => controller.error(new TypeError('cut off')) })
  expect(await failureFrom(async () => new Response(part))).toBe('Network error')
})

test('without a token nothing is asked for', async () => {
  const fetched = vi.fn()
  vi.stubGlobal('fetch', fetched)
  const failure: unknown = await download({ path: '/fruit.csv' }, async () => null).catch((error: unknown) => error)
  expect(failureText(failure, texts)).toBe('Unable to get authentication token')
  expect(fetched).not.toHaveBeenCalled()
})
