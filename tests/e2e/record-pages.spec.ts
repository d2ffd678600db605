import { importContracts, sessionToken } from './support/contracts.ts'
import { dayFromNow, expect, pressUntilVisible, test } from './support/journey.ts'
import { expectAccessible } from './support/axe.ts'
import { startTrial } from './support/sessions.ts'

test('the pages of a list are stepped through by j and k, and a value edited in two tabs is chosen', async ({
  page,
}) => {
  await startTrial(page)
  const lines = [
    `Harbor Bakery,100.00,2025-01-01,monthly,${dayFromNow(40)},active`,
    `Late Motors,50.00,2025-01-01,monthly,${dayFromNow(50)},active`,
  ]
  await importContracts(page, lines)
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  await page.goto('/contracts?status=active')
  await page.getByRole('row', { name: /Harbor Bakery/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Harbor Bakery' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { level: 1, name: 'Late Motors' })).toBeVisible()
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
