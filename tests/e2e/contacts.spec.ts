import { expectAccessible, expectNoOverflow } from './support/axe.ts'
import { dayFromNow, expect, test } from './support/journey.ts'
import { sessionToken, startTrialUnseen } from './support/sessions.ts'

test('a second contact is added, gets the reminder too, is deleted and brought back', async ({ page }) => {
  await startTrialUnseen(page)
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  const [first, second] = ['orders', 'ada'].map((name) => `${name}-${crypto.randomUUID()}@harbor.example`)
  await page.request.put('/account/company', { headers, data: { name: 'Mill & Sons' } })
  const data = { name: 'Harbor Bakery', email: first, contactName: 'Grace Hopper' }
  const customer = await (await page.request.post('/customers', { headers, data })).json()
  const terms = { amount: 100, startDate: dayFromNow(-20), renewalCycle: 'monthly', renewalDate: dayFromNow(10) }
  const contract = { customerId: customer.id, title: 'Cleaning', status: 'active', ...terms }
  const { id } = await (await page.request.post('/contracts?reminders=off', { headers, data: contract })).json()

  await page.goto(`/customers/${customer.id}`)
  const contacts = page.getByRole('list', { name: 'Contacts' }).getByRole('listitem')
  await expect(contacts).toContainText(['Grace Hopper'])
  await page.getByRole('button', { name: 'Add Contact' }).click()
  const form = page.getByRole('dialog', { name: 'Add Contact' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
  await form.getByRole('textbox', { name: 'Role' }).fill('Buyer')
  await form.getByRole('textbox', { name: 'Email' }).fill(second ?? '')
  await page.keyboard.press('Enter')
  await expect(contacts.nth(1)).toContainText('Ada Lovelace')
  const activity = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  await expect(activity.first()).toContainText('Ada Lovelace, Buyer')
  await expectAccessible(page, 'the page of a customer with contacts')
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await expectNoOverflow(page, 'the page of a customer with contacts')
  }

  const answer = await page.request.post(`/contracts/${id}/reminder`, { headers })
  expect(await answer.json()).toMatchObject({ message: `Reminder sent to ${first}, ${second}` })
  for (const to of [first, second]) {
    const mails = await page.request.get('/dev/mailbox', {
      params: { to: to ?? '' },
      headers: { accept: 'application/json' },
    })
    expect(await mails.json()).toHaveLength(1)
  }
  await page.goto(`/contracts/${id}`)
  await expect(page.getByText('Ada Lovelace, by email').first()).toBeVisible()

  await page.goto(`/customers/${customer.id}`)
  await page.getByRole('button', { name: 'Delete Ada Lovelace' }).click()
  await expect(contacts).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(contacts.nth(1)).toContainText('Ada Lovelace')
})
