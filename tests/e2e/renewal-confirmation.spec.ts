import type { Page } from '@playwright/test'
import { expectAccessible, expectNoOverflow } from './support/axe.ts'
import { dayFromNow, expect, test } from './support/journey.ts'
import { sessionToken, startTrialUnseen } from './support/sessions.ts'

const FIRST = `orders-${crypto.randomUUID()}@harbor.example`
const SECOND = `ada-${crypto.randomUUID()}@harbor.example`

/** A trial with a contract that renews in 10 days, of a customer with two contacts. Returns the contract's ID. */
async function addContract(page: Page): Promise<number> {
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  await page.request.put('/account/company', { headers, data: { name: 'Mill & Sons' } })
  const customer = { name: 'Harbor Bakery', email: FIRST }
  const { id: customerId } = await (await page.request.post('/customers', { headers, data: customer })).json()
  const contact = { name: 'Ada Lovelace', email: SECOND }
  await page.request.post(`/customers/${customerId}/contacts`, { headers, data: contact })
  const terms = { amount: 100, startDate: dayFromNow(-360), renewalCycle: 'yearly', renewalDate: dayFromNow(10) }
  const contract = { customerId, title: 'Web hosting', status: 'active', renews: 'automatic', ...terms }
  const { id } = await (await page.request.post('/contracts', { headers, data: contract })).json()
  return id
}

/** The subjects of the emails to an address, from the development mailbox. */
async function mailsTo(page: Page, to: string): Promise<string[]> {
  const answer = await page.request.get('/dev/mailbox', { params: { to }, headers: { accept: 'application/json' } })
  const mails: { subject: string }[] = await answer.json()
  return mails.map(({ subject }) => subject)
}

test('a customer is told of a renewal that its owner has seen beforehand, and Undo withdraws the email in time', async ({
  page,
}) => {
  await startTrialUnseen(page)
  const id = await addContract(page)
  const toast = (text: RegExp) => page.getByRole('status').filter({ hasText: text })

  // It is off, and turning it on says whom it would write to.
  await page.goto('/notifications/settings')
  const tell = page.getByRole('switch', { name: /^Tell customers when their contracts are renewed/ })
  await expect(tell).not.toBeChecked()
  await tell.check()
  await expect(page.getByText('In the next 30 days, 1 contract renews automatically.')).toBeVisible()
  await expectAccessible(page, 'the settings of renewals')
  await page.getByRole('button', { name: 'Save Renewal Settings' }).click()
  await expect(page.getByText('Renewal settings saved')).toBeVisible()

  // Renewing shows the email and who gets it.
  await page.goto(`/contracts/${id}`)
  const renew = page.getByRole('button', { name: 'Renew', exact: true })
  const dialog = page.getByRole('dialog', { name: 'Renew Contract' })
  await renew.click()
  await expect(dialog.getByRole('switch', { name: /^Tell the customer/ })).toBeChecked()
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('120')
  await expect(dialog.getByText(`To Harbor Bakery: ${FIRST}, ${SECOND} (Ada Lovelace)`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Show Email' }).click()
  const email = dialog.frameLocator('iframe[title="Email preview"]')
  await expect(email.getByText('Previously, the amount was $100.00.')).toBeVisible()
  await expectAccessible(page, 'the dialog with the email about a renewal', '[role="dialog"]')
  for (const width of [390, 320, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await expectNoOverflow(page, 'the dialog with the email about a renewal')
  }

  // Undone within ten seconds, nobody is told.
  await dialog.getByRole('button', { name: 'Renew', exact: true }).click()
  await expect(toast(/^Renewed: Harbor Bakery.* goes out in 10 seconds/)).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(toast(/^Undone: the contract with Harbor Bakery is as it was before$/)).toBeVisible()

  // Renewed again, once the page shows the term from before, each contact is told once.
  await expect(page.getByText('Term 2', { exact: true })).toBeHidden()
  await renew.click()
  await expect(dialog.getByText(`To Harbor Bakery: ${FIRST}, ${SECOND} (Ada Lovelace)`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Renew', exact: true }).click()
  await expect(toast(/^Renewed: Harbor Bakery/)).toBeVisible()
  for (const to of [FIRST, SECOND])
    await expect
      .poll(() => mailsTo(page, to), { timeout: 60_000 })
      .toEqual([expect.stringContaining('has been renewed')])
  await page.reload()
  await expect(page.getByText('Renewal confirmation').first()).toBeVisible()

  // Now undoing says that it comes too late for the email.
  await page.getByRole('button', { name: 'Undo Last Decision' }).click()
  await expect(toast(/The email about the renewal had already gone to/)).toBeVisible()
  expect(await mailsTo(page, FIRST)).toHaveLength(1)
})
