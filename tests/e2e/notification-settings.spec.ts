import { expectAccessible } from './support/axe.ts'
import { DEMO, expect, test } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

test('settings are changed with a look at what would change, saved, and still there after a reload', async ({
  page,
}) => {
  await signIn(page, DEMO)
  await page.goto('/notifications')
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page).toHaveURL(/\/notifications\/settings$/)
  await expect(page.getByRole('heading', { name: 'Notification Settings', level: 1 })).toBeVisible()
  await expect(page.getByText('Which reminders go out, when, and to whom')).toBeVisible()
  const save = page.getByRole('button', { name: 'Save Settings' })
  await expect(save).toBeDisabled()
  await page.getByRole('group', { name: 'Renewal reminders' }).getByText('3 days').click()
  await expect(page.getByText(/more messages?/)).toBeVisible()
  await expectAccessible(page, 'what would change', '[aria-label="Notification settings"]')
  await save.click()
  await expect(page.getByText('Notification settings saved successfully!')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('group', { name: 'Renewal reminders' }).getByLabel('3 days')).toBeChecked()
  await expect(save).toBeDisabled()
})

test('the outbox shows what is to come, and a message sent now can be put back, or goes out', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/reminders')
  const rows = page.getByRole('table', { name: 'Upcoming messages' }).getByRole('row')
  await expect(rows.nth(1)).toBeVisible()
  const occasion = rows.getByText(/^\d+ days? (?:before|after) renewal$/).first()
  expect(await occasion.evaluate((element) => element.getClientRects().length)).toBe(1)
  const earliest = page.getByRole('button', { name: /^Send Now: .*in the app/ }).first()
  const label = (await earliest.getAttribute('aria-label')) ?? ''
  // Another may be the earliest for as long as the list is fetched anew.
  const sendNow = page.getByRole('button', { name: label, exact: true }).first()
  await sendNow.click()
  const toast = page.getByRole('status').filter({ hasText: 'Goes out in 10 seconds' })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The message is back where it was')).toBeVisible()
  await sendNow.click()
  await expect(toast).toBeVisible()
  // Of others, the new settings may have let some become due.
  const [, customer, when] = /^Send Now: (.+), (.+) \(/.exec(label) ?? []
  if (!customer || !when) throw new Error(`The button says which message it is of: ${label}`)
  const sent = rows.filter({ hasText: customer }).filter({ hasText: when }).filter({ hasText: 'You, in the app' })
  await expect(sent.filter({ hasText: 'Waiting' })).toBeVisible()
  const ledger = page.getByRole('table', { name: 'Messages of the last 90 days' })
  await expect(async () => {
    await page.goto('/reminders?tab=ledger&state=sent')
    await expect(ledger.getByRole('row').filter({ hasText: 'You, in the app' }).first()).toBeVisible({ timeout: 2000 })
  }).toPass()
})

test('signed out, the settings lead to the sign-in', async ({ page }) => {
  await page.goto('/notifications/settings')
  await expect(page).toHaveURL(/\/sign-in/)
})
