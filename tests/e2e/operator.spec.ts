import type { Browser } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { DEMO, expect, OPERATOR_TOKEN, signInWithForm, test } from './support/journey.ts'

/** The operator's own browser. */
async function anOperator(browser: Browser, baseURL: string, width: number) {
  const httpCredentials = { username: 'operator', password: OPERATOR_TOKEN }
  const context = await browser.newContext({ baseURL, httpCredentials, viewport: { width, height: 800 } })
  return context.newPage()
}

test('an operator looks up an account and suspends it, which its owner reads, and ends that again', async ({
  browser,
  page,
  app,
}) => {
  const operator = await anOperator(browser, app.url, 390)

  await test.step('find the account', async () => {
    await expect(async () => {
      await operator.goto('/operator')
      await expect(operator.getByRole('cell', { name: 'send-reminders' })).toBeVisible({ timeout: 1000 })
    }).toPass()
    await expectAccessible(operator, 'the overview')
    await operator.getByRole('searchbox').fill('demo@')
    await operator.keyboard.press('Enter')
    await operator.getByRole('row', { name: DEMO.email }).getByRole('link').click()
    await expect(operator.getByText(DEMO.email)).toBeVisible()
  })

  await test.step('suspend it', async () => {
    await operator.getByLabel('Reason, which the owner will read').fill('Reported as fraud')
    await operator.getByRole('button', { name: 'Suspend' }).click()
    await expect(operator.getByText(/: Reported as fraud$/)).toBeVisible()
    await expectAccessible(operator, 'a suspended account')
    const width = await operator.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(390)
  })

  await test.step('the owner reads why, and can change nothing', async () => {
    await page.goto('/sign-in')
    await signInWithForm(page, DEMO)
    await page.waitForURL('**/dashboard')
    await page.goto('/customers')
    await expect(page.getByRole('alert').filter({ hasText: 'Your account is suspended' })).toContainText(
      'Reported as fraud',
    )
    await page.getByRole('button', { name: 'Add Customer' }).first().click()
    await expect(page.getByText('We have suspended this account, so TRAXX is read-only')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('the suspension ends', async () => {
    await operator.getByRole('button', { name: 'End suspension' }).click()
    await expect(operator.getByRole('button', { name: 'Suspend' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('alert').filter({ hasText: 'suspended' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Add Customer' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Harbor Bakery')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Customer added successfully!')).toBeVisible()
  })
})
