import type { Page } from '@playwright/test'
import { expectNothingSerious } from './support/axe.ts'
import { DEMO, expect, test } from './support/journey.ts'
import { layoutShifts, watchLayout } from './support/layout-shifts.ts'
import { signIn } from './support/sessions.ts'

/** Nothing goes out before a test lets it, however slow the machine is. */
const HELD = { JOBS: 'off' }
let isHeld = false

test.beforeAll(async ({ app }) => {
  await app.restart('SIGINT', HELD)
  isHeld = true
})
test.afterAll(async ({ app }) => {
  if (isHeld) await app.restart()
})

/** Customers of the demo for whom a press is refused. */
const WANT_NO_MAIL = /Kessler Auto Repair|Stone Bridge Church/

const rowsOf = (page: Page) => page.getByRole('region', { name: 'Contracts Requiring Attention' }).getByRole('row')

test('a reminder is looked at before it is sent, and undone after', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  const row = rowsOf(page).nth(3)
  await row.getByRole('button', { name: /^Preview the reminder/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Reminder Preview' })
  await expect(dialog.getByText(/^To .*@/)).toBeVisible()
  await dialog.getByText('Text only').click()
  await expect(dialog.getByText('/unsubscribe/example')).toBeVisible()
  await dialog.getByRole('button', { name: 'Send Reminder' }).click()
  await expect(dialog).toBeHidden()
  await expect(row.getByRole('button', { name: /^On Its Way/ })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).dblclick()
  await expect(page.getByText('The reminder will not be sent')).toBeVisible()
  await expect(row.getByRole('button', { name: /^Send Reminder/ })).toBeVisible()
  await expect(page.getByText('already sent or skipped')).toHaveCount(0)
})

test('a dashboard that cannot be refreshed says so, and moves nothing', async ({ page }) => {
  await signIn(page, DEMO)
  await watchLayout(page)
  await page.goto('/dashboard')
  await expect(rowsOf(page).nth(1)).toBeVisible()
  const before = await places(page)
  await page.route('**/trpc/**', (route) => route.abort())
  const alert = page.getByRole('alert')
  // What the browser tells a page whose connection comes back, which then asks again for what is not quite new.
  await expect(async () => {
    await page.evaluate(() => ['offline', 'online'].forEach((name) => dispatchEvent(new Event(name))))
    await expect(alert).toBeVisible({ timeout: 500 })
  }).toPass()
  expect(await places(page)).toEqual(before)
  expect(await layoutShifts(page)).toEqual([])
  await page.unroute('**/trpc/**')
  await alert.getByRole('button', { name: 'Retry' }).click()
  await expect(alert).toBeHidden()
})

test('on a phone, one reminder after the other can be sent, and only the latest toast covers the page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  const toSend = rowsOf(page)
    .filter({ hasNotText: WANT_NO_MAIL })
    .getByRole('button', { name: /^Send Reminder/ })
  await expect(toSend.nth(3)).toBeVisible()
  const count = await toSend.count()
  const toasts = page.locator('[data-toast]:visible')
  for (const planned of [1, 2, 3, 4]) {
    await toSend.first().click()
    await expect(toSend).toHaveCount(count - planned)
    await expect(page.locator('[data-toast]')).toHaveCount(planned)
    await expect(toasts).toHaveCount(1)
    // All toasts stay while the pointer is over one, and then as long as at first.
    await toasts.hover()
  }
  expect((await toasts.boundingBox())?.height).toBeLessThan(100)
  await toasts.getByRole('button', { name: '3 More' }).click()
  await expect(toasts).toHaveCount(4)
  await toasts.getByRole('button', { name: 'Undo' }).first().click()
  // Toasts stay while the pointer is over one.
  await page.getByText('The reminder will not be sent').hover()
  await expectNothingSerious(page, 'toasts', '[data-toast]')
})

test('a double click on Send Reminder mails one customer, also with the tab closed, and moves no row', async ({
  page,
  app,
}) => {
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  const button = rowsOf(page)
    .getByRole('button', { name: /^Send Reminder/ })
    .first()
  await button.scrollIntoViewIfNeeded()
  const label = (await button.getAttribute('aria-label')) ?? ''
  const before = await places(page)
  const waiting = await rowsOf(page)
    .getByRole('button', { name: /^On Its Way/ })
    .count()
  const mailsBefore = new Set((await mails(page)).map(({ id }) => id))
  const newMails = async () => (await mails(page)).filter(({ id }) => !mailsBefore.has(id))
  const box = await button.boundingBox()
  if (!box) throw new Error('The button is not on screen')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.click(x, y)
  await expect(page.getByText(/^Reminder to .* goes out in 10 seconds$/)).toBeVisible()
  expect(await places(page)).toEqual(before)
  await page.mouse.click(x, y)
  await expect(page.getByText(/^The reminder to .* is already on its way$/)).toBeVisible()
  expect(await places(page)).toEqual(before)
  expect(await newMails()).toEqual([])

  await page.goto('about:blank')
  await app.restart()
  isHeld = false
  await expect.poll(async () => (await newMails()).length, { timeout: 60_000 }).toBeGreaterThan(waiting)
  await page.goto('/dashboard')
  // Other messages may have become due meanwhile, but none goes out twice.
  const sentLabel = label.replace('Send Reminder', 'Reminder Sent Today')
  await expect(rowsOf(page).getByRole('button', { name: sentLabel, exact: true })).toBeVisible()
  const sent = (await newMails()).map(({ recipients, subject }) => `${recipients} ${subject}`)
  expect(sent).toEqual([...new Set(sent)])
})

/** Where each row is, by its customer. */
function places(page: Page) {
  return rowsOf(page).evaluateAll((rows) =>
    rows.map((row) => [row.textContent?.slice(0, 20), row.getBoundingClientRect().top]),
  )
}

async function mails(page: Page): Promise<{ id: number; recipients: string; subject: string }[]> {
  const answer = await page.request.get('/dev/mailbox', { headers: { accept: 'application/json' } })
  return answer.json()
}
