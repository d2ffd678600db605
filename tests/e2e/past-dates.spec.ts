import type { Page } from '@playwright/test'
import { dayFromNow, expect, test } from './support/journey.ts'
import { startTrialUnseen } from './support/sessions.ts'

async function upload(page: Page, screen: 'customers' | 'contracts', rows: string[]) {
  await page.goto(`/${screen}`)
  await page.getByRole('button', { name: 'Bulk Upload', exact: true }).click()
  const file = { name: `${screen}.csv`, mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) }
  await page.getByLabel('File to upload').setInputFiles(file)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
}

const rows = (page: Page) => page.locator('tbody').getByRole('row')

test('contracts with past dates are imported without writing to anybody, and open ones come first', async ({
  page,
}) => {
  await startTrialUnseen(page)
  const dialog = page.getByRole('dialog')
  await upload(page, 'customers', ['Name,Email', 'Late Ltd,late@late.example', 'Gone Ltd,gone@late.example'])
  await expect(dialog.getByText('Bulk upload complete: 2 created, 0 failed.')).toBeVisible()
  await upload(page, 'contracts', [
    'Customer,Amount,Start Date,Renewal Cycle,Renewal Date,Status',
    `Gone Ltd,10.00,2020-01-01,yearly,2021-01-01,expired`,
    `Late Ltd,20.00,2024-01-01,yearly,${dayFromNow(-400)},active`,
    `Late Ltd,30.00,2024-01-01,yearly,${dayFromNow(20)},active`,
    `Gone Ltd,40.00,2024-01-01,yearly,${dayFromNow(-30)},cancelled`,
  ])
  await expect(dialog.getByText('Send emails to customers about these contracts?')).toBeVisible()
  await dialog.getByLabel('Do not send emails').check()
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByText('Bulk upload complete: 4 created, 0 failed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(rows(page)).toHaveText([/\$20\.00.*Overdue/, /\$30\.00/, /\$40\.00.*Cancelled/, /\$10\.00.*Expired/])

  await page.goto('/dashboard')
  await expect(page.getByRole('group', { name: 'Overdue' })).toContainText('1')
  await expect(page.getByRole('group', { name: 'Expiring Soon' })).toContainText('$30.00 at stake')
  const answer = await page.request.get('/dev/mailbox', {
    params: { to: 'late@late.example' },
    headers: { accept: 'application/json' },
  })
  expect(await answer.json()).toEqual([])
})

test('a contract that is added under a filter that lets nothing through is shown and marked, and one press clears it', async ({
  page,
}) => {
  await startTrialUnseen(page)
  await upload(page, 'customers', ['Name', 'Late Ltd'])
  await expect(page.getByText('Bulk upload complete: 1 created, 0 failed.')).toBeVisible()
  await page.goto('/contracts?search=nobody')
  await expect(page.getByText('No contracts found')).toBeVisible()
  await page.getByRole('button', { name: 'Add Contract' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add Contract' })
  await form.getByRole('combobox', { name: 'Customer' }).fill('late')
  await page.getByRole('option', { name: 'Late Ltd' }).click()
  await form.getByLabel('Amount').fill('75')
  await form.getByLabel('Start Date').fill(dayFromNow(-5))
  await form.getByLabel('Renewal Date').fill(dayFromNow(200))
  await form.getByRole('button', { name: 'Add Contract' }).click()
  await expect(rows(page)).toHaveText([/Late Ltd.*New.*\$75\.00/])
  await page.reload()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await expect(page).toHaveURL(/\/contracts$/)
  await expect(page.getByRole('searchbox', { name: 'Search contracts' })).toBeFocused()
  await expect(rows(page)).toHaveCount(1)
})
