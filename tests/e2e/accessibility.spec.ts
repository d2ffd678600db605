import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleBesidesColors, expectNoOverflow } from './support/axe.ts'
import { DEMO, expect, expectLoaded, test } from './support/journey.ts'
import { PROTECTED } from '#support/screens.ts'
import { signIn } from './support/sessions.ts'

const OPEN = [
  '/',
  '/privacy',
  '/terms',
  '/contact',
  '/help',
  '/account-deleted',
  '/no/such/page',
  '/sign-in',
  '/sign-in/reset-password',
  '/sign-up',
  '/checkout',
  '/checkout?trial=true',
  '/unsubscribe/x',
  '/debug',
]
const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }
/** A window of 1280 pixels at a zoom of 400 % is as wide. */
const NARROWEST = { width: 320, height: 800 }
const DIALOG = '[role="dialog"]'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

async function checkAll(page: Page, screens: [path: string, heading?: string][], checkMore = async () => {}) {
  for (const [path, name] of screens) {
    await page.setViewportSize(DESK)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, ...(name && { name }) })).toBeVisible()
    await expectLoaded(page)
    await expectAccessible(page, path)
    await expectNoOverflow(page, path)
    await page.setViewportSize(PHONE)
    await expectAccessibleBesidesColors(page, `${path} on a phone`)
    await expectNoOverflow(page, `${path} on a phone`)
    await expectNoSmallFields(page, path)
    await checkMore()
    await page.setViewportSize(NARROWEST)
    await expectNoOverflow(page, `${path} at 320 pixels`)
  }
}

/** Opens a dialog, checks it alone, and leaves it open. */
async function checkDialog(page: Page, name: string, opener: string | RegExp = name) {
  await press(page, opener)
  await expect(dialog(page, name)).toBeVisible()
  await expectAccessible(page, name, DIALOG)
}

async function close(page: Page, name: string) {
  await page.keyboard.press('Escape')
  await expect(dialog(page, name)).toBeHidden()
}

test('axe finds nothing serious on any open screen, light and dark, wide and narrow, and iOS has no reason to zoom in', async ({
  page,
}) => {
  await checkAll(
    page,
    OPEN.map((path) => [path]),
  )
})

test('signed in, every screen shows itself and links to help, and axe finds nothing serious on it, in dialogs and in what the header opens', async ({
  page,
}) => {
  test.setTimeout(600_000)
  await signIn(page, DEMO)
  await page.goto('/profile')
  await test.step('what the header opens', () => checkHeader(page))
  await test.step('the dialogs of customers', () => checkCustomers(page))
  await test.step('the dialogs of contracts, also on a phone', () => checkContracts(page))
  await test.step('the screens', () => checkAll(page, Object.entries(PROTECTED), () => expectHelpLinks(page)))
})

test('axe finds nothing serious where the app says that it cannot show a screen', async ({ page, complaints }) => {
  await signIn(page, DEMO)
  await page.route(/\/trpc\/.*billing\.subscription/, (route) => route.abort())
  for (const path of ['/reminders', '/checkout']) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await expectAccessible(page, path)
    await page.setViewportSize(PHONE)
    await expectNoOverflow(page, path)
    await page.setViewportSize(DESK)
  }
  expect(complaints.splice(0).filter((text) => !text.includes('Failed to fetch'))).toEqual([])
})

async function checkHeader(page: Page) {
  await checkDialog(page, 'Notifications', /^Notifications/)
  await close(page, 'Notifications')
  await press(page, 'Profile menu')
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible()
  await expectAccessible(page, 'the profile menu', '[role="menu"]')
  await page.keyboard.press('Escape')
  await page.setViewportSize(PHONE)
  await press(page, 'Open navigation')
  await expect(page.getByRole('button', { name: 'Close navigation' })).toBeVisible()
  await expectAccessible(page, 'the navigation', DIALOG)
}

async function checkCustomers(page: Page) {
  await page.setViewportSize(DESK)
  await page.goto('/customers')
  await checkDialog(page, 'Add Customer')
  await expectNoSmallFields(page, 'Add Customer')
  await page.setViewportSize(DESK)
  await close(page, 'Add Customer')
  await page.locator('tbody').getByRole('link').first().click()
  await expect(page.getByRole('region', { name: 'Activity' })).toBeVisible()
  await expectAccessible(page, 'the page of a customer')
  await checkDialog(page, 'Edit Customer', 'Edit')
}

async function checkContracts(page: Page) {
  // The newest has a PDF.
  await page.goto('/contracts?sort=added')
  await checkDialog(page, 'Add Contract')
  await expectNoSmallFields(page, 'Add Contract')
  await page.setViewportSize(DESK)
  await close(page, 'Add Contract')
  const withPdf = page.getByRole('row').filter({ has: page.getByRole('button', { name: /^View PDF/ }) })
  await withPdf.first().getByRole('link').first().click()
  await expect(page.getByRole('group', { name: 'PDF' })).toContainText('PDF attached')
  await page.setViewportSize(PHONE)
  await expectAccessible(page, 'the page of a contract')
  await expectNoOverflow(page, 'the page of a contract')
  await checkDialog(page, 'Edit Contract', 'Edit')
}

/** On a phone, iOS would zoom into the page at them. */
async function expectNoSmallFields(page: Page, what: string) {
  await page.setViewportSize(PHONE)
  expect(await smallFields(page), what).toEqual([])
}

async function expectHelpLinks(page: Page) {
  for (const href of ['/help', '/contact', '/terms', '/privacy'])
    await expect(page.getByRole('contentinfo').locator(`a[href="${href}"]`)).toHaveCount(1)
}

/** What is typed or chosen in, with text of less than 16 px. */
function smallFields(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const fields = [...document.querySelectorAll(':is(input, select, textarea):not([aria-hidden="true"] *)')]
    const small = fields.filter(
      (field) => field.checkVisibility() && Number.parseFloat(getComputedStyle(field).fontSize) < 16,
    )
    return small.map((field) => field.outerHTML.slice(0, 120))
  })
}
