import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible, expectNoOverflow } from './support/axe.ts'
import { DEMO, expect, test, waitForScripts } from './support/journey.ts'
import { signIn, startTrialUnseen } from './support/sessions.ts'

async function exportedArchive(page: Page): Promise<Buffer> {
  await page.goto('/profile')
  const save = page.getByRole('button', { name: 'Export Everything' })
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
  return readFileSync(await download.path())
}

test('an account is exported, and imported into a new one with the same figures', async ({ page, browser }) => {
  await signIn(page, DEMO)
  const archive = await exportedArchive(page)
  await page.goto('/dashboard')
  const revenue = await page.getByText('Total Revenue', { exact: true }).locator('xpath=..').innerText()

  await using other = await browser.newContext()
  waitForScripts(other)
  const fresh = await other.newPage()
  await startTrialUnseen(fresh)
  await fresh.setViewportSize({ width: 390, height: 780 })
  await fresh.goto('/profile')
  await fresh.getByRole('button', { name: 'Import an Archive' }).press('Enter')
  const dialog = fresh.getByRole('dialog', { name: 'Import an Archive' })
  const choose = (name: string, buffer: Buffer) =>
    dialog.getByLabel('Archive to import').setInputFiles({ name, mimeType: 'application/zip', buffer })
  await expectAccessible(fresh, 'choosing an archive', '[role=dialog]')

  await choose('other.zip', Buffer.from('not a zip file'))
  await dialog.getByRole('button', { name: 'Check Archive' }).press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('This file cannot be read as a zip archive')

  await choose('traxx.zip', archive)
  await dialog.getByRole('button', { name: 'Check Archive' }).click()
  await expect(dialog.getByRole('row', { name: 'Contracts 120', exact: true })).toBeVisible()
  await expect(dialog.getByText(/API keys, billing, notifications/)).toBeVisible()
  await expectAccessible(fresh, 'what an archive brings', '[role=dialog]')
  await expectNoOverflow(fresh, 'what an archive brings')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog.getByText('Please choose one')).toBeVisible()
  await dialog.getByLabel('Do not send emails about the current renewal dates').check()
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()

  await expect(dialog.getByText(/^Imported \d+ customers and 120 contracts\.$/)).toBeVisible()
  await expectAccessible(fresh, 'an imported archive', '[role=dialog]')
  await dialog.getByRole('link', { name: 'Go to Dashboard' }).click()
  await fresh.waitForURL('**/dashboard')
  await expect(fresh.getByText('Total Revenue', { exact: true }).locator('xpath=..')).toHaveText(revenue)

  await fresh.goto('/profile')
  await fresh.getByRole('button', { name: 'Import an Archive' }).click()
  await expect(dialog.getByRole('alert')).toContainText('that has no customers or contracts')
})
