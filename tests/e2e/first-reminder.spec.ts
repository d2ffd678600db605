import type { Page } from '@playwright/test'
import { formatDay } from '#client/text/format.ts'
import { anEmail, dayFromNow, expect, pay, signUp, test } from './support/journey.ts'
import { startTrial } from './support/sessions.ts'

const CUSTOMER = 'office@engines.example'

test('whoever signs up takes the three steps, sees the revenue, and the customer gets the first reminder', async ({
  page,
  app,
}) => {
  await page.goto('/checkout?trial=true')
  await signUp(page, anEmail())
  await pay(page)
  const steps = page.getByRole('region', { name: 'First steps' })
  const dialog = page.getByRole('dialog')
  const isDone = (step: string) => steps.getByRole('listitem').filter({ hasText: step }).getByLabel('Done')

  await test.step('what can be done instead is no step', async () => {
    await expect(steps.getByRole('listitem')).toHaveCount(3)
    await expect(steps.getByRole('button', { name: 'Import Customers' })).toBeVisible()
  })

  await test.step('a customer who can be written to', async () => {
    await steps.getByRole('button', { name: 'Add Your First Customer' }).click()
    await dialog.getByLabel('Name').fill('Analytical Engines Ltd')
    await dialog.getByLabel('Email').fill(CUSTOMER)
    await dialog.getByRole('button', { name: 'Add Customer' }).click()
    await expect(dialog).toBeHidden()
    await expect(isDone('Add a customer')).toBeVisible()
  })

  await test.step('a contract that counts', async () => {
    await steps.getByRole('button', { name: 'Add Your First Contract' }).click()
    await dialog.getByRole('combobox', { name: 'Customer' }).fill('analyt')
    await page.getByRole('option', { name: 'Analytical Engines Ltd' }).click()
    await dialog.getByLabel('Amount').fill('1200')
    await dialog.getByLabel('Start Date').fill(dayFromNow(-358))
    await dialog.getByLabel('Renewal Date').fill(dayFromNow(7))
    await expect(dialog.getByText('Counted in your revenue', { exact: true })).toBeVisible()
    await expect(dialog.getByText(/will go out, the first on/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Add Contract' }).click()
    await expect(dialog).toBeHidden()
    await expect(isDone('Add a contract')).toBeVisible()
    await expect(page.getByRole('group', { name: 'Total Revenue' })).toContainText('$1,200.00')
    await expect(page.getByRole('group', { name: 'Active Contracts' })).toContainText('1')
  })

  await test.step('a name to send it under', async () => {
    await steps.getByRole('button', { name: 'Enter Company Name' }).click()
    await page.getByLabel('Company name').fill('Mill & Sons')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Company saved')).toBeVisible()
  })

  await test.step('a time of day that has come, as reminders wait for it', async () => {
    await page.goto('/notifications/settings')
    await page.getByLabel('Time of day').selectOption('12:00 AM')
    await page.getByRole('button', { name: 'Save Settings' }).click()
    await expect(page.getByText('Notification settings saved successfully!')).toBeVisible()
  })

  await test.step('the reminder leaves by itself, and nobody has pressed Send', async () => {
    // Nothing is fetched from a server that stops.
    await page.goto('about:blank')
    // A server that starts looks at once at what is due, and later once a minute.
    await app.restart()
    const subject = expect.stringMatching(/^Your contract is due for renewal on /)
    await expect.poll(() => subjects(page), { timeout: 60_000 }).toEqual([subject])
    await page.goto('/reminders?tab=ledger')
    const sent = page.getByRole('table', { name: 'Messages of the last 90 days' }).getByRole('row')
    await expect(sent.filter({ hasText: 'Customer, by email' })).toContainText('Sent')
    await page.goto('/dashboard')
  })

  await test.step('the next contract is pending, as it is said', async () => {
    await page.getByRole('button', { name: 'Add Contract' }).click()
    await expect(dialog.getByLabel('Status')).toHaveValue('pending')
    await expect(dialog.getByText('Not counted in your revenue')).toBeVisible()
  })
})

test('the first reminder of an empty account is announced, planned, and shown on Reminders with its date', async ({
  page,
}) => {
  await startTrial(page)
  const steps = page.getByRole('region', { name: 'First steps' })
  const dialog = page.getByRole('dialog')
  await steps.getByRole('button', { name: 'Add Your First Customer' }).click()
  await dialog.getByLabel('Name').fill('Analytical Engines Ltd')
  await dialog.getByLabel('Email').fill(CUSTOMER)
  await dialog.getByRole('button', { name: 'Add Customer' }).click()
  await expect(dialog).toBeHidden()
  await steps.getByRole('button', { name: 'Add Your First Contract' }).click()
  await dialog.getByRole('combobox', { name: 'Customer' }).fill('analyt')
  await page.getByRole('option', { name: 'Analytical Engines Ltd' }).click()
  await dialog.getByLabel('Amount').fill('1200')
  await dialog.getByLabel('Start Date').fill(dayFromNow(-300))
  await dialog.getByLabel('Renewal Date').fill(dayFromNow(44))
  // 30 days before.
  const first = formatDay(dayFromNow(14))
  await expect(dialog.getByText(/will go out, the first on/)).toContainText(first)
  await dialog.getByRole('button', { name: 'Add Contract' }).click()
  await expect(dialog).toBeHidden()
  await steps.getByRole('button', { name: 'Enter Company Name' }).click()
  await page.getByLabel('Company name').fill('Mill & Sons')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Company saved')).toBeVisible()

  await page.getByRole('link', { name: 'Reminders', exact: true }).first().click()
  const earliest = page.getByRole('table', { name: 'Upcoming messages' }).getByRole('row').nth(1)
  await expect(earliest).toContainText('Analytical Engines Ltd')
  await expect(earliest).toContainText(first)
})

/** Of the mail that the customer has got. */
async function subjects(page: Page): Promise<string[]> {
  const headers = { accept: 'application/json' }
  const answer = await page.request.get('/dev/mailbox', { params: { to: CUSTOMER }, headers })
  const mails: { subject: string }[] = await answer.json()
  return mails.map(({ subject }) => subject)
}
