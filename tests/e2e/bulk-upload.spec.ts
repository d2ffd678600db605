import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { expectAccessible } from './support/axe.ts'
import { dayFromNow, DEMO, expect, test } from './support/journey.ts'
import { signIn, startTrialUnseen } from './support/sessions.ts'

const LATER = dayFromNow(40)
const GOOD = [`Bakery,100.00,03/04/2026,monthly,${LATER},active`, `Dairy,200.00,2026-01-01,yearly,${LATER},pending`]
const BAD = ['Bakery,minus one,2026-01-01,monthly,2027-01-01,active', ',5.00,2026-01-01,weekly,2027-01-01,active']

const HEADINGS = 'Customer,Amount,Start Date,Renewal Cycle,Renewal Date,Status'

/** What a click saves: the name that the server gave it, and its content. */
async function saved(page: Page, button: Locator) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return { name: download.suggestedFilename(), content: readFileSync(await download.path()) }
}

/** The template with these contracts in place of its example, and without the column that they do not have. */
function filledTemplate(template: string, rows: string[]): string {
  const [headings = ''] = template.replace('\uFEFF', '').split('\r\n')
  return [headings.replace('Customer Number,', ''), ...rows].join('\r\n')
}

async function choose(page: Page, content: string) {
  const file = { name: 'contracts.csv', mimeType: 'text/csv', buffer: Buffer.from(content) }
  await page.getByLabel('File to upload').setInputFiles(file)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
}

