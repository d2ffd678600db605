import type { Page } from '@playwright/test'
import { aPdf } from '#support/pdf.ts'
import { dayFromNow, expect, test } from './support/journey.ts'
import { expectAccessible } from './support/axe.ts'
import { sessionToken, startTrialUnseen } from './support/sessions.ts'

async function addContract(page: Page) {
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  const customer = await page.request.post('/customers', { headers, data: { name: 'Harbor Bakery' } })
  const { id: customerId } = await customer.json()
  const terms = { amount: 100, startDate: '2025-01-01', renewalCycle: 'monthly', renewalDate: dayFromNow(10) }
  const contract = await page.request.post('/contracts', { headers, data: { customerId, status: 'active', ...terms } })
  const { id } = await contract.json()
  await page.request.post(`/contracts/${id}/notes`, { headers, data: { text: 'Prefers a call' } })
  const pdf = { name: 'contract.pdf', mimeType: 'application/pdf', buffer: aPdf() }
  const uploaded = await page.request.post(`/contracts/${id}/pdf`, { headers, multipart: { pdf } })
  expect(uploaded.ok()).toBe(true)
}

test('a double click on Delete deletes one contract: the next row moves under the pointer', async ({ page }) => {
  await startTrialUnseen(page)
  await addContract(page)
  await addContract(page)
  await page.goto('/contracts')
  const deletion = page.getByRole('button', { name: 'Delete the contract with Harbor Bakery' })
  await expect(deletion).toHaveCount(2)
  await deletion.first().dblclick({ delay: 150 })
  await expect(page.getByRole('status').filter({ hasText: 'Contract deleted successfully!' })).toBeVisible()
  await page.reload()
  await expect(deletion).toHaveCount(1)
})

test('what is deleted is undone from the toast, or restored from the trash as it was', async ({ page }) => {
  await startTrialUnseen(page)
  await addContract(page)
  await page.goto('/contracts')
  const toast = (text: string) => page.getByRole('status').filter({ hasText: text })
  const deletion = page.getByRole('button', { name: 'Delete the contract with Harbor Bakery' })

  await deletion.click()
  await toast('Contract deleted successfully!').getByRole('button', { name: 'Undo' }).click()
  await expect(toast('1 contract restored')).toBeVisible()

  await deletion.click()
  await expect(deletion).toBeHidden()
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Trash' }).click()
  await expect(page.getByRole('row', { name: /Harbor Bakery/ })).toContainText('30 days')
  await expectAccessible(page, 'the trash')
  await page.getByRole('button', { name: 'Restore the contract with Harbor Bakery' }).click()
  await expect(page.getByText('The trash is empty')).toBeVisible()

  await page.goto('/contracts')
  await page.getByRole('link', { name: 'Harbor Bakery' }).click()
  await expect(page.getByRole('group', { name: 'PDF' })).toContainText('PDF attached')
  await expect(page.getByText('Prefers a call')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Activity' })).toContainText('Restored')
})
