import type { Page } from '@playwright/test'
import { totpNow } from '#support/totp.ts'
import { expectAccessible, expectNoOverflow, expectNothingSerious } from './support/axe.ts'
import { DEMO, expect, mailedCode, PASSWORD, test, waitForScripts } from './support/journey.ts'
import { signIn, startTrialUnseen } from './support/sessions.ts'

/** The identity provider's stand-in takes the sign-in of this browser for older than it is. */
async function ageSignIn(page: Page, minutes = 11) {
  const answer = await page.request.post('/__clerk/dev/age-sign-ins', { form: { minutes: String(minutes) } })
  expect(answer.ok()).toBe(true)
}

const confirmation = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" })

test('what is worth protecting takes a recent sign-in: a key, an export, the end of the account', async ({ page }) => {
  const email = await startTrialUnseen(page)
  await ageSignIn(page)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Create Key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Nightly report')
  await page.keyboard.press('Enter')
  await expect(confirmation(page).getByLabel('Password', { exact: true })).toBeFocused()
  await expectNothingSerious(page, 'the question for the password', '[role=dialog]')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Password is incorrect/)).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('API key', { exact: true })).toHaveValue(/^traxx_/)
  await page.getByRole('button', { name: 'Done' }).click()

  await ageSignIn(page)
  await page.reload()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export Everything' }).click()
  await confirmation(page).getByRole('button', { name: 'Email Me a Code' }).click()
  await expect(page.getByLabel('Code from your email')).toBeVisible()
  await page.getByLabel('Code from your email').fill(await mailedCode(page, email))
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toMatch(/^traxx-.*\.zip$/)

  await ageSignIn(page)
  await page.reload()
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(email)
  await page.keyboard.press('Enter')
  await confirmation(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toHaveText("Please confirm it's you. You signed in more than 10 minutes ago")
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Account' }).click()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account-deleted')
})

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Types address and password on the sign-in page. */
async function typePassword(page: Page, email: string, password = PASSWORD) {
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

/** Each code counts once. That of an earlier half minute may no longer count on a slow machine. */
test('two-factor sign-in from the QR code to the backup code, and off again', async ({ page, context }) => {
  const email = await startTrialUnseen(page)
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Security Settings' }).click()
  await page.waitForURL('**/profile/security')
  await expect(card(page, 'Two-factor sign-in')).toContainText('Off')
  await page.getByRole('button', { name: 'Set Up' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await expectNothingSerious(page, 'the QR code', '[role=dialog]')
  const secret = (await dialog.locator('code').textContent())?.replaceAll(' ', '') ?? ''
  await dialog.getByLabel('Authentication code').fill('000000')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Incorrect code')).toBeVisible()
  await dialog.getByLabel('Authentication code').fill(totpNow(secret))
  await page.keyboard.press('Enter')
  const codes = dialog.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expectNothingSerious(page, 'the backup codes', '[role=dialog]')
  const [backupCode = ''] = await codes.allTextContents()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(card(page, 'Two-factor sign-in')).toContainText('On')

  await context.clearCookies()
  await typePassword(page, email)
  await expect(page.getByRole('heading', { name: 'Two-factor sign-in' })).toBeVisible()
  await expectNothingSerious(page, 'the second step of signing in')
  await page.getByLabel('Authentication code').fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Incorrect code')).toBeVisible()
  await page.getByLabel('Authentication code').fill(totpNow(secret, 1))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')

  await context.clearCookies()
  await typePassword(page, email)
  await page.getByRole('button', { name: 'Use a Backup Code' }).click()
  await page.getByLabel('Backup code').fill(backupCode)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')

  await ageSignIn(page)
  await page.goto('/profile/security')
  await page.getByRole('button', { name: 'Turn Off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn Off' }).click()
  await expect(confirmation(page)).toBeVisible()
  await page.getByLabel('Code from your authenticator app').fill(totpNow(secret))
  await page.keyboard.press('Enter')
  await expect(card(page, 'Two-factor sign-in')).toContainText('Off')
})

test('the password is changed, and other browsers are signed out', async ({ page, browser, baseURL }) => {
  const email = await startTrialUnseen(page)
  const others = await Promise.all([1, 2].map(() => browser.newContext({ ...(baseURL && { baseURL }) })))
  others.forEach(waitForScripts)
  const [first, second] = await Promise.all(others.map((context) => context.newPage()))
  if (!first || !second) throw new Error('There are two other browsers')
  await signIn(first, { email })
  await signIn(second, { email })
  await page.goto('/profile/security')
  const sessions = card(page, 'Sessions').getByRole('listitem')
  await expect(sessions).toHaveCount(3)
  await expect(card(page, 'Sessions')).toContainText('This browser')
  await card(page, 'Sessions')
    .getByRole('button', { name: /^Sign Out Chrome/ })
    .first()
    .click()
  await expect(sessions).toHaveCount(2)

  await page.getByLabel('Current password').fill('not the password')
  await page.getByRole('textbox', { name: 'New password' }).fill('a brand new password')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Incorrect password.')).toBeVisible()
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your password was changed')).toBeVisible()
  await expect(sessions).toHaveCount(1)
  for (const elsewhere of [first, second]) {
    await elsewhere.goto('/dashboard')
    await elsewhere.waitForURL(({ pathname }) => pathname.startsWith('/sign-in'))
  }
  await typePassword(first, email)
  await expect(first.getByText(/Password is incorrect/)).toBeVisible()
  await signIn(second, { email, password: 'a brand new password' })
  for (const context of others) await context.close()
})

test('axe finds nothing serious on the page of security, and it fits a phone', async ({ page }) => {
  await signIn(page, DEMO)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/profile/security')
  await expect(card(page, 'Sessions').getByRole('listitem').first()).toBeVisible()
  await expectAccessible(page, 'security')
  await expectNoOverflow(page, 'security')
})
