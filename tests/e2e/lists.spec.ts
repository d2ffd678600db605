import type { Page } from '@playwright/test'
import { DEMO, expect, goWithin, test } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

const rows = (page: Page) => page.locator('tbody').getByRole('row')
const shown = (page: Page, text: string) => expect(page.getByText(text)).toBeVisible()

/** Waits until the pager's text matches the page's rows: nothing is loading. */
async function settled(page: Page) {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  return rows(page).allTextContents()
}

test('page, sort and search stand in the address: back, reload and a shared link keep them', async ({
  page,
  context,
}) => {
  await signIn(page, DEMO)
  await page.goto('/customers')
  await shown(page, 'Showing 1 to 10 of 40')
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Date Added')
  await page.getByRole('button', { name: 'Page 3' }).click()
  await shown(page, 'Showing 21 to 30 of 40')
  const third = await settled(page)

  await page.getByRole('button', { name: 'Previous' }).click()
  await shown(page, 'Showing 11 to 20 of 40')
  await page.goBack()
  await shown(page, 'Showing 21 to 30 of 40')
  expect(await settled(page)).toEqual(third)
  await page.reload()
  await shown(page, 'Showing 21 to 30 of 40')
  expect(await settled(page)).toEqual(third)

  const other = await context.newPage()
  await other.goto(page.url())
  await shown(other, 'Showing 21 to 30 of 40')
  expect(await settled(other)).toEqual(third)

  await page.getByRole('searchbox').fill('bluebird')
  await expect(rows(page)).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('bluebird')
  await expect(rows(page)).toHaveCount(1)
  await page.goBack()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await shown(page, 'Showing 21 to 30 of 40')
})

test('every page of a list is reached once, forwards and backwards', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/contracts?sort=amount&direction=desc&cycle=yearly')
  await shown(page, 'Showing 1 to 10')
  const pages: string[][] = [await settled(page)]
  const next = page.getByRole('button', { name: 'Next' })
  while ((await next.getAttribute('aria-disabled')) === null) {
    await next.click()
    await shown(page, `Showing ${pages.length * 10 + 1} to`)
    pages.push(await settled(page))
  }
  expect(pages.length).toBeGreaterThan(3)
  for (const known of pages.toReversed().slice(1)) {
    await page.getByRole('button', { name: 'Previous' }).click()
    await expect(page.locator('tbody').getByRole('row').first()).toHaveText(known[0] ?? '')
    expect(await settled(page)).toEqual(known)
  }
})

test('an address that makes no sense shows the list all the same', async ({ page }) => {
  await signIn(page, DEMO)
  // How many there are depends on what other journeys have added.
  await page.goto('/contracts?page=many&status=lost&sort=7&direction=up')
  await shown(page, 'Showing 1 to 10 of')
})

test('the focus returns to where it was when a dialog closes', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/customers')
  const opener = rows(page)
    .first()
    .getByRole('button', { name: /^Edit / })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
})

test('the first page of a visit shows its rows without any script', async ({ page, browser, app }) => {
  await signIn(page, DEMO)
  const storageState = await page.context().storageState()
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: app.url, storageState })
  const bare = await context.newPage()
  await bare.goto('/contracts')
  await expect(rows(bare)).toHaveCount(10)
  await expect(bare).toHaveTitle('Contracts · TRAXX')
  await context.close()
})

test('at every width the header of a table stays below that of the app and covers no row, pages of 25 and 50 rows are dense, and phone numbers and quick filters do not break', async ({
  page,
}) => {
  await signIn(page, DEMO)
  for (const path of ['contracts', 'customers']) {
    await page.goto(`/${path}`)
    await expect(rows(page)).toHaveCount(10)
    for (const width of [390, 769, 900, 993, 1100, 1280]) {
      await page.setViewportSize({ width, height: 700 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      const filters = page.getByRole('group', { name: 'Quick filters' }).getByRole('button')
      const tops = await filters.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
      expect(new Set(tops).size, `the quick filters at ${width}`).toBeLessThanOrEqual(1)
      if (width < 993) continue
      await page.evaluate(() => scrollTo(0, 0))
      const header = page.locator('thead')
      const bottom = await header.evaluate((element) => element.getBoundingClientRect().bottom)
      const first = await rows(page)
        .first()
        .evaluate((element) => element.getBoundingClientRect().top)
      expect(bottom).toBeLessThanOrEqual(first + 1)
      expect(await headerAtTheEnd(page), `the header of ${path} at ${width}`).toBeCloseTo(60, 0)
    }
    for (const size of path === 'contracts' ? [25, 50] : [25]) {
      await page.getByRole('combobox', { name: 'Rows per page' }).selectOption(`${size} rows`)
      await expect(page.getByText(`Showing 1 to ${size} of`)).toBeVisible()
      await expect(rows(page)).toHaveCount(size)
      expect(await highestRow(page), `the rows of ${path}`).toBeLessThanOrEqual(TWO_LINES)
      expect(await headerAtTheEnd(page), `the header of ${size} ${path}`).toBeCloseTo(60, 0)
    }
  }
  const phone = page.getByText(/^\(509\) 555-0163$/)
  expect(await phone.evaluate((element) => element.getClientRects().length)).toBe(1)
})

test('a long name, address or number makes no row higher than two lines, and is its title', async ({ page }) => {
  await signIn(page, DEMO)
  const long = 'International Consolidated Harbor and Waterways Maintenance Services of the Northern Counties '.repeat(
    2,
  )
  for (const path of ['contracts', 'customers']) {
    // What the browser renders by itself: what the server has rendered must not be changed until the scripts have it.
    await page.goto('/tags')
    await goWithin(page, `/${path}`)
    await expect(rows(page)).toHaveCount(10)
    // In the page alone: other journeys count the customers of the demo.
    const texts = rows(page).first().locator('[title]')
    expect(await texts.count()).toBeGreaterThan(0)
    await texts.evaluateAll((all, text) => {
      for (const one of all) one.textContent = text
    }, long)
    for (const width of [993, 1100, 1280]) {
      await page.setViewportSize({ width, height: 700 })
      expect.soft(await highestRow(page), `the rows of ${path} at ${width}`).toBeLessThanOrEqual(TWO_LINES)
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    }
    await page.setViewportSize({ width: 390, height: 700 })
    expect(await texts.first().evaluate((one) => one.scrollHeight > one.clientHeight)).toBe(false)
  }
})

/** No row of two lines of text is higher, and each of three is, in pixels. */
const TWO_LINES = 60

function highestRow(page: Page): Promise<number> {
  return rows(page).evaluateAll((all) => Math.max(...all.map((row) => row.getBoundingClientRect().height)))
}

/** How far from the top the header of the table is, once the page is scrolled to its end. */
async function headerAtTheEnd(page: Page): Promise<number> {
  await rows(page).last().scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  return page.locator('thead').evaluate((element) => element.getBoundingClientRect().top)
}
