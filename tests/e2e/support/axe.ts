import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './journey.ts'

/** The rules of axe that look at colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** That axe finds nothing serious, light and dark: in what the selectors say, else on the whole page. */
export async function expectAccessible(page: Page, what: string, ...within: string[]): Promise<void> {
  await setColorScheme(page, 'light')
  await expectNothingSerious(page, `${what}, light`, ...within)
  await setColorScheme(page, 'dark')
  await expectNone(axeFor(page, within).withRules(COLOR_RULES), `${what}, dark`)
}

/** The same of the page as it is just now. */
export async function expectNothingSerious(page: Page, what: string, ...within: string[]): Promise<void> {
  await expectNone(axeFor(page, within), what)
}

/** The same of a page whose colors were looked at before. */
export async function expectAccessibleBesidesColors(page: Page, what: string): Promise<void> {
  await expectNone(axeFor(page, []).disableRules(COLOR_RULES), what)
}

async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(finishTransitions)
}

async function expectNone(axe: AxeBuilder, what: string): Promise<void> {
  const { violations } = await axe.analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const found = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  expect(found, what).toEqual([])
}

// Several times as quick: for what is in frames axe opens a page of its own, and it lists all that passes. The frames that
// there are on ours are locked, so that nothing runs in them, and axe would wait for it.
function axeFor(page: Page, within: string[]): AxeBuilder {
  const axe = new AxeBuilder({ page }).setLegacyMode().exclude('iframe[sandbox]')
  const quick = axe.options({ resultTypes: ['violations'] })
  return within.reduce((builder, selector) => builder.include(selector), quick)
}

export async function expectNoOverflow(page: Page, what: string): Promise<void> {
  // Charts are drawn anew only after a window has changed.
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(overflow, `${what} is wider than the window`).toBeLessThanOrEqual(0)
}

/** Between two colour schemes there are colours that nobody reads. */
async function finishTransitions() {
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve))
  })
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
}