test('contracts come from a filled template, are asked about, counted, undone and exported', async ({ page }) => {
  await startTrialUnseen(page)
  await page.goto('/contracts')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const template = await saved(page, button('Download Template'))
  expect(template.name).toBe('contracts-template.csv')
  const content = filledTemplate(template.content.toString(), [...GOOD, ...BAD])

  await button('Bulk Upload').click()
  const dialog = page.getByRole('dialog', { name: 'Bulk Upload Contracts' })
  await expectAccessible(page, 'the bulk upload', '[role=dialog]')
  await dialog.getByLabel('Create missing customers').check()
  await choose(page, content)
  await expect(dialog.getByText('Dates such as 03/04/2026 can be read in two ways.')).toBeVisible()
  await expect(dialog.getByText('For example on line 2, in the column "Start Date": 03/04/2026')).toBeVisible()
  await dialog.getByLabel('Day first').check()
  await button('Continue').click()

  await expect(dialog.getByText('Bulk upload complete: 2 created, 2 failed. Some rows failed.')).toBeVisible()
  await expect(dialog.getByText('Also created 2 customers.')).toBeVisible()
  await expect(dialog.getByRole('row', { name: /Line 4 Amount minus one/ })).toBeVisible()
  const failed = dialog.getByRole('region', { name: 'Failed rows' })
  const [head, first] = [failed.getByRole('row').nth(0), failed.getByRole('row').nth(1)]
  expect(Number((await head.boundingBox())?.y)).toBeLessThan(Number((await first.boundingBox())?.y))
  await expectAccessible(page, 'what came of it', '[role=dialog]')
  const errors = await saved(page, button('Download Errors'))
  expect(errors.name).toMatch(/^import-\d+-errors\.csv$/)
  expect(errors.content.toString()).toContain('4,"Amount: Must be an amount, such as 1234.50",Bakery,minus one')
  await button('Done').click()
  await expect(page.getByRole('row', { name: /Bakery \$100\.00 Apr 3, 2026/ })).toBeVisible()
  await expect(button('Bulk Upload')).toBeFocused()

  await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('Pending')
  await expect(page).toHaveURL(/status=pending/)
  const list = await saved(page, button('Export CSV'))
  expect(list.name).toMatch(/^contracts-\d{4}-\d{2}-\d{2}\.csv$/)
  expect(list.content.toString()).toContain('Dairy')
  expect(list.content.toString()).not.toContain('Bakery')

  await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('All Statuses')
  await button('Bulk Upload').click()
  await choose(page, content)
  await expect(dialog.getByText('This file has been imported before. Import it again?')).toBeVisible()
  await button('Cancel').click()
  await dialog.getByRole('tab', { name: 'Earlier imports' }).click()
  await expect(dialog.getByText('2 contracts and 2 customers created, 2 failed')).toBeVisible()
  await button('Undo contracts.csv').click()
  await button('Undo Import').click()
  await expect(page.getByText('Removed 2 contracts and 2 customers.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('heading', { name: 'No imports yet' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'No contracts found' })).toBeVisible()
})

test('new prices come in a file of references, are shown before they are written, and are undone', async ({ page }) => {
  await startTrialUnseen(page)
  await page.goto('/contracts')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog', { name: 'Bulk Upload Contracts' })
  const amount = (customer: string, text: string) =>
    page.getByRole('row', { name: new RegExp(`${customer} .*\\${text}`) })
  await button('Bulk Upload').click()
  await dialog.getByLabel('Create missing customers').check()
  const terms = `2026-01-01,yearly,${dayFromNow(200)},active`
  await choose(page, `${HEADINGS},Reference\nBakery,100.00,${terms},A-1\nDairy,200.00,${terms},A-2\n`)
  await expect(dialog.getByText('Bulk upload complete: 2 created, 0 failed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Upload Another File' }).click()

  await choose(page, 'Reference,Amount\na-1,120.00\nA-2,200.00\n')
  await expect(dialog.getByText(/^2 rows match\. Updating changes 1 contract: amount \(1\)\./)).toBeVisible()
  await expect(dialog.getByText('Line 2, A-1 for Bakery: Amount: $100.00 to $120.00')).toBeVisible()
  await expectAccessible(page, 'what would be updated', '[role=dialog]')
  await button('Update these contracts').click()
  await expect(dialog.getByText('Bulk upload complete: 0 created, 1 updated, 0 failed.')).toBeVisible()
  await expect(dialog.getByText('1 contract you already have stayed as it was.')).toBeVisible()
  await button('Done').click()
  await expect(amount('Bakery', '$120.00')).toBeVisible()

  await button('Bulk Upload').click()
  await dialog.getByRole('tab', { name: 'Earlier imports' }).click()
  await expect(dialog.getByText('0 contracts created, 1 updated, 0 failed')).toBeVisible()
  await dialog.getByRole('button', { name: 'Undo contracts.csv' }).first().click()
  await expect(page.getByText('Put back the 1 contract that contracts.csv changed?')).toBeVisible()
  await button('Undo Import').click()
  await expect(page.getByText('Put back 1 contract.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(amount('Bakery', '$100.00')).toBeVisible()
  await expect(amount('Dairy', '$200.00')).toBeVisible()
})

test('on a phone a first file of contracts fails for want of customers, and one press creates them and imports it', async ({
  page,
}) => {
  await startTrialUnseen(page)
  await page.setViewportSize({ width: 390, height: 640 })
  await page.goto('/contracts')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Bulk Upload' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bulk Upload Contracts' })
  await expect(dialog.getByText('Choose a file', { exact: true })).toBeVisible()
  await expect(dialog.getByText('Choose a file, or drop it here')).toBeHidden()
  const terms = `2026-01-01,monthly,${dayFromNow(200)},active`
  await choose(page, `${HEADINGS}\nBakery,10.00,${terms}\nDairy,20.00,${terms}\nDairy,many,${terms}\n`)
  await expect(
    dialog.getByText('Bulk upload complete: 0 created, 3 failed. Some rows failed. Nothing was imported.'),
  ).toBeVisible()
  const create = dialog.getByRole('button', { name: 'Create Missing Customers and Import Again' })
  await expect(create).toBeInViewport({ ratio: 1 })
  await expectAccessible(page, 'missing customers', '[role=dialog]')
  await create.dblclick()
  await expect(dialog.getByText('Bulk upload complete: 2 created, 1 failed. Some rows failed.')).toBeVisible()
  await expect(dialog.getByText('Also created 2 customers.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.locator('tbody').getByRole('row')).toHaveCount(2)
})

test('everything that an account has is saved as one archive', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/profile')
  const archive = await saved(page, page.getByRole('button', { name: 'Export Everything' }))
  expect(archive.name).toMatch(/^traxx-\d{4}-\d{2}-\d{2}\.zip$/)
  await expect(page.getByText(`Downloaded ${archive.name}`)).toBeVisible()
  const files = unzipSync(archive.content)
  const tables = ['customers', 'contracts', 'notifications', 'imports']
  expect(Object.keys(files)).toEqual(expect.arrayContaining(tables.flatMap((name) => [`${name}.csv`, `${name}.json`])))
  expect(JSON.parse(strFromU8(files['contracts.json'] ?? new Uint8Array()))).toHaveLength(120)
})

test('on a phone all of it is in one menu, and nothing is wider than the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, DEMO)
  await page.goto('/customers')
  const menu = page.getByRole('button', { name: 'More actions' })
  await menu.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Download Template' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Bulk Upload Customers' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()

  await page.goto('/contracts')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Bulk Upload' }).click()
  const contract = `Northwind Logistics,100.00,2020-01-01,yearly,${dayFromNow(20)},active`
  await choose(page, `Customer,Amount,Start Date,Renewal Cycle,Renewal Date,Status\n${contract}\n`)
  await expect(page.getByText('6 emails to 1 customer in the next 90 days:')).toBeVisible()
  await expectAccessible(page, 'what customers will be sent', '[role=dialog]')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('contracts.csv')).toBeVisible()
})
