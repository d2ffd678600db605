import { anEmail, DEMO, expect, pay, signIn, signUp, startTrial, test } from './support/journey.ts'

const PROTECTED = ['/dashboard', '/customers', '/contracts', '/notifications', '/profile', '/test-auth']

for (const path of PROTECTED) {
  test(`${path} sends somebody who is signed out to /sign-in, and never shows itself`, async ({ page }) => {
    await page.goto(path)
    await page.waitForURL('**/sign-in**')
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
  })
}

test('signed in without a subscription, every screen leads to the checkout', async ({ page }) => {
  await page.goto('/checkout?trial=true')
  await signUp(page, anEmail())
  for (const path of [...PROTECTED, '/no/such/page', '/']) {
    await page.goto(path)
    await page.waitForURL(/__stripe\/checkout|\/checkout\?trial=true/)
  }
})

test('coming back from the payment page without paying shows the plan, and starts nothing by itself', async ({
  page,
}) => {
  await page.goto('/checkout?trial=true')
  await signUp(page, anEmail(), 'Grace')
  await page.getByRole('link', { name: /back/i }).first().click()
  await expect(page.getByRole('heading', { name: 'Welcome, Grace!' })).toBeVisible()
  for (const text of ['TRAXX Pro', '$29.00', '-$29.00', '$0.00', '$29.00/month is charged after the trial']) {
    await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
  }
  await page.getByRole('button', { name: 'Start Free Trial' }).click()
  await page.waitForURL('**/__stripe/checkout/**')
})

test('a deep link survives signing in', async ({ page }) => {
  await page.goto('/contracts?status=active')
  await page.waitForURL('**/sign-in**')
  await page.getByLabel('Email address').fill(DEMO.email)
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/contracts?**status=active**')
})

test('a deep link survives signing up and paying', async ({ page }) => {
  await page.goto('/contracts?status=active')
  await page.waitForURL('**/sign-in**')
  await page.getByRole('link', { name: 'Start your free trial' }).click()
  await page.getByRole('button', { name: 'Start Your Free Trial' }).click()
  await signUp(page, anEmail())
  await pay(page)
  await expect(page.getByText('Taking you to the page you came for...')).toBeVisible({ timeout: 20_000 })
  await page.waitForURL(({ pathname, search }) => pathname === '/contracts' && /^\?(.*&)?status=active/.test(search))
  await expect(page.getByRole('heading', { name: 'Contracts', level: 1 })).toBeVisible()
  expect(page.url()).not.toContain('stripe_success')
})

test('/debug names what is configured, without any script and for everybody', async ({ page }) => {
  await page.goto('/debug')
  await expect(page.getByRole('heading', { name: 'Configuration' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Payment Stand-in of Stripe STRIPE_SECRET_KEY not set/ })).toBeVisible()
  await expect(page.locator('script')).toHaveCount(0)
  expect(await page.content()).not.toMatch(/(pk|sk)_(test|live)_|whsec_/)
})

test('/test-auth shows what GET /dashboard answers to the token of the session', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/test-auth')
  await expect(page.getByText('200', { exact: true })).toBeVisible()
  await expect(page.getByRole('term').filter({ hasText: 'totalContracts' })).toBeVisible()
})

test('the addresses that lead elsewhere do', async ({ page }) => {
  for (const path of ['/login', '/signin', '/no/such/page']) {
    await page.goto(path)
    await page.waitForURL('**/sign-in**')
  }
  await page.goto('/sign-up')
  await page.waitForURL('**/checkout')
})

test('signed in with a subscription, sign-in leads to the dashboard and so does any other path', async ({ page }) => {
  await signIn(page, DEMO)
  for (const path of ['/sign-in', '/no/such/page']) {
    await page.goto(path)
    await page.waitForURL('**/dashboard')
  }
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible()
})

test('a sign-out in one tab signs the others out', async ({ page, context }) => {
  await startTrial(page)
  const other = await context.newPage()
  await other.goto('/customers')
  await expect(other.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: /profile|account/i }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await other.waitForURL(/\/sign-in|\/$/)
})
