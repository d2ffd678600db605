import type { Page } from '@playwright/test'
import { expectNoOverflow, expectNothingSerious } from './support/axe.ts'
import { DEMO, expect, PASSWORD, test } from './support/journey.ts'
import { signIn, startTrialUnseen } from './support/sessions.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function statusWith(page: Page, key: string) {
  const answer = await page.request.get('/customers', { headers: { authorization: `Bearer ${key}` } })
  return answer.status()
}

async function makeKey(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create Key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Nightly report')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'You will not be able to see it again' })).toBeVisible()
  const key = await page.getByLabel('API key', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await expectNothingSerious(page, 'a new key', '[role=dialog]')
  await page.getByRole('button', { name: 'Done' }).click()
  return key
}

test('from the first API key to the end of the account', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const email = await startTrialUnseen(page)
  await page.goto('/profile')

  const key = await makeKey(page)
  expect(await statusWith(page, key)).toBe(200)
  await page.reload()
  await expect(card(page, 'API keys')).toContainText(/Nightly report.*last used/)
  await expect(page.getByText(key)).toHaveCount(0)
  await page.getByRole('button', { name: 'Revoke Nightly report' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(card(page, 'API keys')).toContainText('You have no API keys.')
  await expect.poll(() => statusWith(page, key)).toBe(401)

  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await zone.fill('tokyo')
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Saved: Asia/Tokyo' })).toBeVisible()
  await page.reload()
  await expect(zone).toHaveValue('Asia/Tokyo')

  await page.getByRole('button', { name: 'Delete Account' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('What is kept, and why')
  const confirm = dialog.getByRole('button', { name: 'Delete Account' })
  await dialog.getByRole('textbox').fill('somebody@example.com')
  await expect(confirm).toBeDisabled()
  await dialog.getByRole('textbox').fill(email)
  await confirm.click()
  await page.waitForURL('**/account-deleted')

  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText("Couldn't find your account.")).toBeVisible()
})

test('axe finds nothing serious in the dialogs of the profile, light and dark, also on a phone', async ({ page }) => {
  await signIn(page, DEMO)
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/profile')
    await page.getByRole('combobox', { name: 'Time zone' }).fill('america')
    await expect(page.getByRole('option', { name: 'America/New York' })).toBeAttached()
    await expectNothingSerious(page, `the time zones, ${colorScheme}`, '[role=listbox]')
    await page.keyboard.press('Escape')
    for (const button of ['Create Key', 'Delete Account']) {
      await page.getByRole('button', { name: button }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectNothingSerious(page, `${button}, ${colorScheme}`, '[role=dialog]')
      await page.keyboard.press('Escape')
      await expect(page.locator('#main').getByRole('button', { name: button })).toBeFocused()
    }
    await expectNoOverflow(page, `the profile, ${colorScheme}`)
  }
})
