import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPdf } from './open-pdf.ts'

const tab = { close: vi.fn(), opener: null, location: { href: '' } }
const signedIn = async () => 'token'

beforeEach(() => {
  tab.location.href = ''
  tab.close.mockClear()
  vi.stubGlobal('open', () => tab)
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a PDF is fetched with the bearer token and shown in a new tab', async () => {
  const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(async () => new Response('%PDF-1.7'))
  vi.stubGlobal('fetch', fetched)
  await expect(openPdf('/contracts/31/pdf', signedIn)).resolves.toBeUndefined()
  expect(fetched.mock.calls[0]).toEqual([
    '/contracts/31/pdf',
    { headers: { authorization: 'Bearer token', accept: 'application/pdf, application/json' } },
  ])
  expect(tab.location.href).toMatch(/^blob:/)
})

test.each([
  [404, '{"error":"This contract has no PDF"}', 'This contract has no PDF'],
  [500, '{"error":"Something went wrong"}', 'Failed to load PDF'],
  [502, '<html>', 'Failed to load PDF'],
])('an answer of %i with %s says "%s", and the tab is closed', async (status, body, text) => {
  vi.stubGlobal('fetch', async () => new Response(body, { status }))
  await expect(openPdf('/contracts/31/pdf', signedIn)).resolves.toBe(text)
  expect(tab.close).toHaveBeenCalledOnce()
})

test('no answer says so', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(openPdf('/contracts/31/pdf', signedIn)).resolves.toBe('Network error while loading PDF')
})

test('without a token nothing is asked for', async () => {
  await expect(openPdf('/contracts/31/pdf', async () => null)).resolves.toBe('Unable to get authentication token')
})
