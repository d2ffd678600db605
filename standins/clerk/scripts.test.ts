import { afterAll, beforeAll, expect, test } from 'vitest'
import { startClerk, type ClerkServer } from '#support/clerk.ts'

let clerk: ClerkServer
beforeAll(async () => {
  clerk = await startClerk()
})
afterAll(() => clerk.stop())

function get(path: string, headers: Record<string, string> = {}) {
  return fetch(`${clerk.apiUrl}/npm/${path}`, { headers })
}

test('clerk-js is served as its loader asks for it', async () => {
  const response = await get('@clerk/clerk-js@6/dist/clerk.browser.js')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(response.headers.get('content-encoding')).toBe('gzip')
  const script = await response.text()
  expect(script.length).toBeGreaterThan(200_000)

  const plain = await get('@clerk/clerk-js@6/dist/clerk.browser.js', { 'accept-encoding': 'identity' })
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await plain.text()).toBe(script)
})

test('what names its version is kept for good, and what a browser has is not sent again', async () => {
  const etag = (await get('@clerk/clerk-js@6/dist/clerk.browser.js')).headers.get('etag') ?? ''
  const fixed = await get(`@clerk/clerk-js@${JSON.parse(etag)}/dist/clerk.browser.js`)
  expect(fixed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const again = await get('@clerk/clerk-js@6/dist/clerk.browser.js', { 'if-none-match': etag })
  expect(again.status).toBe(304)
})

test.each([
  '@clerk/clerk-js@6/dist/nowhere.js',
  '@clerk/clerk-js@6/dist/..%2Fpackage.json',
  '@clerk/clerk-js@6/dist/..%2F..%2F..%2Fpg%2Flib%2Findex.js',
  '@clerk/clerk-js@6/package.json',
  '@clerk/clerk-js@5/dist/clerk.browser.js',
  '@clerk/ui@1/dist/ui.browser.js',
  'pg@8/lib/index.js',
])('%s is not served', async (path) => {
  expect((await get(path)).status).toBe(404)
})
