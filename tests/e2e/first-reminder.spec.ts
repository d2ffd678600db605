import { formatDay } from '#client/text/format.ts'
import { dayFromNow, expect, test } from './support/journey.ts'
import { startTrial } from './support/sessions.ts'

const CUSTOMER = 'office@engines.example'

test('an empty account takes the three steps, sees its revenue, and its customer gets the first reminder', async ({
  page,
}) => {
  await startTrial(page)
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

  await test.step('the reminder is with the customer, sent by hand here, as the time of day decides on the others', async () => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^Send Reminder/ }).click()
    const mails = async () => {
      const answer = await page.request.get('/dev/mailbox', {
        params: { to: CUSTOMER },
        headers: { accept: 'application/json' },
      })
      const found: unknown[] = await answer.json()
      return found.length
    }
    await expect.poll(mails, { timeout: 60_000 }).toBeGreaterThan(0)
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
