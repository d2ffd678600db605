import { afterEach, beforeEach, expect, vi } from 'vitest'

beforeEach(() => {
  vi.spyOn(console, 'error')
})

/** Nothing may complain unheard: a test that expects an error on the console clears the spy itself. */
afterEach(() => {
  const complaints = vi.mocked(console.error).mock.calls
  vi.restoreAllMocks()
  expect(complaints, 'console.error was called').toEqual([])
})
