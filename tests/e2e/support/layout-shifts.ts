import type { Page } from '@playwright/test'

interface Shift {
  /** The browser's own measure, from 0 to 1. */
  score: number
  /** Each thing that moved, with its height on the page before and after, in pixels. */
  moved: string[]
}

/** What a browser tells of a shift, which the library's types leave out. */
interface LayoutShift extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

declare global {
  var shifts: Shift[]
}

/**
 * A slow browser paints a document of which it has read half, and what it then reads moves the parts of one row by
 * some pixels: up to 0.004. A banner that pushes a page down is 0.03.
 */
const VISIBLE = 0.01

/** Collects, on every page that is opened from here on, what moves without anybody having just clicked or typed. */
export async function watchLayout(page: Page): Promise<void> {
  await page.addInitScript((visible) => {
    globalThis.shifts = []
    const isShift = (entry: PerformanceEntry): entry is LayoutShift => entry.entryType === 'layout-shift'
    const observer = new PerformanceObserver((list) => {
      for (const { value: score, hadRecentInput, sources } of list.getEntries().filter(isShift)) {
        if (hadRecentInput || score < visible) continue
        const moved = sources.map(
          ({ node, previousRect, currentRect }) =>
            `${node?.textContent?.slice(0, 80)}: from ${previousRect.y} to ${currentRect.y}`,
        )
        globalThis.shifts.push({ score, moved })
      }
    })
    observer.observe({ type: 'layout-shift', buffered: true })
  }, VISIBLE)
}

/** What has moved so far, once the browser has painted what is there now. */
export function layoutShifts(page: Page): Promise<Shift[]> {
  return page.evaluate(
    () =>
      new Promise<Shift[]>((resolve) => {
        requestAnimationFrame(() => setTimeout(() => resolve(globalThis.shifts)))
      }),
  )
}
