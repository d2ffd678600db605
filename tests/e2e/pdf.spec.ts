import type { Page, Route } from '@playwright/test'
import { toDay } from '#shared/domain/day.ts'
import { agreementPdf } from '#standins/demo/demo-pdf.ts'
import { aPdf } from '#support/pdf.ts'
import { DEMO, expect, test } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

const TERMS = { amount: 1200, renewalCycle: 'yearly', startDate: toDay('2026-01-15'), renewalDate: toDay('2027-01-15') }

/** A file that says it is a PDF, and is one unless it is given other content. */
function aFile(customerName: string, buffer = agreementPdf({ ...TERMS, customerName })) {
  return { name: `${customerName}.pdf`, mimeType: 'application/pdf', buffer }
}

/** The first row of the contracts page without a PDF, signed in. It stays where it is when it gets one. */
async function openRow(page: Page) {
  await signIn(page, DEMO)
  await page.goto('/contracts')
  const rows = page.locator('tbody').getByRole('row')
  const isFree = async (index: number) =>
    (await rows
      .nth(index)
      .getByRole('button', { name: /^Upload PDF/ })
      .count()) > 0
  await page
    .getByRole('button', { name: /^Upload PDF/ })
    .first()
    .waitFor()
  let index = 0
  while (!(await isFree(index))) index += 1
  return rows.nth(index)
}

type Place = Awaited<ReturnType<typeof openRow>>

async function choose(page: Page, place: Place, file: ReturnType<typeof aFile>) {
  const asked = page.waitForEvent('filechooser')
  await place.getByRole('button', { name: /^(Upload|Replace) PDF/ }).click()
  await (await asked).setFiles(file)
}

/** Moves a file over a place, and lets it go there. */
async function drop(page: Page, place: Place, { name, buffer }: ReturnType<typeof aFile>) {
  const dataTransfer = await page.evaluateHandle(
    ({ bytes, called }) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], called))
      return transfer
    },
    { bytes: [...buffer], called: name },
  )
  // Again and again, as a mouse does it: the first may come before the app can hear of it.
  await expect(async () => {
    await place.dispatchEvent('dragover', { dataTransfer })
    await expect(page.getByText(/^Drop to (attach|replace) the PDF$/)).toBeVisible({ timeout: 500 })
  }).toPass()
  await place.dispatchEvent('drop', { dataTransfer })
  await expect(page.getByText(/^Drop to/)).toHaveCount(0)
}

/** What the new tab shows: the PDF as it was fetched for it. */
async function viewed(page: Page, place: Place): Promise<string> {
  const { promise: content, resolve } = Promise.withResolvers<string>()
  const passOn = async (route: Route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    resolve(await response.text())
    await route.fulfill({ response })
  }
  await page.route('**/contracts/*/pdf', passOn)
  const opened = page.context().waitForEvent('page')
  await place.getByRole('button', { name: /^View PDF/ }).click()
  const tab = await opened
  await tab.waitForURL(/^blob:/)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.unroute('**/contracts/*/pdf', passOn)
  await tab.close()
  return content
}

/** What was said of an earlier one may still be there. */
async function stored(page: Page, sent: () => Promise<void>) {
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/pdf') && response.request().method() === 'POST',
  )
  await sent()
  expect(await (await answered).json()).toHaveProperty('pdfPath')
  await said(page, 'PDF uploaded successfully')
}

const said = (page: Page, text: string) => expect(page.getByText(text, { exact: true }).last()).toBeVisible()

test('a PDF is uploaded, viewed in a new tab, replaced and deleted', async ({ page }) => {
  const row = await openRow(page)
  await choose(page, row, aFile('First'))
  await said(page, 'PDF uploaded successfully')
  expect(await viewed(page, row)).toContain('Customer: First')

  await stored(page, () => choose(page, row, aFile('Second')))
  expect(await viewed(page, row)).toContain('Customer: Second')

  await choose(page, row, aFile('Page', Buffer.from('<html>')))
  await said(page, 'Please select a PDF file')
  expect(await viewed(page, row)).toContain('Customer: Second')

  await row.getByRole('button', { name: /^Delete PDF/ }).click()
  await said(page, 'PDF deleted successfully')
  await expect(row.getByRole('button', { name: /^Upload PDF/ })).toBeFocused()
  const deleted = page.getByRole('status').filter({ hasText: 'PDF deleted successfully' })
  await deleted.getByRole('button', { name: 'Undo' }).click()
  await said(page, 'PDF restored')
  expect(await viewed(page, row)).toContain('Customer: Second')
})

test('a PDF is dropped on its row and on its page', async ({ page }) => {
  const row = await openRow(page)
  await drop(page, row, aFile('First'))
  await said(page, 'PDF uploaded successfully')
  expect(await viewed(page, row)).toContain('Customer: First')

  await row.getByRole('cell').first().getByRole('link').click()
  const details = page.getByRole('group', { name: 'PDF' })
  await expect(details).toContainText('PDF attached')
  await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
  await stored(page, () => drop(page, details, aFile('Second')))
  expect(await viewed(page, details)).toContain('Customer: Second')
})

test('a long upload shows how far it is, and is cancelled by the keyboard', async ({ page, context }) => {
  const row = await openRow(page)
  const line = await context.newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 }
  await line.send('Network.emulateNetworkConditions', slow)
  await choose(page, row, aFile('Long', aPdf(8_000_000)))
  const bar = row.getByRole('progressbar', { name: /^PDF upload for the contract with/ })
  await expect.poll(async () => Number(await bar.getAttribute('value'))).toBeGreaterThan(0.01)
  await expect(row.getByText(/^\d+%$/)).toBeVisible()
  await expect(row.getByRole('button', { name: /^Cancel/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row.getByRole('button', { name: /^Upload PDF/ })).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'PDF upload canceled' })).toBeAttached()
})
