import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectNothingSerious, expectNoOverflow } from './support/axe.ts'
import { DEMO, expect, test } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

const MESSAGE = 'Manual reminder'

test('what was sent to a customer is proved by a file that anybody verifies', async ({ page, browser, app }) => {
  await signIn(page, DEMO)
  const file = await certificateOf(page)
  const stranger = await browser.newPage({ baseURL: app.url, viewport: { width: 390, height: 844 } })
  await stranger.goto('/verify')
  await verify(stranger, file)
  await expect(stranger.getByText('Genuine', { exact: true })).toBeVisible()
  await expect(stranger.getByRole('list', { name: 'Records' })).toContainText('Email accepted by the mail server')
  await expectNoOverflow(stranger, 'a verified certificate')
  await expectNothingSerious(stranger, 'a verified certificate')
  await verify(stranger, Buffer.from(file.toString('latin1').replace('/Producer', '/Producex'), 'latin1'))
  await expect(stranger.getByText('Changed', { exact: true })).toBeVisible()
  await stranger.close()
})

/** Sends a reminder by hand, and downloads its certificate once it went out. */
async function certificateOf(page: Page): Promise<Buffer> {
  await page.goto('/dashboard')
  const rows = page.getByRole('region', { name: 'Contracts Requiring Attention' }).getByRole('row')
  await rows
    .getByRole('button', { name: /^Send Reminder/ })
    .first()
    .click()
  // The request would be cut off by leaving the page at once.
  await expect(page.getByText(/^Reminder to .* goes out in 10 seconds$/)).toBeVisible()
  const row = page
    .getByRole('row')
    .filter({ hasText: MESSAGE })
    .filter({ hasText: /Sent|Delivered/ })
  await expect(async () => {
    await page.goto('/reminders?tab=ledger')
    await expect(row.first()).toBeVisible({ timeout: 3000 })
  }).toPass()
  await row.first().getByRole('button').first().click()
  const downloading = page.waitForEvent('download')
  await page
    .getByRole('dialog', { name: 'Message Details' })
    .getByRole('button', { name: /^Certificate/ })
    .click()
  return readFile(await (await downloading).path())
}

async function verify(page: Page, buffer: Buffer): Promise<void> {
  const name = 'certificate.pdf'
  await page.getByLabel('Certificate', { exact: true }).setInputFiles({ name, mimeType: 'application/pdf', buffer })
}
