import { dayFromNow, expect, test } from './support/journey.ts'
import { expectAccessible, expectNoOverflow } from './support/axe.ts'
import { sessionToken, startTrialUnseen } from './support/sessions.ts'

test('the page of a customer has their contracts, notes, and what changed', async ({ page }) => {
  await startTrialUnseen(page)
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  const customer = await (await page.request.post('/customers', { headers, data: { name: 'Harbor Bakery' } })).json()
  const terms = { amount: 100, startDate: dayFromNow(-20), renewalCycle: 'monthly', renewalDate: dayFromNow(10) }
  const contract = { customerId: customer.id, title: 'Cleaning', status: 'active', ...terms }
  await page.request.post('/contracts?reminders=off', { headers, data: contract })

  await page.goto(`/customers/${customer.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Harbor Bakery' })).toBeVisible()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit Customer' })
  await form.getByRole('textbox', { name: 'Phone' }).fill('555-0100')
  await form.getByRole('button', { name: /^(Save|Update)/ }).click()
  const activity = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  await expect(activity.first()).toContainText('Phone: 555-0100')
  await expect(activity.last()).toContainText('Added')

  await page.getByRole('button', { name: 'Add Note' }).click()
  await page.keyboard.type('Wants a quote for two sites')
  await page.keyboard.press('Control+Enter')
  const notes = page.getByRole('list', { name: 'Notes' }).getByRole('listitem')
  await expect(notes).toContainText('Wants a quote for two sites')
  await page.reload()
  await expect(notes).toContainText('Wants a quote for two sites')
  await expectAccessible(page, 'the page of a customer')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page, 'the page of a customer')

  await page.getByRole('list', { name: 'Contracts' }).getByRole('link', { name: 'Cleaning' }).click()
  await expect(page.getByRole('button', { name: 'Edit Title: Cleaning' })).toBeVisible()
  await expect(activity.last()).toContainText('Added')
  await page.getByRole('link', { name: 'Harbor Bakery' }).click()
  await expect(page).toHaveURL(`/customers/${customer.id}`)

  await page.goto('/customers/2147483647')
  await expect(page.getByRole('heading', { name: 'Customer not found' })).toBeVisible()
})

test('two tabs that edit the same contract never overwrite each other', async ({ page, context }) => {
  await startTrialUnseen(page)
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  const customer = await (await page.request.post('/customers', { headers, data: { name: 'Harbor Bakery' } })).json()
  const terms = { amount: 100, startDate: dayFromNow(-20), renewalCycle: 'monthly', renewalDate: dayFromNow(10) }
  const data = { customerId: customer.id, title: 'Cleaning', status: 'active', ...terms }
  const { id } = await (await page.request.post('/contracts?reminders=off', { headers, data })).json()

  const other = await context.newPage()
  const forms = []
  for (const tab of [page, other]) {
    await tab.goto(`/contracts/${id}`)
    await tab.getByRole('button', { name: 'Edit', exact: true }).click()
    forms.push(tab.getByRole('dialog', { name: 'Edit Contract' }))
  }
  const [mine, theirs] = forms
  await theirs?.getByRole('textbox', { name: 'Amount' }).fill('110')
  await theirs?.getByRole('textbox', { name: 'Reference' }).fill('C-7')
  await theirs?.getByRole('button', { name: 'Save Changes' }).click()
  await expect(other.getByText('Contract updated successfully!')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 700 })
  await mine?.getByRole('textbox', { name: 'Amount' }).fill('120')
  await mine?.getByRole('button', { name: 'Save Changes' }).click()
  const yours = page.getByRole('radio', { name: 'Yours: $120' })
  await expect(yours).toBeChecked()
  await expect(yours, 'it can be seen on a phone').toBeInViewport()
  await expectAccessible(page, 'a conflict of two edits', '[role=dialog]')
  await mine?.getByRole('radio', { name: 'Saved meanwhile: $110.00' }).check()
  await mine?.getByRole('textbox', { name: 'Title' }).fill('Cleaning, two sites')
  await mine?.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Contract updated successfully!')).toBeVisible()
  const saved = await (await page.request.get(`/contracts/${id}`, { headers })).json()
  expect(saved).toMatchObject({ amount: 110, title: 'Cleaning, two sites', reference: 'C-7' })
})
