import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type Axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { expect } from './journey.ts'

/** The rules of axe that look at colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

declare global {
  /** What the script below leaves in the page. */
  var axe: typeof Axe
}

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** That axe finds nothing serious, light and dark: in what the selector says, else on the whole page. */
export async function expectAccessible(page: Page, what: string, within?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectNothingSerious(page, `${what}, light`, within)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNone(page, `${what}, dark`, within, { runOnly: COLOR_RULES })
}

/** The same of the page as it is just now. */
export async function expectNothingSerious(page: Page, what: string, within?: string): Promise<void> {
  await expectNone(page, what, within)
}

/** The same of a page whose colors were looked at before. */
export async function expectAccessibleBesidesColors(page: Page, what: string): Promise<void> {
  const rules = Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }]))
  await expectNone(page, what, undefined, { rules })
}

async function expectNone(page: Page, what: string, within?: string, options: RunOptions = {}): Promise<void> {
  if (within !== undefined) {
    const parts = page.locator(within).filter({ visible: true })
    await expect(parts, what).not.toHaveCount(0)
    // What fades in has colors that nobody reads, also before its transition has begun.
    await expect.poll(() => parts.evaluateAll(areOpaque), `${what} has come`).toBe(true)
  }
  await page.evaluate(finishTransitions)
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(AXE)
  const found = await page.evaluate(seriousViolations, { within, options })
  expect(found, what).toEqual([])
}

/** Run in the page. */
function areOpaque(parts: Element[]): boolean {
  const isOpaque = (part: Element | null): boolean =>
    part === null || (getComputedStyle(part).opacity === '1' && isOpaque(part.parentElement))
  return parts.every(isOpaque)
}

/** Run in the page. Nothing runs in its locked frames, for which axe would wait. */
async function seriousViolations({ within, options }: { within: string | undefined; options: RunOptions }) {
  const context = { exclude: 'iframe[sandbox]', ...(within !== undefined && { include: within }) }
  // Styles are read for rules alone that are not on; on each run that would take a tenth of its time.
  const preload = { assets: ['media'] }
  const { violations } = await globalThis.axe.run(context, { ...options, preload, resultTypes: ['violations'] })
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

export async function expectNoOverflow(page: Page, what: string): Promise<void> {
  // Charts are drawn anew only after a window has changed.
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(overflow, `${what} is wider than the window`).toBeLessThanOrEqual(0)
  await expect.poll(() => page.evaluate(cutInDialogs), `${what} is wider than its dialog`).toEqual([])
}

/** What of the open dialogs reaches beyond their right edge, where it is cut or has to be scrolled to. Run in the page. */
function cutInDialogs(): string[] {
  return [...document.querySelectorAll('[role=dialog]')].flatMap((dialog) => {
    const { right } = dialog.getBoundingClientRect()
    const beyond = [...dialog.querySelectorAll('*')].filter((part) => part.getBoundingClientRect().right > right + 1)
    return beyond.map(({ outerHTML }) => outerHTML.slice(0, 120))
  })
}

/** Between two color schemes, and while a dialog opens, there are colors that nobody reads. */
async function finishTransitions() {
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve))
  })
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
}
