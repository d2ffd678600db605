import { readFile } from 'node:fs/promises'
import { importContracts } from './support/contracts.ts'
import { expectAccessible, expectNoOverflow } from './support/axe.ts'
import { dayFromNow, expect, test } from './support/journey.ts'
import { sessionToken, startTrialUnseen } from './support/sessions.ts'

const HEADINGS = 'Customer Name,Amount,Start Date,Renewal Cycle,Renewal Date,Status,Renews,Notice Period'

test('a rule is made, one is taken over from a law, and a contract shows its window', async ({ page }) => {
  await startTrialUnseen(page)
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
  await section.getByRole('button', { name: 'Add From a Law' }).click()
  const laws = page.getByRole('dialog', { name: 'Add From a Law' })
  await expect(laws.getByText(/This is not legal advice/)).toBeVisible()
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
  await startTrialUnseen(page)
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
  await expect(page.getByText('$2,400.00 in 2 contracts depends on these notices')).toBeVisible()
  await expectAccessible(page, 'the notices')
  await page.getByRole('button', { name: 'Mark as Mailed: Harbor 30' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as Mailed' })
  await dialog.getByRole('textbox', { name: 'Certified mail number' }).fill('7020 1810 0000 1234 5678')
  await expectAccessible(page, 'the dialog of a letter', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Mark as Mailed' }).click()
  await expect(page.getByText('$1,200.00 in 1 contract depends on these notices')).toBeVisible()
  await page.getByRole('tab', { name: 'Given' }).click()
  await expect(page.getByText(/Letter mailed on .*, certified mail 7020 1810 0000 1234 5678/)).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Certificate: letter to Harbor 30' }).click()
  const certificate = await downloading
  await expectAccessible(page, 'the notices that were given')
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoOverflow(page, 'the notices that were given')

  await page.goto('/verify')
  await page.getByLabel('Certificate', { exact: true }).setInputFiles(await certificate.path())
  await expect(page.getByText('Genuine')).toBeVisible()
  await expect(page.getByText('Letter: marked as mailed by the sender')).toBeVisible()
})

test('a window that closes without notice is warned of, and its letter is downloaded, mailed and in the ledger', async ({
  page,
}, testInfo) => {
  test.setTimeout(600_000)
  await startTrialUnseen(page)
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  const put = (url: string, data: object) => page.request.put(url, { headers, data })
  const methods = { email: false, inApp: true }
  const settings = {
    enableNotifications: true,
    reminderDays: [],
    followUpDays: [],
    notificationMethods: methods,
    hour: 0,
  }
  expect((await put('/notifications/settings', settings)).ok()).toBe(true)
  expect((await put('/account/company', { name: 'Alder Supplies', postalAddress: '400 Commerce Way' })).ok()).toBe(true)
  const customer = { name: 'Harbor Bakery', address: '12 Quay Street\nBuffalo, NY 14202' }
  expect((await page.request.post('/customers', { headers, data: customer })).ok()).toBe(true)
  await importContracts(page, [`Harbor Bakery,1200.00,2025-01-01,yearly,${dayFromNow(30)},active,automatic,`], HEADINGS)
  const rule = {
    name: 'Ours',
    unit: 'days',
    from: 40,
    until: 28,
    countedFrom: 'renewal_date',
    means: ['email', 'letter'],
  }
  const made = await (await page.request.post('/notice-rules', { headers, data: rule })).json()
  expect((await put('/notice-rules/chosen', { rule: made.id })).ok()).toBe(true)

  const warning = page.getByText(
    /^Closes in 2 days\. You turned off emails about this renewal date\. Turn emails about it back on, or mail a letter\.$/,
  )
  await expect(async () => {
    await page.goto('/notices')
    await expect(warning).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 150_000 })
  await expectAccessible(page, 'a notice that is warned of')
  await page.screenshot({ path: testInfo.outputPath('notices.png'), fullPage: true })
  await page.goto('/notifications')
  await expect(page.getByText('Harbor Bakery has not been told yet')).toBeVisible()
  await page.getByText('Harbor Bakery has not been told yet').click()
  await expect(page).toHaveURL(/\/contracts/)

  await page.setViewportSize({ width: 390, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/notices')
  await expect(warning).toBeVisible()
  await expectNoOverflow(page, 'a notice that is warned of, on a phone')
  await page.screenshot({ path: testInfo.outputPath('notices-phone-dark.png'), fullPage: true })
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Letter: Harbor Bakery' }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/^traxx-notice-\d+\.pdf$/)
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
  await page.getByRole('link', { name: 'Harbor Bakery' }).click()
  const section = page.getByRole('region', { name: 'Notice' })
  await expect(section.getByText(/^Closes in 2 days/)).toBeVisible()
  await expectNoOverflow(page, 'a contract that is warned of, on a phone')
  await section.scrollIntoViewIfNeeded()
  await page.screenshot({ path: testInfo.outputPath('contract-phone-dark.png') })
  await section.getByRole('button', { name: 'Mark as Mailed: Harbor Bakery' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as Mailed' })
  await dialog.getByRole('textbox', { name: 'Certified mail number' }).fill('7020 1810')
  await dialog.getByRole('button', { name: 'Mark as Mailed' }).click()
  await expect(section.getByText(/^Notice was given\. Letter mailed on .*, certified mail 7020 1810$/)).toBeVisible()

  await page.goto('/reminders?tab=ledger')
  await expect(page.getByText('Customer, by letter')).toBeVisible()
  await expect(page.getByText('Mailed', { exact: true })).toBeVisible()
  await expectNoOverflow(page, 'a letter in the ledger, on a phone')
  await page.screenshot({ path: testInfo.outputPath('ledger-phone-dark.png') })
  await page.getByRole('button', { name: 'Harbor Bakery' }).click()
  await expect(page.getByRole('dialog', { name: 'Message Details' }).getByText('7020 1810')).toBeVisible()
})

test('a contract without what a law counts from is listed as such until it is filled in', async ({
  page,
}, testInfo) => {
  await startTrialUnseen(page)
  await importContracts(page, [`Harbor Bakery,1200.00,2025-01-01,yearly,${dayFromNow(80)},active,automatic,`], HEADINGS)
  await page.goto('/notifications/settings')
  const section = page.getByRole('region', { name: 'Notice Rules' })
  await section.getByRole('button', { name: 'Add From a Law' }).click()
  await page.getByRole('dialog', { name: 'Add From a Law' }).getByRole('button', { name: 'Add Rule' }).click()
  await section.getByRole('combobox', { name: 'All contracts' }).selectOption({ index: 1 })
  await expect(page.getByText('Notice rule chosen')).toBeVisible()

  await page.goto('/notices')
  await expect(page.getByText('No other notices are due')).toBeVisible()
  await expect(page.getByText(/Data is missing for 1 contract with a notice rule/)).toBeVisible()
  await expectAccessible(page, 'notices of which one cannot be computed')
  await page.screenshot({ path: testInfo.outputPath('hint.png'), fullPage: true })
  await page.getByRole('link', { name: 'Show what is missing' }).click()
  await expect(page).toHaveURL(/show=incomplete/)
  const list = page.getByRole('list', { name: 'Missing data' })
  await expect(list.getByText(/the contract has no notice period\. Add its notice period\.$/)).toBeVisible()
  await expectAccessible(page, 'the contracts with missing data')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoOverflow(page, 'the contracts with missing data, on a phone')
  await page.screenshot({ path: testInfo.outputPath('incomplete-phone-dark.png'), fullPage: true })
  await page.goto('/notices')
  await expect(page.getByText(/Data is missing for/)).toBeVisible()
  await page.screenshot({ path: testInfo.outputPath('hint-phone-dark.png'), fullPage: true })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('link', { name: 'Show what is missing' }).click()
  await page.screenshot({ path: testInfo.outputPath('incomplete.png'), fullPage: true })
  await list.getByRole('link', { name: 'Harbor Bakery' }).click()
  const notice = page.getByRole('region', { name: 'Notice' })
  await expect(notice.getByText(/^The notice window cannot be computed: .* Add its notice period\.$/)).toBeVisible()
  await page.getByRole('button', { name: 'Edit Notice Period: None' }).press('Enter')
  await page.getByRole('textbox', { name: 'Notice Period' }).fill('30 days')
  await page.getByRole('textbox', { name: 'Notice Period' }).press('Enter')
  await expect(notice.getByText(/^The customer must be told between /)).toBeVisible()
})

test('where a law counts only some ways of delivering a letter, it is asked which it was', async ({
  page,
}, testInfo) => {
  await startTrialUnseen(page)
  await importContracts(
    page,
    [`Harbor Bakery,1200.00,2025-01-01,yearly,${dayFromNow(50)},active,automatic,30 days`],
    HEADINGS,
  )
  await page.goto('/notifications/settings')
  const section = page.getByRole('region', { name: 'Notice Rules' })
  await section.getByRole('button', { name: 'Add From a Law' }).click()
  await page.getByRole('dialog', { name: 'Add From a Law' }).getByRole('button', { name: 'Add Rule' }).click()
  await section.getByRole('combobox', { name: 'All contracts' }).selectOption({ index: 1 })
  await expect(page.getByText('Notice rule chosen')).toBeVisible()

  await page.goto('/notices')
  await page.getByRole('button', { name: 'Mark as Mailed: Harbor Bakery' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as Mailed' })
  await expect(dialog.getByText(/^The law requires: In writing, served personally or by certified mail/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Mark as Mailed' }).click()
  await expect(dialog.getByText('Choose one')).toBeVisible()
  await expectAccessible(page, 'the dialog of a letter by a law', '[role=dialog]')
  await page.screenshot({ path: testInfo.outputPath('delivery.png') })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 800 })
  await dialog.getByRole('radio', { name: 'Sent by certified mail' }).check()
  await expect(dialog.getByText('Enter the number of the mail')).toBeVisible()
  await expectNoOverflow(page, 'the dialog of a letter by a law, on a phone')
  await page.screenshot({ path: testInfo.outputPath('delivery-phone.png') })
  await dialog.getByRole('radio', { name: 'Handed over in person' }).check()
  await dialog.getByRole('button', { name: 'Mark as Mailed' }).click()
  await page.getByRole('tab', { name: 'Given' }).click()
  await expect(page.getByText(/^Letter handed over in person on /)).toBeVisible()
})
