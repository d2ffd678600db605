import type { Page } from '@playwright/test'
import { dayFromNow, expect, test } from './support/journey.ts'
import { expectAccessible } from './support/axe.ts'
import { startTrial } from './support/sessions.ts'

/** Two contracts: one renews in 10 days, the other is 5 days overdue. */
async function addContracts(page: Page) {
  const lines = [
    'Customer Name,Amount,Start Date,Renewal Cycle,Renewal Date,Status',
    `Harbor Bakery,100.00,2025-01-01,monthly,${dayFromNow(10)},active`,
    `Late Motors,50.00,2025-01-01,monthly,${dayFromNow(-5)},active`,
  ]
  await page.waitForFunction(() => globalThis.Clerk?.loaded)
  const token = await page.evaluate(() => globalThis.Clerk?.session?.getToken())
  const answer = await page.request.post('/contracts/bulk-upload?createCustomers=true&reminders=off', {
    headers: { authorization: `Bearer ${token}` },
    multipart: { file: { name: 'contracts.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) } },
  })
  expect(await answer.json()).toMatchObject({ created: 2, failed: 0 })
}

test('renewals are decided where they are due, and each decision can be undone', async ({ page }) => {
  await startTrial(page)
  await addContracts(page)
  await page.goto('/dashboard')
  const toast = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

  await page.getByRole('button', { name: 'Renew: Harbor Bakery' }).click()
  await expect(toast(/^Renewed: Harbor Bakery/)).toBeVisible()
  await toast(/^Renewed: Harbor Bakery/)
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(toast('Undone: the contract with Harbor Bakery is as it was before')).toBeVisible()

  await page.getByRole('button', { name: 'Not Renewing: Harbor Bakery' }).click()
  const ending = page.getByRole('dialog', { name: 'End Contract' })
  await ending.getByRole('combobox', { name: 'Reason' }).selectOption('Price')
  await ending.getByRole('textbox', { name: 'Note' }).fill('Asked for a discount')
  await ending.getByRole('button', { name: 'End Contract' }).click()
  await expect(toast('The contract with Harbor Bakery ends on')).toBeVisible()

  await page.getByRole('button', { name: 'Renew: Late Motors' }).click()
  const renewing = page.getByRole('dialog', { name: 'Renew Contract' })
  await renewing.getByRole('radio', { name: /^Today/ }).check()
  await renewing.getByRole('textbox', { name: 'Amount' }).fill('60')
  await renewing.getByRole('button', { name: 'Renew' }).click()
  await expect(toast(/^Renewed: Late Motors/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Overdue', exact: true })).toBeHidden()
})

test('many contracts are repriced at once, which goes on without the page, and is undone as a whole', async ({
  page,
}) => {
  await startTrial(page)
  await addContracts(page)
  await page.goto('/contracts')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const bar = page.getByRole('region', { name: 'Selected contracts' })
  await expect(bar.getByRole('status')).toHaveText('2 selected')
  await bar.getByRole('button', { name: 'Change Price' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change Prices' })
  await dialog.getByRole('textbox', { name: 'Percent' }).fill('5')
  await expect(
    dialog.getByText('The next price of 2 contracts will change: $157.50, now $150.00 in all.'),
  ).toBeVisible()
  await expectAccessible(page, 'the dialog of a change of prices')
  await dialog.getByRole('button', { name: 'Change Prices' }).click()
  await expect(dialog).toBeHidden()
  await page.goto('/dashboard')
  await page.goto('/contracts')
  const result = page.getByRole('region', { name: 'Change of contracts' })
  await expect(result.getByText('Changed the next price of 2 contracts')).toBeVisible()
  await expectAccessible(page, 'the result of a change of prices')
  await result.getByRole('button', { name: 'Undo' }).click()
  await expect(result.getByText('Undone: 2 contracts as before')).toBeVisible()
  await result.getByRole('button', { name: 'Close' }).click()
  await expect(result).toBeHidden()
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Select all on this page' })).toBeVisible()
  await expect(result).toBeHidden()
})

test('the page of a contract has its terms, by keyboard as well, and survives Escape and a reload', async ({
  page,
}) => {
  await startTrial(page)
  await addContracts(page)
  await page.goto('/contracts')
  await page.getByRole('row', { name: /Harbor Bakery/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Harbor Bakery' })).toBeVisible()

  const renew = page.getByRole('button', { name: 'Renew', exact: true })
  await renew.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Term 2', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('Term 2', { exact: true })).toBeVisible()

  const ending = page.getByRole('dialog', { name: 'End Contract' })
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await expect(ending).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(ending).toBeHidden()
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await ending.getByRole('radio', { name: /^Today/ }).check()
  await ending.getByRole('combobox', { name: 'Reason' }).selectOption('Competitor')
  await ending.getByRole('button', { name: 'End Contract' }).click()
  await expect(page.getByText(/^Ended on .*Reason: Competitor$/)).toBeVisible()

  await page.getByRole('button', { name: 'Undo Last Decision' }).click()
  await expect(page.getByRole('button', { name: 'Renew', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Undo Last Decision' }).click()
  await expect(page.getByText('Term 2', { exact: true })).toBeHidden()
  await expect(page.getByText('Term 1', { exact: true })).toBeVisible()

  await page.goto('/contracts/2147483647')
  await expect(page.getByRole('heading', { name: 'Contract not found' })).toBeVisible()
})
