import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { dayFromNow, expect, test } from './support/journey.ts'
import { startTrialUnseen } from './support/sessions.ts'

const FILE = [
  'Betrieb;Fon;Merkmal',
  'Café Central;(555) 010-0199;A',
  'Bäckerei Nord;555 0200;B',
  'Café Central;(555) 010-0199;C',
]

async function choose(page: Page, rows: string[]) {
  const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) }
  await page.getByRole('button', { name: 'Bulk Upload', exact: true }).click()
  await page.getByLabel('File to upload').setInputFiles(file)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
}

test('a file with its own headings is mapped once, repeated rows are left out, and everybody is found', async ({
  page,
}) => {
  await startTrialUnseen(page)
  await page.goto('/customers')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog', { name: 'Bulk Upload Customers' })
  await choose(page, FILE)
  await expect(dialog.getByText('Check what each column contains')).toBeVisible()
  await expect(dialog.getByText('Café Central · Bäckerei Nord')).toBeVisible()
  await expect(dialog.getByText('Still needed: Name')).toBeVisible()
  await expectAccessible(page, 'the columns of a file', '[role=dialog]')
  await dialog.getByRole('combobox', { name: 'What Betrieb contains' }).selectOption('Name')
  await dialog.getByRole('combobox', { name: 'What Fon contains' }).selectOption('Phone')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1280, height: 860 })
  await button('Continue').click()

  await expect(dialog.getByText('1 row is the same as an earlier row:')).toBeVisible()
  await expect(dialog.getByText('Line 4, same as line 2: Café Central, (555) 010-0199')).toBeVisible()
  await expectAccessible(page, 'repeated rows', '[role=dialog]')
  await dialog.getByLabel('Import each row once').check()
  await button('Continue').click()
  await expect(dialog.getByText('Bulk upload complete: 2 created, 0 failed.')).toBeVisible()
  await expect(dialog.getByText('1 repeated row was left out.')).toBeVisible()
  await expect(dialog.getByText('Columns not imported: Merkmal')).toBeVisible()
  await button('Done').click()

  await choose(page, ['Betrieb;Fon;Merkmal', 'Dojo;555 0300;D'])
  await expect(dialog.getByText('Bulk upload complete: 1 created, 0 failed.')).toBeVisible()
  await button('Done').click()

  const search = page.getByRole('searchbox', { name: 'Search customers' })
  for (const text of ['cafe', 'CAFÉ', '5550100', '555-010']) {
    await search.fill(text)
    await search.press('Enter')
    await expect(page.getByRole('row', { name: /Café Central/ })).toBeVisible()
    await expect(page.getByRole('row', { name: /Dojo/ })).toHaveCount(0)
  }

  await page.goto('/contracts?open=new')
  const contract = page.getByRole('dialog', { name: 'Add Contract' })
  await contract.getByRole('combobox', { name: 'Customer' }).pressSequentially('cafe')
  await page.keyboard.press('Enter')
  await expect(contract.getByRole('combobox', { name: 'Customer' })).toHaveValue('Café Central')
  const amount = contract.getByRole('textbox', { name: 'Amount' })
  await amount.fill('1.200')
  await contract.getByLabel('Start Date').fill(dayFromNow(-20))
  await page.keyboard.press('Enter')
  await expect(contract.getByText('"1.200" can mean $1,200.00 or $1.20. Enter the one you mean')).toBeVisible()
  await amount.fill('1.200,50')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /Café Central .*\$1,200\.50/ })).toBeVisible()
})

test('on a phone the headings are moved to another line, the buttons stay in sight, and the choice is forgotten', async ({
  page,
}) => {
  await startTrialUnseen(page)
  await page.setViewportSize({ width: 390, height: 640 })
  await page.goto('/customers')
  const dialog = page.getByRole('dialog', { name: 'Bulk Upload Customers' })
  const marks = Array.from({ length: 12 }, (_, index) => `Mark ${index}`)
  const open = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Bulk Upload' }).click()
  }
  await open()
  const lines = [
    ['Region', 'Year', 'x'],
    ['Betrieb', 'Fon', ...marks],
    ['Dojo', '555 0300', ...marks],
  ]
  const file = Buffer.from(lines.map((cells) => cells.join(';')).join('\r\n'))
  await page.getByLabel('File to upload').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: file })
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog
    .getByRole('combobox', { name: 'Line with the headings' })
    .selectOption('2: Betrieb · Fon · Mark 0 · Mark 1')
  await dialog.getByRole('button', { name: 'Read Headings from This Line' }).click()
  await expect(dialog.getByRole('combobox', { name: 'What Betrieb contains' })).toBeVisible()
  for (const button of ['Cancel', 'Continue'])
    await expect(dialog.getByRole('button', { name: button })).toBeInViewport({ ratio: 1 })
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Still needed: Name')
  await expect(dialog.getByRole('alert')).toBeInViewport({ ratio: 1 })
  const topOf = async (part: Locator) => Number((await part.boundingBox())?.y)
  expect(await topOf(dialog.getByRole('alert'))).toBeLessThan(
    await topOf(dialog.getByRole('button', { name: 'Continue' })),
  )
  await dialog.getByRole('combobox', { name: 'What Betrieb contains' }).selectOption('Name')
  await dialog.getByRole('combobox', { name: 'What Mark 11 contains' }).scrollIntoViewIfNeeded()
  await expect(dialog.getByRole('button', { name: 'Continue' })).toBeInViewport({ ratio: 1 })
  await expectAccessible(page, 'the columns of a file on a phone', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('Bulk upload complete: 1 created, 0 failed.')).toBeVisible()
  await dialog.getByRole('tab', { name: 'Saved columns' }).click()
  await expect(dialog.getByText('Betrieb is Name')).toBeVisible()
  await expectAccessible(page, 'saved columns', '[role=dialog]')
  await dialog.getByRole('button', { name: /^Forget Betrieb/ }).click()
  await expect(dialog.getByText('No saved columns')).toBeVisible()
})
