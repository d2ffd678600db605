import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import * as React from 'react'
import { afterEach, vi } from 'vitest'

/** What Mantine asks of a browser and happy-dom has no answer to. */
class StillObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Finds everything in view, as if the window were as high as the page; happy-dom's own finds nothing. */
class AllSeeingObserver extends IntersectionObserver {
  private readonly look: IntersectionObserverCallback

  constructor(look: IntersectionObserverCallback) {
    super(look)
    this.look = look
  }

  override observe(target: Element) {
    const boundingClientRect = target.getBoundingClientRect()
    const intersection = { isIntersecting: true, intersectionRatio: 1, intersectionRect: boundingClientRect }
    this.look([{ target, time: 0, rootBounds: null, boundingClientRect, ...intersection }], this)
  }
}

function noMatch(query: string): Partial<MediaQueryList> {
  return { matches: false, media: query, addEventListener: () => {}, removeEventListener: () => {} }
}

vi.stubGlobal('ResizeObserver', StillObserver)
vi.stubGlobal('IntersectionObserver', AllSeeingObserver)
vi.stubGlobal('matchMedia', noMatch)
Element.prototype.scrollIntoView = () => {}

/**
 * React notes for every element where in the code it was made, which is a fifth of a test's time, and says it with its
 * warnings, which fail a test anyway. It stops where it has noted many of late.
 */
Object.defineProperty(
  Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { configurable: true, get: () => Infinity, set: () => {} },
)

// A slow machine takes its time; what does not come at all still fails.
configure({ asyncUtilTimeout: 20_000 })

/** Files share a page, so each test leaves it empty. */
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
})
