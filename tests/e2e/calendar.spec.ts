import { importContracts } from './support/contracts.ts'
import { dayFromNow, expect, keepUndo, pressUntilVisible, test } from './support/journey.ts'
import { expectAccessible, expectNoOverflow } from './support/axe.ts'
import { startTrialUnseen } from './support/sessions.ts'

test('a renewal is moved in the calendar by keyboard, and back again by Undo', async ({ page }) => {
  await keepUndo(page)
  await startTrialUnseen(page)
  const day = dayFromNow(0)
  const lines = [`Harbor Bakery,100.00,2025-01-01,monthly,${day},active`]
  await importContracts(page, lines)
  await page.goto('/dashboard')
  await pressUntilVisible(page, ['g', 'a'], page.getByRole('heading', { level: 1, name: 'Calendar' }))
  await expect(page.locator(`[data-day="${day}"]`)).toHaveAccessibleName(/1 renewal, \$100\.00$/)
  await expectAccessible(page, 'the calendar by month')

  await page.getByRole('button', { name: 'Move the renewal: Harbor Bakery' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Move Renewal' })
  await dialog.getByLabel('Move to').fill(dayFromNow(3))
  await dialog.getByLabel('Move to').press('Enter')
  const toast = page.getByRole('status').filter({ hasText: 'The contract with Harbor Bakery now renews on' })
  await expect(toast).toBeVisible()
  await expect(page.locator(`[data-day="${day}"]`)).toHaveAccessibleName(/Nothing$/)
  await page.keyboard.press('F8')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Undone: the contract with Harbor Bakery renews on')).toBeVisible()
  await expect(page.locator(`[data-day="${day}"]`)).toHaveAccessibleName(/1 renewal, \$100\.00$/)

  await page.getByRole('button', { name: 'Year' }).click()
  await expect(page).toHaveURL(/year=/)
  await expectAccessible(page, 'the calendar by year')

  // On a phone a month is a list of the days on which there is something.
  await page.goBack()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.locator('[data-day]')).toHaveCount(0)
  const days = page.getByRole('region').filter({ has: page.getByRole('list', { name: 'Renewals' }) })
  await expect(days).toHaveCount(1)
  await expect(days).toHaveAccessibleName(longDay(day))
  await expect(days).toContainText('Renewals: 1, $100.00')
  await expect(days.getByRole('link', { name: 'Harbor Bakery' })).toBeVisible()
  await expectNoOverflow(page, 'the calendar on a phone')
  await expectAccessible(page, 'the calendar on a phone')
})

/** As the headings of the list have it. */
function longDay(day: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day))
}
