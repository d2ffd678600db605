import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleBesidesColors, expectNoOverflow } from './support/axe.ts'
import { DEMO, expect, test } from './support/journey.ts'
import { PROTECTED } from './support/screens.ts'
import { signIn } from './support/sessions.ts'

const OPEN = [
  '/',
  '/privacy',
  '/terms',
  '/contact',
  '/sign-in',
  '/sign-up',
  '/checkout',
  '/checkout?trial=true',
  '/unsubscribe/x',
  '/debug',
]
const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }
const DIALOG = '[role="dialog"]'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

async function checkAll(page: Page, screens: [path: string, heading?: string][]) {
  for (const [path, name] of screens) {
    await page.setViewportSize(DESK)
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await expect(page.getByRole('heading', { level: 1, ...(name && { name }) })).toBeVisible()
    await expectAccessible(page, path)
    await expectNoOverflow(page, path)
    await page.setViewportSize(PHONE)
    await expectAccessibleBesidesColors(page, `${path} on a phone`)
    await expectNoOverflow(page, `${path} on a phone`)
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

test('axe finds nothing serious on any open screen, light and dark, wide and narrow', async ({ page }) => {
  await checkAll(
    page,
    OPEN.map((path) => [path]),
  )
})

test('signed in, every screen shows itself, and axe finds nothing serious on it, in dialogs and in what the header opens', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await signIn(page, DEMO)
  await page.goto('/profile')
  await test.step('what the header opens', () => checkHeader(page))
  await test.step('the dialogs of customers', () => checkCustomers(page))
  await test.step('the dialogs of contracts, also on a phone', () => checkContracts(page))
  await test.step('the screens', () => checkAll(page, Object.entries(PROTECTED)))
})

test('axe finds nothing serious where the app says that it cannot show a screen', async ({ page, complaints }) => {
  await signIn(page, DEMO)
  await page.route(/\/trpc\/.*billing\.subscription/, (route) => route.abort())
  for (const path of ['/reminders', '/checkout']) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible({ timeout: 20_000 })
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
  await close(page, 'Add Customer')
  await checkDialog(page, 'Delete Customer', /^Delete /)
  await close(page, 'Delete Customer')
  await page.locator('tbody').getByRole('button').first().click()
  await expect(dialog(page, 'Customer Details')).toBeVisible()
  await expectAccessible(page, 'Customer Details', DIALOG)
  await checkDialog(page, 'Edit Customer')
}

async function checkContracts(page: Page) {
  await page.goto('/contracts')
  await checkDialog(page, 'Add Contract')
  await close(page, 'Add Contract')
  await checkDialog(page, 'Delete Contract', /^Delete (?!PDF)/)
  await close(page, 'Delete Contract')
  const withPdf = page.getByRole('row').filter({ has: page.getByRole('button', { name: /^View PDF/ }) })
  await withPdf.first().getByRole('button').first().click()
  const details = dialog(page, 'Contract Details')
  await expect(details.getByRole('group', { name: 'PDF' })).toContainText('PDF attached')
  await page.setViewportSize(PHONE)
  await expectAccessible(page, 'Contract Details', DIALOG)
  await expectNoOverflow(page, 'Contract Details')
  await details.getByRole('button', { name: /^Delete PDF/ }).click()
  await expect(page.getByText('Delete this PDF? This action cannot be undone.')).toBeVisible()
  await expectAccessible(page, 'Delete PDF', DIALOG)
  await page.keyboard.press('Escape')
  await expect(details.getByRole('button', { name: /^Delete PDF/ })).toBeFocused()
  await checkDialog(page, 'Edit Contract')
}
