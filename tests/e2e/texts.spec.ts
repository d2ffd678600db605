import { expectAccessible, expectNoOverflow } from './support/axe.ts'
import { DEMO, expect, test } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

test('a text is written, looked at, tried, saved, and is what customers then read', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/notifications/settings')
  await page.getByRole('link', { name: 'Templates', exact: true }).click()
  const subject = page.getByRole('textbox', { name: 'Subject' })
  await subject.fill('{{customer}}, {{wen}}')
  await expect(page.getByText(/^{{wen}} is not a variable here/)).toBeVisible()
  await subject.fill('A word to ')
  await page.getByRole('button', { name: /^Insert {{customer}}/ }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByText(/^A word to \w/)).toBeVisible()
  const letter = page.frameLocator('iframe')
  await expect(letter.getByText(/^Hello /)).toBeVisible()
  await preview.getByLabel('For customer').fill('bluebird')
  await page.getByRole('option', { name: /^Bluebird Bakery/ }).click()
  await expect(preview.getByText('What Bluebird Bakery would receive 7 days before renewal.')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 800 })
  await expectNoOverflow(page, 'the texts on a phone')
  await page.getByRole('tab', { name: 'Automatic renewal' }).click()
  await expect(letter.getByText(/^If you do not want it to renew, please tell us by /)).toBeVisible()
  await page.getByRole('tab', { name: 'Renewal by agreement (not saved)' }).click()
  await page.getByRole('button', { name: 'Send Me a Test' }).click()
  await expect(page.getByText(`Test sent to ${DEMO.email}`)).toBeVisible()
  await page.getByRole('button', { name: 'Save Template' }).click()
  await expect(page.getByText('Template saved successfully!')).toBeVisible()
  await page.reload()
  await expect(subject).toHaveValue('A word to {{customer}}')

  await page.goto('/dev/mailbox')
  await page.getByRole('link', { name: /^Test: A word to/ }).click()
  for (const title of ['The message in light mode', 'The message in dark mode']) {
    await expect(page.frameLocator(`iframe[title="${title}"]`).getByText(/^Hello /)).toBeVisible()
  }
  await expectAccessible(page, 'the development mailbox')
  await expectNoOverflow(page, 'the development mailbox on a phone')
})
