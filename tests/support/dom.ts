import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

/** What Mantine asks of a browser and happy-dom has no answer to. */
class StillObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

function noMatch(query: string): Partial<MediaQueryList> {
  return { matches: false, media: query, addEventListener: () => {}, removeEventListener: () => {} }
}

vi.stubGlobal('ResizeObserver', StillObserver)
vi.stubGlobal('matchMedia', noMatch)
Element.prototype.scrollIntoView = () => {}

afterEach(() => {
  cleanup()
  localStorage.clear()
})
