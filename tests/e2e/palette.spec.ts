import type { Page } from '@playwright/test'
import { expectAccessible, expectNoOverflow } from './support/axe.ts'
import { scriptOf } from './support/built-files.ts'
import { dayFromNow, DEMO, expect, pressUntilVisible, test } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

const palette = (page: Page) => page.getByRole('combobox', { name: 'Search or jump to' })
const found = (page: Page, section: string) =>
  page.getByRole('listbox', { name: 'Results' }).getByRole('group', { name: section })
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

async function openPalette(page: Page) {
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible()
  await pressUntilVisible(page, ['ControlOrMeta+k'], palette(page))
  await expect(palette(page)).toBeFocused()
}

const checkAxe = (page: Page, what: string) => expectAccessible(page, what, '[role=dialog], [role=listbox]')

test('by keys alone a customer is found, and their page is read', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Customers', exact: true }).focus()
  const arrival = Promise.withResolvers<void>()
  await page.route(scriptOf('palette/palette.tsx'), async (route) => {
    await arrival.promise
    await route.continue()
  })
  await press(page, 'ControlOrMeta+k')
  await page.keyboard.type('blue')
  arrival.resolve()
  await expect(palette(page)).toBeFocused()
  await page.keyboard.type('bird')
  await expect(palette(page), 'what was typed before it had loaded').toHaveValue('bluebird')
  await press(page, 'Escape')
  await expect(page.getByRole('link', { name: 'Customers', exact: true })).toBeFocused()

  await openPalette(page)
  await page.keyboard.type('bluebird')
  await expect(found(page, 'Customers').getByRole('option')).toHaveCount(1)
  await press(page, 'Enter')
  const heading = page.getByRole('heading', { level: 1, name: 'Bluebird Bakery' })
  await expect(heading).toBeVisible()
  await expect(page).toHaveURL(/\/customers\/\d+$/)
  await page.reload()
  await expect(heading).toBeVisible()
})

test('by keys alone a contract is added, with a customer who is new', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await openPalette(page)
  await page.keyboard.type('add con')
  await press(page, 'Enter')
  const form = page.getByRole('dialog', { name: 'Add Contract' })
  await expect(form.getByRole('combobox', { name: 'Customer' })).toBeFocused()
  await page.keyboard.type('Zephyr Kites')
  await expect(page.getByText('No customers found')).toBeVisible()
  await press(page, 'ArrowDown', 'Enter')
  await expect(form.getByText('Customer "Zephyr Kites" was added')).toBeVisible()
  await form.getByLabel('Amount').focus()
  await page.keyboard.type('125')
  await form.getByLabel('Start Date').fill(dayFromNow(-20))
  await form.getByLabel('Amount').focus()
  await press(page, 'Enter')
  await expect(page.getByText('Contract added successfully!')).toBeVisible()
  await expect(form).toBeHidden()

  await openPalette(page)
  await page.keyboard.type('zephyr')
  await expect(found(page, 'Contracts').getByRole('option')).toHaveCount(1)
  await expect(found(page, 'Customers').getByRole('option')).toHaveCount(1)
})

test('axe finds nothing serious in the palette and the customer picker', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await openPalette(page)
  await checkAxe(page, 'the palette as it opens')
  await page.keyboard.type('bluebird')
  await expect(found(page, 'Contracts')).toBeVisible()
  await checkAxe(page, 'the palette with results')
  await press(page, 'ControlOrMeta+a')
  await page.keyboard.type('nobody at all')
  await expect(page.getByText('No results for "nobody at all"')).toBeVisible()
  await checkAxe(page, 'the palette without results')
  await page.goto('/contracts?open=new')
  await page.getByRole('combobox', { name: 'Customer' }).pressSequentially('Nobody')
  await expect(page.getByText('No customers found')).toBeVisible()
  await checkAxe(page, 'the customer picker')
})

test('the palette leads to the export, switches the theme and signs out', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await openPalette(page)
  await page.keyboard.type('export')
  await press(page, 'Enter')
  await expect(page).toHaveURL(/\/profile#your-data$/)
  await expect(page.getByRole('button', { name: 'Export Everything' })).toBeInViewport()
  await openPalette(page)
  await page.keyboard.type('dark')
  await press(page, 'Enter')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await openPalette(page)
  await page.keyboard.type('sign out')
  await press(page, 'Enter')
  await expect(page).toHaveURL(/\/$/)
})

test('single keys lead to screens and forms, and are listed', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  const list = page.getByRole('dialog', { name: 'Keyboard Shortcuts' })
  await pressUntilVisible(page, ['?'], list)
  await expect(list.getByText('Go to contracts')).toBeVisible()
  await expectAccessible(page, 'the list of shortcuts', '[role=dialog]')
  const desk = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page, 'the list of shortcuts')
  if (desk) await page.setViewportSize(desk)
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('n')
  await expect(page.getByRole('dialog', { name: 'Add Customer' })).toBeVisible()
})
