import type { Page } from '@playwright/test'

declare global {
  var shifted: number
}

/** Adds up, on every page that is opened from here on, what moves without anybody having just clicked or typed. */
export async function watchLayout(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.shifted = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput) {
          globalThis.shifted += Number(entry.value)
        }
      }
    })
    observer.observe({ type: 'layout-shift', buffered: true })
  })
}

/** The browser's own measure of it, once it has painted what is there now. */
export function layoutShifts(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        requestAnimationFrame(() => setTimeout(() => resolve(globalThis.shifted)))
      }),
  )
}
