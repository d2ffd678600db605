import { readFile } from 'node:fs/promises'
import { expectAccessible, expectNoOverflow } from './support/axe.ts'
import { expect, test } from './support/journey.ts'
import { mailsTo, remindCustomers } from './support/reminded.ts'
import { sessionToken, startTrialUnseen } from './support/sessions.ts'

const PHONE = { width: 390, height: 844 }

test('customers answer on a phone without scripts, and the owner accepts or declines what waits', async ({
  page,
  browser,
  app,
}) => {
  await startTrialUnseen(page)
  const [renewing, changing, ending] = await remindCustomers(page, ['Ada', 'Ben', 'Cleo'])
  if (!renewing || !changing || !ending) throw new Error('Three customers were reminded')
  const aPhone = async () =>
    (await browser.newContext({ javaScriptEnabled: false, baseURL: app.url, viewport: PHONE })).newPage()
  const phone = await aPhone()

  // What the customer is asked about; following the link answers nothing.
  await phone.goto(renewing.link)
  await expect(phone.getByRole('heading', { name: 'Hosting for Ada' })).toBeVisible()
  await expect(phone.getByText('$100.00 a year (no change)')).toBeVisible()
  await phone.setViewportSize({ width: 320, height: 640 })
  await expectNoOverflow(phone, 'the page for answering')
  await phone.setViewportSize(PHONE)
  await phone.getByRole('link', { name: 'Renew', exact: true }).click()
  await expect(phone.getByText('We will tell Mill & Sons, who will confirm it.', { exact: false })).toBeVisible()
  await phone.getByRole('link', { name: 'Back' }).click()
  await phone.getByRole('link', { name: 'Renew', exact: true }).click()
  await phone.getByRole('button', { name: 'Yes, I want to renew' }).click()
  await expect(phone.getByRole('status')).toContainText('Mill & Sons has been told')

  // What is wrong is said, and nothing that was entered is lost.
  await phone.goto(changing.link)
  await phone.getByRole('link', { name: 'Ask for a change' }).click()
  await phone.getByLabel('Amount you would like').fill('a lot')
  await phone.getByLabel('Message').fill('Less, please')
  await phone.getByRole('button', { name: 'Send to Mill & Sons' }).click()
  await expect(phone.getByText('Enter the amount as 1200.50')).toBeVisible()
  await expect(phone.getByLabel('Message')).toHaveValue('Less, please')
  await phone.getByLabel('Amount you would like').fill('80')
  await phone.getByRole('button', { name: 'Send to Mill & Sons' }).click()
  await expect(phone.getByRole('status')).toContainText('Mill & Sons has been told')

  // This takes effect at once, and can be changed within the hour.
  await phone.goto(ending.link)
  await phone.getByRole('link', { name: 'Do not renew' }).click()
  await phone.getByLabel('No longer needed').check()
  await phone.getByRole('button', { name: 'Yes, end the contract' }).click()
  await expect(phone.getByRole('status')).toContainText('is not renewed')
  await expect(phone.getByRole('heading', { name: 'Change your answer' })).toBeVisible()
  await phone.context().close()

  // The owner sees how many wait, accepts one with other terms, and declines the other.
  await page.goto('/answers')
  await expect(page.getByRole('tab', { name: 'Waiting for you (2)' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Reminders (2 answers waiting)' })).toBeVisible()
  await expectAccessible(page, 'the answers')
  await page.setViewportSize(PHONE)
  await expectNoOverflow(page, 'the answers')
  const item = (name: string) => page.getByRole('listitem').filter({ hasText: `Hosting for ${name}` })
  await item('Ben').getByRole('button', { name: 'Accept' }).click()
  const accepting = page.getByRole('dialog', { name: 'Accept and Renew' })
  await expect(accepting.getByRole('textbox', { name: 'Amount' })).toHaveValue('80.00')
  await accepting.getByRole('textbox', { name: 'Amount' }).fill('90')
  await accepting.getByRole('textbox', { name: 'Message to the Customer' }).fill('We meet half-way')
  await expectAccessible(page, 'the dialog that accepts an answer', '[role="dialog"]')
  await accepting.getByRole('button', { name: 'Renew', exact: true }).click()
  await expect(page.getByRole('tab', { name: 'Waiting for you (1)' })).toBeVisible()
  await item('Ada').getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('dialog', { name: 'Decline the Answer' }).getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('No answers are waiting')).toBeVisible()
  await page.getByRole('tab', { name: 'Done (3)' }).click()
  await expect(item('Cleo').getByText('Took effect')).toBeVisible()
  await expectAccessible(page, 'the answers that are done')
  await expectNoOverflow(page, 'the answers that are done')

  // What the customer wrote and what was decided is proved by a file that anybody verifies.
  const downloading = page.waitForEvent('download')
  await item('Ben')
    .getByRole('button', { name: /^Certificate/ })
    .click()
  const buffer = await readFile(await (await downloading).path())
  const stranger = await browser.newPage({ baseURL: app.url, viewport: PHONE })
  await stranger.goto('/verify')
  const file = { name: 'certificate.pdf', mimeType: 'application/pdf', buffer }
  await stranger.getByLabel('Certificate', { exact: true }).setInputFiles(file)
  await expect(stranger.getByText('Genuine', { exact: true })).toBeVisible()
  const records = stranger.getByRole('list', { name: 'Records' })
  for (const words of ["Customer's answer", 'Less, please', 'Decision about the answer', 'We meet half-way'])
    await expect(records).toContainText(words)
  await expectNoOverflow(stranger, 'the certificate of an answer')
  await stranger.close()
  await page.goto(`/contracts/${changing.contractId}`)
  await expect(page.getByText('$90.00').first()).toBeVisible()

  // Each is told of it by email.
  const subjects = async (to: string) => (await mailsTo(page, to)).map(({ subject }) => subject).join('\n')
  await expect.poll(() => subjects(changing.email), { timeout: 60_000 }).toContain('Your contract is renewed until')
  await expect.poll(() => subjects(renewing.email), { timeout: 60_000 }).toContain('has declined your request')
  await expect.poll(() => subjects(ending.email), { timeout: 60_000 }).toContain('Your contract ends on')

  // In colors for both light and dark; a declined answer can be given again.
  await page.goto(renewing.link)
  await expect(page.getByText('has declined your last answer')).toBeVisible()
  await expectAccessible(page, 'the page for answering')
  await page.getByRole('link', { name: 'Do not renew' }).click()
  await expectAccessible(page, 'the form for not renewing')

  // Where the owner has chosen so, renewing takes effect at once. An answer is changed once, and then only shown.
  await page.goto('/answers')
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  const settings = { hasLink: true, renewal: 'at_once', deadline: 'open', lateEnd: 'refuse', showsPdf: false }
  expect((await page.request.put('/account/answer-settings', { headers, data: settings })).ok()).toBe(true)
  const again = await aPhone()
  await again.goto(renewing.link)
  await again.getByRole('link', { name: 'Do not renew' }).click()
  await again.getByLabel('Price').check()
  await again.getByRole('button', { name: 'Yes, end the contract' }).click()
  await expect(again.getByRole('status')).toContainText('is not renewed')
  await again.getByRole('link', { name: 'Renew', exact: true }).click()
  await expect(again.getByText('This takes effect at once', { exact: false })).toBeVisible()
  await again.getByRole('button', { name: 'Yes, renew' }).click()
  await expect(again.getByRole('status')).toContainText('is renewed')
  await expect(again.getByRole('link', { name: 'Do not renew' })).toHaveCount(0)
  await expectNoOverflow(again, 'an answer that was changed')
  await again.context().close()
  await page.goto(`/contracts/${renewing.contractId}`)
  await expect(page.getByText('Term 2')).toBeVisible()
  await expect.poll(() => subjects(renewing.email), { timeout: 60_000 }).toContain('Your contract is renewed until')
})
