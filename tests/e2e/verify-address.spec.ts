import type { Page } from '@playwright/test'
import { expectNothingSerious, expectNoOverflow } from './support/axe.ts'
import { anEmail, expect, mailedCode, test } from './support/journey.ts'
import { signUpOnly, startTrialUnseen, unverifyAddress } from './support/sessions.ts'

async function enterCode(page: Page, email: string) {
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(page.getByText(`We sent a code to ${email}`)).toBeVisible()
  await expect(page.getByLabel('Verification code')).toBeFocused()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Incorrect code')).toBeVisible()
  await page.getByLabel('Verification code').fill(await mailedCode(page, email))
  await page.keyboard.press('Enter')
}

test('a trial begins once the address is verified, on the page that asked for it', async ({ page }) => {
  const email = anEmail()
  const token = await signUpOnly(page, email)
  await unverifyAddress(page, token)
  await page.goto('/checkout')
  await page.getByRole('button', { name: 'Start Free Trial' }).click()
  await expect(page.getByRole('heading', { name: 'Verify your email address first' })).toBeVisible()
  await expectNothingSerious(page, 'the checkout that asks for a verified address')
  await page.setViewportSize({ width: 390, height: 800 })
  await expectNoOverflow(page, 'the checkout that asks for a verified address')
  await enterCode(page, email)
  await page.getByRole('button', { name: 'Start Free Trial' }).click()
  await page.waitForURL('**/__stripe/checkout/**')
})

test('an address is verified from the banner on any screen, or under Security', async ({ page }) => {
  const email = await startTrialUnseen(page)
  const token = (await page.context().cookies()).find(({ name }) => name === '__session')?.value ?? ''
  await unverifyAddress(page, token)
  await page.goto('/profile/security')
  const card = page.getByRole('region', { name: 'Email address', exact: true })
  await expect(card.getByText('Not verified')).toBeVisible()
  await page.goto('/contracts')
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Verify your email address' })).toBeVisible()
  await expectNothingSerious(page, 'the form for the code', '[role=dialog]')
  await enterCode(page, email)
  await expect(page.getByText('Your email address is verified')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.goto('/profile/security')
  await expect(card.getByText('Verified', { exact: true })).toBeVisible()
})
