import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { DEMO, expect, signIn, test } from './support/journey.ts'

const OPEN = ['/', '/privacy', '/terms', '/contact', '/sign-in', '/checkout', '/checkout?trial=true']
const SIGNED_IN = ['/dashboard', '/customers', '/contracts', '/notifications', '/profile']
const SCHEMES = ['light', 'dark'] as const
const WIDTHS = [1280, 390]

async function check(page: Page, what: string) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const found = serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
  expect(found, what).toEqual([])
}

async function checkAll(page: Page, paths: string[]) {
  for (const colorScheme of SCHEMES) {
    for (const width of WIDTHS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      for (const path of paths) {
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await check(page, `${path} ${colorScheme} ${width}`)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(overflow, `${path} is wider than ${width}`).toBeLessThanOrEqual(0)
      }
    }
  }
}

test('axe finds nothing serious on any open screen, light and dark, wide and narrow', async ({ page }) => {
  test.setTimeout(180_000)
  await checkAll(page, OPEN)
})

test('axe finds nothing serious on any screen behind the sign-in', async ({ page }) => {
  test.setTimeout(180_000)
  await signIn(page, DEMO)
  await checkAll(page, SIGNED_IN)
})

for (const colorScheme of SCHEMES) {
  test(`axe finds nothing serious in the dialogs, ${colorScheme}`, async ({ page }) => {
    test.setTimeout(60_000)
    await page.emulateMedia({ colorScheme })
    await signIn(page, DEMO)
    for (const [path, button] of [
      ['/customers', 'Add Customer'],
      ['/contracts', 'Add Contract'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('button', { name: button }).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await check(page, `${button} ${colorScheme}`)
    }
  })
}
