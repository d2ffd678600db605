import { importContracts } from './support/contracts.ts'
import { dayFromNow, expect, pressUntilVisible, test } from './support/journey.ts'
import { expectAccessible } from './support/axe.ts'
import { sessionToken, startTrialUnseen } from './support/sessions.ts'

test('the pages of a list are stepped through by j and k, and a value edited in two tabs is chosen', async ({
  page,
}) => {
  await startTrialUnseen(page)
  const lines = [
    `Harbor Bakery,100.00,2025-01-01,monthly,${dayFromNow(40)},active`,
    `Late Motors,50.00,2025-01-01,monthly,${dayFromNow(50)},active`,
  ]
  await importContracts(page, lines)
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  await page.goto('/contracts?status=active')
  await page.getByRole('row', { name: /Harbor Bakery/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Harbor Bakery' })).toBeVisible()
  await pressUntilVisible(page, ['j'], page.getByRole('heading', { level: 1, name: 'Late Motors' }))
  await page.reload()
  await expect(page.getByText('2 of 2')).toBeVisible()
  await pressUntilVisible(page, ['k'], page.getByRole('heading', { level: 1, name: 'Harbor Bakery' }))

  await page.getByRole('button', { name: 'Edit Title: None' }).press('Enter')
  const [, id] = /contracts\/(\d+)/.exec(page.url()) ?? []
  const elsewhere = await page.request.put(`/contracts/${id}`, { headers, data: { title: 'Website' } })
  expect(elsewhere.status()).toBe(200)
  await page.keyboard.type('Shop')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved meanwhile: Website')).toBeVisible()
  await expectAccessible(page, 'the choice between two values')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Edit Title: Shop' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/contracts\?.*status=active/)
})

test('a contract and its customer say what comes next, and what is scheduled and sent from there is on both', async ({
  page,
}) => {
  await startTrialUnseen(page)
  await importContracts(page, [`Harbor Bakery,100.00,2025-01-01,monthly,${dayFromNow(40)},active`])
  await page.goto('/contracts')
  await page.getByRole('row', { name: /Harbor Bakery/ }).click()
  const next = page.getByRole('region', { name: 'What comes next' })
  await expect(next.getByText('40 days left')).toBeVisible()

  await page.getByRole('button', { name: 'Edit Amount From Next Term: Stays the same' }).press('Enter')
  await page.keyboard.type('120')
  await page.keyboard.press('Enter')
  const scheduled = next.getByText('Next term: $120.00, monthly')
  await scheduled.focus()
  await expect(page.getByRole('tooltip')).toHaveText(/^Scheduled for the term that begins on .*Now \$100\.00, monthly$/)
  await expectAccessible(page, 'a contract with a scheduled change')
  await next.getByRole('button', { name: 'Renew', exact: true }).click()
  await expect(page.getByText('$120.00, monthly (+$20.00)')).toBeVisible()
  await next.getByRole('button', { name: 'Undo Last Decision' }).click()
  await expect(scheduled).toBeVisible()

  await page.getByRole('link', { name: 'Harbor Bakery' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Harbor Bakery' })).toBeVisible()
  await expect(next.getByText('40 days left')).toBeVisible()
  const messages = page.getByRole('region', { name: 'Messages' })
  await expect(messages.getByText(/30 days before renewal/).first()).toBeVisible()
  await expectAccessible(page, 'a customer with what comes next')

  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  const company = await page.request.put('/account/company', { headers, data: { name: 'Mill & Sons' } })
  expect(company.status()).toBe(200)
  await page.getByRole('button', { name: 'Edit Email: No email' }).press('Enter')
  await page.keyboard.type('orders@harbor.test')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Customer updated successfully!')).toBeVisible()
  await next.getByRole('button', { name: 'Send Reminder: Harbor Bakery' }).click()
  await page
    .getByRole('status')
    .filter({ hasText: 'goes out in 10 seconds' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(page.getByText('The reminder will not be sent')).toBeVisible()
  await expect(messages.getByText(/Manual reminder/)).toBeVisible()
})
