import { importContracts } from './support/contracts.ts'
import { expectAccessible, expectNoOverflow } from './support/axe.ts'
import { dayFromNow, expect, test } from './support/journey.ts'
import { startTrial } from './support/sessions.ts'

const HEADINGS = 'Customer Name,Amount,Start Date,Renewal Cycle,Renewal Date,Status,Renews,Notice Period'

test('a rule is made, one is taken over from a law, and a contract shows its window', async ({ page }) => {
  await startTrial(page)
  await importContracts(
    page,
    [`Harbor Bakery,1200.00,2025-01-01,yearly,${dayFromNow(80)},active,automatic,30 days`],
    HEADINGS,
  )
  await page.goto('/notifications/settings')
  const section = page.getByRole('region', { name: 'Notice Rules' })
  await section.getByRole('button', { name: 'Add Rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Notice Rule' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Our contracts')
  await expectAccessible(page, 'the dialog of a rule', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Save Rule' }).click()
  await expect(dialog).toBeHidden()
  await expect(section.getByRole('listitem').filter({ hasText: 'Our contracts' })).toBeVisible()
  await section.getByRole('button', { name: 'Add Rule From a Law' }).click()
  const laws = page.getByRole('dialog', { name: 'Add Rule From a Law' })
  await expect(laws.getByText(/This is no legal advice/)).toBeVisible()
  await expectAccessible(page, 'the dialog of laws', '[role=dialog]')
  await laws.getByRole('button', { name: 'Add Rule' }).click()
  await expect(section.getByRole('listitem').filter({ hasText: 'New York: service' })).toBeVisible()
  await section.getByRole('combobox', { name: 'All contracts' }).selectOption('Our contracts')
  await expect(page.getByText('Notice rule chosen')).toBeVisible()
  await expectAccessible(page, 'the settings with rules')
  await expectNoOverflow(page, 'the settings with rules')

  await page.goto('/contracts')
  await page
    .getByRole('link', { name: /Harbor Bakery/ })
    .first()
    .click()
  const notice = page.getByRole('region', { name: 'Notice' })
  await expect(notice.getByText(/60 to 30 days before .* the renewal date/)).toBeVisible()
  await notice.getByRole('combobox', { name: 'Notice rule of this contract' }).selectOption({ index: 3 })
  await expect(notice.getByText(/30 to 15 days before .* the last day for notice/)).toBeVisible()
  await expect(notice.getByText(/New York General Obligations Law 5-903/)).toBeVisible()
  await expectAccessible(page, 'a contract with a notice window')
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoOverflow(page, 'a contract with a notice window')
})

test('a notice that is due is listed, and its letter marked as mailed', async ({ page }) => {
  await startTrial(page)
  const lines = [30, 60].map((days) => `Harbor ${days},1200.00,2025-01-01,yearly,${dayFromNow(days)},active,automatic,`)
  await importContracts(page, lines, HEADINGS)
  await page.goto('/notices')
  await expect(page.getByText('No notices are due')).toBeVisible()
  await page.getByRole('link', { name: 'Notice Rules' }).click()
  await page.getByRole('button', { name: 'Add Rule' }).click()
  const rule = page.getByRole('dialog', { name: 'Add Notice Rule' })
  await rule.getByRole('textbox', { name: 'Name' }).fill('Our contracts')
  await rule.getByRole('textbox', { name: 'From' }).fill('40')
  await rule.getByRole('textbox', { name: 'Until' }).fill('10')
  await rule.getByRole('button', { name: 'Save Rule' }).click()
  await page.getByRole('combobox', { name: 'All contracts' }).selectOption('Our contracts')
  await page
    .getByRole('navigation', { name: 'Reminders and notifications' })
    .getByRole('link', { name: 'Notices' })
    .click()
  await expect(page.getByText('2 contracts: $2,400.00 depends on these notices')).toBeVisible()
  await expectAccessible(page, 'the notices')
  await page.getByRole('button', { name: 'Mark as Mailed: Harbor 30' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as Mailed' })
  await dialog.getByRole('textbox', { name: 'Number of certified mail' }).fill('7020 1810 0000 1234 5678')
  await expectAccessible(page, 'the dialog of a letter', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Mark as Mailed' }).click()
  await expect(page.getByText('1 contract: $1,200.00 depends on these notices')).toBeVisible()
  await page.getByRole('tab', { name: 'Given' }).click()
  await expect(page.getByText(/Letter mailed on .*, certified mail 7020 1810 0000 1234 5678/)).toBeVisible()
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoOverflow(page, 'the notices that were given')
})
