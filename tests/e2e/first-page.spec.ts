import type { Page } from '@playwright/test'
import { DEMO, expect, test } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

const SCRIPTS = /\/assets\/.*\.js$/
const rows = (page: Page) => page.locator('tbody').getByRole('row')
const scrolled = (page: Page) => page.evaluate(() => Math.round(scrollY))
const boxes = (page: Page) => page.locator('tbody').getByRole('checkbox')

/** Opens a screen whose scripts arrive only after this has been done on it. */
async function before(page: Page, path: string, act: () => Promise<unknown>) {
  const { promise: done, resolve: goOn } = Promise.withResolvers<void>()
  await page.route(SCRIPTS, async (route) => {
    await done
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  await expect(rows(page)).toHaveCount(10)
  await act()
  goOn()
}

/** Once the page has been taken over. */
async function answersKeys(page: Page) {
  const dialog = page.getByRole('dialog')
  if (!(await dialog.isVisible())) await page.keyboard.press('Control+k')
  await expect(dialog).toBeVisible({ timeout: 1000 })
}

test('what is ticked, typed, chosen or clicked before the scripts have arrived is done once they have', async ({
  page,
}) => {
  await signIn(page, DEMO)
  await page.goto('/customers')
  await expect(rows(page)).toHaveCount(10)
  const [first, second] = [await boxes(page).nth(0).isChecked(), await boxes(page).nth(1).isChecked()]
  const saves: string[] = []
  page.on('response', (answer) => void (answer.url().includes('customers.update') && saves.push(answer.url())))
  await before(page, '/customers', async () => {
    await boxes(page).nth(0).click()
    await boxes(page).nth(1).click()
  })
  await expect.poll(() => saves.join().split('customers.update').length - 1).toBe(2)
  await expect(boxes(page).nth(0)).toBeChecked({ checked: !first })
  await expect(boxes(page).nth(1)).toBeChecked({ checked: !second })

  await before(page, '/contracts', async () => {
    await page.getByRole('searchbox').fill('bluebird')
    await page.getByRole('combobox', { name: 'Status' }).first().selectOption('Expired')
    await page.getByRole('button', { name: 'Add Contract' }).click()
    await page.getByRole('heading', { name: 'Contracts' }).click()
  })
  await expect(page.getByRole('dialog', { name: 'Add Contract' })).toBeVisible({ timeout: 20_000 })
  await expect(page).toHaveURL(/search=bluebird/)
  await expect(page).toHaveURL(/status=expired/)
})

test('typing goes on where it was when the scripts arrive', async ({ page }) => {
  await signIn(page, DEMO)
  const field = page.getByRole('searchbox')
  await before(page, '/contracts', async () => {
    await field.pressSequentially('luebird')
    await field.press('Home')
  })
  await expect(page).toHaveURL(/search=luebird/)
  await page.keyboard.type('b')
  await expect(field).toHaveValue('bluebird')
  await expect(page).toHaveURL(/search=bluebird/)
})

test('a page that is scrolled before the scripts have arrived stays where it is, and comes back there', async ({
  page,
}) => {
  await signIn(page, DEMO)
  await before(page, '/contracts', async () => {
    await page.mouse.wheel(0, 300)
    await expect.poll(() => scrolled(page)).toBe(300)
  })
  await expect(() => answersKeys(page)).toPass()
  expect(await scrolled(page)).toBe(300)
  await page.unrouteAll()
  await page.reload()
  await expect(() => answersKeys(page)).toPass()
  expect(await scrolled(page)).toBe(300)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Dashboard' }).press('Enter')
  await expect(page).toHaveTitle(/^Dashboard/)
  await page.goBack()
  await expect(page).toHaveTitle(/^Contracts/)
  await expect.poll(() => scrolled(page)).toBe(300)
})

for (const [which, script] of [
  ['one of the scripts', /\/assets\/router-.*\.js$/],
  ['the app itself', /\/assets\/app-.*\.js$/],
] as const) {
  test(`a page for which ${which} does not arrive says so, and works once it is loaded again`, async ({
    page,
    complaints,
  }) => {
    await signIn(page, DEMO)
    await page.setViewportSize({ width: 360, height: 640 })
    await page.route(script, (route) => route.abort())
    await page.goto('/contracts')
    const alert = page.getByRole('alert').filter({ hasText: 'This could not be loaded. Check your connection' })
    await expect(alert).toBeInViewport({ ratio: 1 })
    await expect(rows(page)).toHaveCount(10)
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Reload' }).click()
    await expect(() => answersKeys(page)).toPass()
    await expect(alert).toHaveCount(0)
    expect(complaints.splice(0).join()).toMatch(/^Failed to fetch dynamically imported module: \S+$/)
  })
}

test('a page that shows nothing without the scripts says so where they do not arrive', async ({ page, complaints }) => {
  const script = /\/assets\/router-.*\.js$/
  await page.route(script, (route) => route.abort())
  await page.goto('/sign-in')
  const alert = page.getByRole('alert').filter({ hasText: 'This could not be loaded. Check your connection' })
  await expect(alert).toBeInViewport({ ratio: 1 })
  await page.unrouteAll()
  await alert.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(alert).toHaveCount(0)
  expect(complaints.splice(0).join()).toMatch(/^Failed to fetch \S+\.js$/)
})

test('a page that was taken over long after it was rendered asks again for what it shows', async ({ page }) => {
  await signIn(page, DEMO)
  await page.addInitScript(() => {
    const now = performance.now.bind(performance)
    performance.now = () => now() + 60_000
  })
  const asked = page.waitForRequest(/contracts\.list/)
  await page.goto('/contracts')
  await asked
})

test.describe('in another time zone than the account', () => {
  test.use({ timezoneId: 'Pacific/Kiritimati' })

  test('the browser shows the screen itself, and keeps no event of it', async ({ page }) => {
    await signIn(page, DEMO)
    await before(page, '/customers', () => page.getByRole('searchbox').click())
    await expect.poll(() => page.evaluate(() => globalThis.earlyActs)).toBeUndefined()
    await expect(rows(page)).toHaveCount(10)
  })

  test('the screen that takes the place of the one before is as far down', async ({ page }) => {
    await signIn(page, DEMO)
    await before(page, '/contracts', async () => {
      await page.mouse.wheel(0, 300)
      await expect.poll(() => scrolled(page)).toBe(300)
    })
    await expect(() => answersKeys(page)).toPass()
    expect(await scrolled(page)).toBe(300)
  })
})
