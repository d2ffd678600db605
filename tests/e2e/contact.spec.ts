import { expect, test } from './support/journey.ts'

test.use({ javaScriptEnabled: false })

test('without any script a visitor writes to the owner, and is told what is wrong first', async ({ page }) => {
  await page.goto('/contact')
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('Email address').fill('ada@localhost')
  await page.getByLabel('Message').fill('Does it do quarterly?\nThank you.')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('Enter an email address like name@example.com')).toBeVisible()
  await expect(page.getByLabel('Email address')).toBeFocused()
  await expect(page.getByLabel('Message')).toHaveValue('Does it do quarterly?\nThank you.')

  await page.getByLabel('Email address').fill('ada@example.com')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('We will reply to ada@example.com.')).toBeVisible()
  const mails = await page.request.get('/dev/mailbox', { headers: { accept: 'application/json' } })
  const sent = { recipients: 'reminders@traxx.test', subject: 'Message from Ada Lovelace' }
  expect(await mails.json()).toContainEqual(expect.objectContaining(sent))
})
