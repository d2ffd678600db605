import { expectAccessible, expectNoOverflow, expectNothingSerious } from './support/axe.ts'
import { expect, test } from './support/journey.ts'
import { startTrial } from './support/sessions.ts'

test('an empty account looks around with sample data, removes it, and takes its first step', async ({ page }) => {
  await startTrial(page)
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps.getByRole('listitem')).toHaveCount(3)
  await expect(page.getByRole('heading', { name: 'Revenue Trend' })).toBeHidden()
  await expectNothingSerious(page, 'the first steps')

  await page.getByRole('button', { name: 'Load Sample Data' }).click()
  await expect(page.getByText('This is sample data')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Revenue Trend' })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Bellweather Bakery' }).first()).toContainText('Overdue')
  await expectAccessible(page, 'sample data')
  await page.setViewportSize({ width: 390, height: 800 })
  await expectNoOverflow(page, 'sample data on a phone')

  await page.getByRole('button', { name: 'Remove Sample Data' }).click()
  await expect(page.getByText('The sample data was removed')).toBeVisible()
  await expectNoOverflow(page, 'the first steps on a phone')
  await page.getByRole('button', { name: 'Add Your First Customer' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Analytical Engines Ltd')
  await page.keyboard.press('Enter')
  await expect(steps.getByRole('listitem').filter({ hasText: 'Add a customer' }).getByLabel('Done')).toBeVisible()
  await page.reload()
  await expect(steps.getByLabel('Done')).toHaveCount(1)
})
