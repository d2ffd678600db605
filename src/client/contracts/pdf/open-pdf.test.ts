import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPdf } from './open-pdf.ts'

const tab = { close: vi.fn(), closed: false, opener: null, location: { href: '' }, document: { title: '' } }
const signedIn = async () => 'token'

beforeEach(() => {
  tab.location.href = ''
  tab.close.mockClear()
  vi.stubGlobal('open', () => tab)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a PDF is fetched with the bearer token and shown in a new tab', async () => {
  const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(async () => new Response('%PDF-1.7'))
  vi.stubGlobal('fetch', fetched)
  await expect(openPdf('/contracts/31/pdf', signedIn)).resolves.toBeUndefined()
  expect(fetched.mock.calls[0]).toEqual([
    '/contracts/31/pdf',
    { method: 'GET', headers: { authorization: 'Bearer token', accept: 'application/pdf, application/json' } },
  ])
  expect(tab.location.href).toMatch(/^blob:/)
})

test('the tab is opened at the click itself, before anything is waited for', () => {
  const opened = vi.fn(() => null)
  vi.stubGlobal('open', opened)
  void openPdf('/contracts/31/pdf', signedIn)
  expect(opened).toHaveBeenCalledOnce()
})

test('the PDF is kept for as long as its tab is there', async () => {
  vi.useFakeTimers()
  const revoked = vi.spyOn(URL, 'revokeObjectURL')
  vi.stubGlobal('fetch', async () => new Response('%PDF-1.7'))
  tab.closed = false
  await openPdf('/contracts/31/pdf', signedIn)
  vi.advanceTimersByTime(300_000)
  expect(revoked).not.toHaveBeenCalled()
  tab.closed = true
  vi.advanceTimersByTime(60_000)
  expect(revoked).toHaveBeenCalledExactlyOnceWith(tab.location.href)
})

test.each([
  [404, '{"error":"This contract has no PDF","refusal":"PDF_NOT_FOUND"}', 'This contract has no PDF'],
  [402, '{"error":"An active or trialing subscription is required"}', 'An active or trialing subscription is required'],
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

test('a tab that the browser blocks says so, and nothing is asked for', async () => {
  vi.stubGlobal('open', () => null)
  await expect(openPdf('/contracts/31/pdf', signedIn)).resolves.toBe('Failed to load PDF')
})
