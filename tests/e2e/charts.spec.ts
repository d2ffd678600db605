import type { Page } from '@playwright/test'
import { expectAccessible, expectNoOverflow } from './support/axe.ts'
import { scriptOf } from './support/built-files.ts'
import { DEMO, expect, test, waitForScripts } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

const TITLES = ['Revenue Trend', 'Contract Status Distribution', 'Revenue by Renewal Cycle', 'Contract Growth']
const drawingScript = () => scriptOf('dashboard/charts/plot.tsx')

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const drawing = (page: Page, title: string) => card(page, title).getByRole('img', { name: title })

/** Charts are drawn once they come near what is shown. */
async function scrollToCharts(page: Page) {
  await card(page, TITLES[0] ?? '').scrollIntoViewIfNeeded()
}

/** A machine with much else to do takes its time for a first screen. */
async function expectDrawn(page: Page) {
  await scrollToCharts(page)
  for (const title of TITLES) await expect(drawing(page, title)).toBeVisible()
}

async function heights(page: Page) {
  const boxes = await Promise.all(TITLES.map((title) => card(page, title).boundingBox()))
  return boxes.map((box) => box?.height)
}

test('the charts come after the figures, in the space that is kept for them', async ({ page }) => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await page.route(drawingScript(), async (route) => {
    asked.resolve()
    await answered.promise
    await route.continue()
  })
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await scrollToCharts(page)
  await asked.promise
  await expect(page.getByRole('group', { name: 'Total Contracts' })).toContainText('120')
  const before = await heights(page)
  await expect(drawing(page, TITLES[0] ?? '')).toHaveCount(0)
  answered.resolve()
  await expectDrawn(page)
  expect(await heights(page)).toEqual(before)
})

test('nothing moves against the wish, and nothing is wider than a phone', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expectDrawn(page)
    await expect(drawing(page, 'Revenue Trend').locator('..')).toHaveCSS('animation-name', 'none')
    await card(page, 'Contract Growth').getByRole('link').last().focus()
    await expect(page.getByRole('tooltip')).toBeVisible()
    await expectNoOverflow(page, String(width))
  }
  await expectAccessible(page, 'a point of a chart', '[role="tooltip"]')
})

test('the keyboard, the pointer and a finger read every point, and Tab goes from chart to chart', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await expectDrawn(page)
  const tooltip = page.getByRole('tooltip')
  await card(page, 'Contract Status Distribution').getByRole('link').first().focus()
  await expect(tooltip).toHaveText(/^Pending/)
  await page.keyboard.press('ArrowDown')
  await expect(tooltip).toHaveText(/^Active91 \(/)
  await page.keyboard.press('Tab')
  await expect(tooltip).toHaveText(/^Monthly\$/)
  await page.keyboard.press('Escape')
  await expect(tooltip).toHaveCount(0)

  const bars = card(page, 'Revenue by Renewal Cycle')
  await bars.getByRole('link', { name: /^Yearly/ }).hover()
  await expect(tooltip).toHaveText(/^Yearly\$/)
  await page.mouse.move(0, 0)
  await expect(tooltip).toHaveCount(0)
  const slice = drawing(page, 'Contract Status Distribution').locator('path').nth(1)
  await slice.dispatchEvent('pointerover', { pointerType: 'touch' })
  await expect(tooltip).toHaveText(/^Active/)
})

test('a bar, a month and a slice lead to the contracts that they count, by pointer, key and finger', async ({
  page,
  browser,
  app,
}) => {
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await expectDrawn(page)
  const table = card(page, 'Contract Growth').getByRole('table')
  const latest = await table.getByRole('row').last().getByRole('cell').textContent()
  await card(page, 'Contract Growth').getByRole('link').last().click()
  await expect(page).toHaveURL(/\/contracts\?startedIn=\d{4}-\d\d$/)
  await expect(page.locator('tbody').getByRole('row')).toHaveCount(Math.min(10, Number(latest)))

  await page.goBack()
  await expectDrawn(page)
  await card(page, 'Contract Status Distribution').getByRole('link').first().focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/contracts\?status=active&cycle=yearly$/)

  await page.goBack()
  await expectDrawn(page)
  await drawing(page, 'Contract Status Distribution').locator('path').nth(1).dispatchEvent('click')
  await expect(page).toHaveURL(/\/contracts\?status=active$/)
  await expect(page.getByText('Showing 1 to 10 of 91')).toBeVisible()

  const storageState = await page.context().storageState()
  const viewport = { width: 390, height: 844 }
  const phone = await browser.newContext({ baseURL: app.url, storageState, viewport, hasTouch: true, isMobile: true })
  waitForScripts(phone)
  const touched = await phone.newPage()
  await touched.goto('/dashboard')
  await card(touched, 'Contract Growth').scrollIntoViewIfNeeded()
  await expectDrawn(touched)
  const point = card(touched, 'Contract Growth').getByRole('link').nth(2)
  await point.tap()
  await expect(touched.getByRole('tooltip')).toContainText('Tap again to see the contracts')
  await expect(touched).toHaveURL(/\/dashboard$/)
  await point.tap()
  await expect(touched).toHaveURL(/\/contracts\?startedIn=\d{4}-\d\d$/)
  await phone.close()
})

test('where the charts cannot be loaded, their figures are shown, and Retry loads them', async ({ page }) => {
  await page.route(drawingScript(), (route) => route.abort())
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await scrollToCharts(page)
  await expect(page.getByRole('alert')).toContainText('Failed to load the charts')
  await expect(card(page, 'Contract Growth').getByRole('table').locator('..')).not.toHaveCSS('position', 'absolute')
  await page.unroute(drawingScript())
  // A browser that keeps the failure in mind needs the page anew, which is what the second does.
  const retry = page.getByRole('button', { name: 'Retry' })
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1000 })
    await expect(page.getByRole('alert')).toHaveCount(0, { timeout: 4000 })
  }).toPass()
  await expectDrawn(page)
})
