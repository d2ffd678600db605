import type { Page } from '@playwright/test'
import { manifest, readBuilt, scriptOf } from './support/built-files.ts'
import { DEMO, expect, test } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

test.use({ waitsForScripts: false })

const SCRIPTS = /\/assets\/.*\.js$/
const rows = (page: Page) => page.locator('tbody').getByRole('row')
const scrolled = (page: Page) => page.evaluate(() => Math.round(scrollY))

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
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('link', { name: 'Dashboard' }).press('Enter')
  await expect(page).toHaveTitle(/^Dashboard/)
  await page.goBack()
  await expect(page).toHaveTitle(/^Contracts/)
  await expect.poll(() => scrolled(page)).toBe(300)
})

test('a page for which the app does not arrive says so, and works once it is loaded again', async ({
  page,
  complaints,
}) => {
  await signIn(page, DEMO)
  await page.setViewportSize({ width: 360, height: 640 })
  await page.route(/\/assets\/main-.*\.js$/, (route) => route.abort())
  await page.goto('/contracts')
  const alert = page.getByRole('alert').filter({ hasText: 'This could not be loaded. Check your connection' })
  await expect(alert).toBeInViewport({ ratio: 1 })
  await expect(rows(page)).toHaveCount(10)
  await page.unrouteAll()
  await alert.getByRole('button', { name: 'Reload' }).click()
  await expect(() => answersKeys(page)).toPass()
  await expect(alert).toHaveCount(0)
  expect(complaints.splice(0).join()).toMatch(/^Failed to fetch \S+$/)
})

test("a page for which the screen's own script does not arrive says so, and works once it is loaded again", async ({
  page,
  complaints,
}) => {
  await signIn(page, DEMO)
  await page.route(scriptOf('routes/_app.contracts.tsx'), (route) => route.abort())
  await page.goto('/contracts')
  const alert = page.getByRole('alert').filter({ hasText: 'Something went wrong' })
  await expect(alert).toBeVisible()
  await page.unrouteAll()
  await page.reload()
  await expect(rows(page)).toHaveCount(10)
  await expect(() => answersKeys(page)).toPass()
  await expect(alert).toHaveCount(0)
  expect(complaints.splice(0).join()).toMatch(/Failed to fetch dynamically imported module/)
})

test('a page that shows nothing without the scripts says so where they do not arrive', async ({ page, complaints }) => {
  const script = /\/assets\/main-.*\.js$/
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

  test('the browser shows the screen itself', async ({ page }) => {
    await signIn(page, DEMO)
    await before(page, '/customers', () => page.getByRole('searchbox').click())
    await expect(() => answersKeys(page)).toPass()
    await page.keyboard.press('Escape')
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

/** Each opens from the first rows of a list, or from the frame around them. */
const ON_DEMAND = [
  'contracts/contract-dialogs.tsx',
  'contracts/more-filters.tsx',
  'contracts/pdf/fetch-pdf.ts',
  'contracts/pdf/pdf-changes.tsx',
  'contracts/pdf/send-pdf.ts',
  'customers/customer-dialogs.tsx',
  'imports/bulk-upload-dialog.tsx',
  'palette/palette.tsx',
  'shell/latest-notifications.tsx',
  'ui/toasts/toast-list.tsx',
]

test('the first rows of a list do not load what opens from them', () => {
  const built = manifest()
  const files = readBuilt<Record<string, string>>('.server/files.json')
  for (const source of ON_DEMAND) {
    const { file = source, isDynamicEntry } = built[source] ?? {}
    expect(isDynamicEntry, source).toBe(true)
    for (const route of ['/_app/contracts', '/_app/customers']) expect(files[route], source).not.toContain(file)
  }
})

test('scripts are fetched at low priority, so that the page is painted before them', async ({ page }) => {
  const shell = await (await page.request.get('/sign-in')).text()
  const links = Object.values(readBuilt<Record<string, string>>('.server/files.json')).join('')
  const scripts = [
    ...shell.matchAll(/<script type="module"[^>]*>/g),
    ...links.matchAll(/<link rel="modulepreload"[^>]*>/g),
  ]
  expect(scripts.length).toBeGreaterThan(20)
  for (const [script] of scripts) expect(script).toContain('fetchpriority="low"')
})
