import { aPng } from '#support/pictures.ts'
import { dayFromNow, expect, mailedCode, test } from './support/journey.ts'
import { layoutShifts, watchLayout } from './support/layout-shifts.ts'
import { startTrial } from './support/sessions.ts'

test('a new account names its company, gives it a logo, and confirms where answers go', async ({ page }) => {
  await startTrial(page)
  const dialog = page.getByRole('dialog')

  await test.step('the first steps lead to it', async () => {
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByRole('button', { name: 'Enter Company Name' }).click()
    await expect(page.getByRole('heading', { name: 'Company', level: 1 })).toBeFocused()
  })

  await test.step('without a name, every screen says that messages to customers wait', async () => {
    await page.goto('/customers')
    await page.getByRole('button', { name: 'Add Customer' }).first().click()
    await dialog.getByLabel('Name').fill('Analytical Engines Ltd')
    await dialog.getByLabel('Email').fill('office@engines.example')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await page.goto('/contracts')
    await page.getByRole('button', { name: 'Add Contract' }).first().click()
    await dialog.getByRole('combobox', { name: 'Customer' }).fill('analyt')
    await page.getByRole('option', { name: 'Analytical Engines Ltd' }).click()
    await dialog.getByLabel('Amount').fill('100')
    await dialog.getByLabel('Start Date').fill(dayFromNow(-340))
    await dialog.getByLabel('Renewal Date').fill(dayFromNow(20))
    await expect(dialog.getByText(/will go out, the first on/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Add Contract' }).click()
    await expect(dialog).toBeHidden()
    await watchLayout(page)
    await page.goto('/customers')
    await expect(page.getByText('Your reminders need a company name')).toBeVisible()
    await expect(page.getByRole('cell', { name: 'office@engines.example' })).toBeVisible()
    expect(await layoutShifts(page)).toEqual([])
    await page.getByRole('link', { name: 'Enter Company Name' }).click()
  })

  await test.step('the name is typed once', async () => {
    await expect(page.getByRole('heading', { name: 'Company', level: 1 })).toBeFocused()
    await page.getByLabel('Company name').fill('Mill & Sons')
    await page.getByLabel('Reply-to address').fill('office@mill.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Company saved')).toBeVisible()
  })

  await test.step('the reply-to address is confirmed by the code that went there', async () => {
    const part = page.getByRole('region', { name: 'Confirm your reply-to address' })
    await expect(part.getByText('We sent a code to office@mill.example')).toBeVisible()
    await part.getByLabel('Code').fill(await mailedCode(page, 'office@mill.example'))
    await part.getByRole('button', { name: 'Confirm' }).click()
    await expect(part).toBeHidden()
  })

  await test.step('a logo is uploaded', async () => {
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: aPng(120, 40) }
    await page.locator('input[type=file]').setInputFiles(file)
    const logo = page.getByRole('img', { name: 'Your logo' })
    await expect(logo).toBeVisible()
    await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(120)
  })

  await test.step('the banner is gone for good', async () => {
    await page.goto('/contracts')
    await expect(page.getByText('Analytical Engines Ltd').first()).toBeVisible()
    await expect(page.getByText('Your reminders need a company name')).toBeHidden()
  })
})
