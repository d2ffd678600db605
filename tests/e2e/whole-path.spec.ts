import { anEmail, dayFromNow, expect, pay, signInWithForm, signUp, test } from './support/journey.ts'

test('from the front page to a paying account with its first contract on the dashboard, and again after a restart', async ({
  page,
  app,
}) => {
  const email = anEmail()

  await test.step('sign up from the front page', async () => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Start Your Free Trial' }).first().click()
    await expect(page.getByRole('heading', { name: 'Start Your Free Trial' })).toBeVisible()
    await expect(page.getByLabel('First name')).toBeFocused()
    // The payment page opens right after this form.
    await expect(page.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms')
    await expect(page.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy')
    await signUp(page, email)
  })

  await test.step('start the trial at the hosted checkout', async () => {
    await expect(page.getByText('14 days free').first()).toBeVisible()
    await pay(page, '4000 0000 0000 0002')
    await expect(page.getByText('Your card was declined.')).toBeVisible()
    await pay(page)
    await page.waitForURL('**/checkout/success?session_id=*')
    await expect(page.getByText('Welcome to TRAXX! Your free trial has started successfully.')).toBeVisible()
    await page.waitForURL((url) => url.pathname === '/dashboard' && url.search === '')
  })

  await test.step('add a customer by the keyboard', async () => {
    await page.getByRole('link', { name: 'Customers' }).click()
    await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeFocused()
    await page.getByRole('button', { name: 'Add Customer' }).first().focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Analytical Engines Ltd')
    await dialog.getByLabel('Email').fill('office@engines.example')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Customer added successfully!')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Analytical Engines Ltd')).toBeVisible()
  })

  await test.step('add a contract by the mouse', async () => {
    await page.getByRole('link', { name: 'Contracts' }).click()
    await expect(page.getByRole('heading', { name: 'Contracts', level: 1 })).toBeFocused()
    await page.getByRole('button', { name: 'Add Contract' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Customer' }).fill('analyt')
    await page.getByRole('option', { name: 'Analytical Engines Ltd' }).click()
    await dialog.getByLabel('Amount').fill('1,250.50')
    await dialog.getByLabel('Start Date').fill(dayFromNow(-340))
    await dialog.getByLabel('Renewal Date').fill(dayFromNow(5))
    await expect(dialog.getByText(/will go out, the first on/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Add Contract' }).click()
    await expect(page.getByText('Contract added successfully!')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('table').getByText('$1,250.50')).toBeVisible()
  })

  const seeBoth = async () => {
    await expect(page.getByRole('heading', { name: 'Contracts Requiring Attention' })).toBeVisible()
    const row = page.getByRole('row').filter({ hasText: 'Analytical Engines Ltd' })
    await expect(row).toContainText('$1,250.50')
    await expect(row).toContainText('5 days left')
  }

  await test.step('see both on the dashboard', async () => {
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await seeBoth()
  })

  await test.step('sign out', async () => {
    await page.getByRole('button', { name: /profile|account/i }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.goto('/dashboard')
    // The whole page, as it asks a server for its scripts that is about to stop.
    await expect(page.getByLabel('Email address')).toBeVisible()
  })

  await test.step('all is there after a restart of the server, and after it was killed', async () => {
    await app.restart()
    await signInWithForm(page, { email })
    await seeBoth()
    await app.restart('SIGKILL')
    await page.reload()
    await seeBoth()
  })
})
