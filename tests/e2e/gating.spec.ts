import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { anEmail, DEMO, expect, ledFrom, pay, signUp, test } from './support/journey.ts'
import { PROTECTED } from '#support/screens.ts'
import { signIn, startTrial } from './support/sessions.ts'

test('every protected screen sends somebody who is signed out to /sign-in, and never shows itself', async ({
  page,
}) => {
  await page.addInitScript(recordHeadings)
  const isAtSignIn = async () => {
    await page.waitForURL('**/sign-in**')
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    expect(await headingsSeen(page)).toEqual(['Welcome back'])
  }
  await page.goto('/contracts')
  await isAtSignIn()
  for (const path of Object.keys(PROTECTED)) {
    // The document is the same for all of them, and shows nothing.
    const document = await page.request.get(path, { headers: { accept: 'text/html' } })
    expect(await document.text()).not.toContain('<h1')
    expect(await ledFrom(page, path)).toMatch(/^\/sign-in/)
    await isAtSignIn()
  }
})

test('without a subscription the checkout leads to the way out', async ({ page }) => {
  const email = anEmail()
  await page.goto('/checkout?trial=true')
  await signUp(page, email)
  await page.getByRole('link', { name: /back/i }).first().click()
  await page.getByRole('link', { name: /delete your account/ }).click()
  await expect(page.getByRole('heading', { name: 'Your data and account' })).toBeVisible()
  await expectAccessible(page, '/your-data')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email)
  await dialog.getByRole('button', { name: 'Delete Account' }).click()
  await page.waitForURL('**/account-deleted')
  await expect(page.getByRole('heading', { name: 'Your account has been deleted' })).toBeVisible()
})

test('signed in without a subscription, every screen leads to the checkout, which shows the plan before payment', async ({
  page,
}) => {
  const email = anEmail()
  await page.goto('/checkout?trial=true')
  await signUp(page, email)
  const isAtCheckout = async () => {
    await page.waitForURL('**/checkout?trial=true')
    await expect(page.getByRole('button', { name: 'Start Free Trial' })).toBeEnabled()
  }
  for (const path of ['/', '/contracts']) {
    await page.goto(path)
    await isAtCheckout()
  }
  for (const path of Object.keys(PROTECTED)) {
    expect(await ledFrom(page, path)).toMatch(/^\/checkout/)
    await isAtCheckout()
  }
  await page.context().clearCookies()
  await signIn(page, { email })
  await page.goto('/sign-in')
  await page.waitForURL('**/checkout?trial=true')
  for (const text of ['Welcome, Ada!', '$29/month', '14-day free trial', 'Automated renewal reminders']) {
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  }
})

test('coming back from the payment page without paying shows the plan, and starts nothing by itself', async ({
  page,
}) => {
  await page.addInitScript(recordHeadings)
  await page.goto('/checkout?trial=true')
  await signUp(page, anEmail(), 'Grace')
  const seen = await headingsSeen(page)
  expect(seen.slice(seen.indexOf('Check your email'))).toEqual(['Check your email', 'Setting up your checkout...'])
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
  await signUp(page, anEmail())
  await pay(page)
  await expect(page.getByText('Taking you to the page you wanted...')).toBeVisible()
  await page.waitForURL(({ pathname, search }) => pathname === '/contracts' && /^\?(.*&)?status=active/.test(search))
  await expect(page.getByRole('heading', { name: 'Contracts', level: 1 })).toBeVisible()
  expect(page.url()).not.toContain('stripe_success')
})

test('/debug names what is configured, without any script and for everybody', async ({ page }) => {
  await page.goto('/debug')
  await expect(page.getByRole('heading', { name: 'Configuration' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Payment Stand-in for Stripe STRIPE_SECRET_KEY not set/ })).toBeVisible()
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
  for (const path of ['/login', '/signin']) {
    await page.goto(path)
    await page.waitForURL('**/sign-in**')
  }
  await page.goto('/sign-up')
  await page.waitForURL('**/checkout')
  await page.goto('/checkout/signup/anything')
  await expect(page.getByRole('heading', { name: 'Start Your Free Trial' })).toBeVisible()
  // Where no sign-in was begun there is none to finish, so that this does not stand there for long.
  const seen = Promise.withResolvers<void>()
  await page.route('**/clerk.browser.js', (route) => seen.promise.then(() => route.continue()))
  await page.goto('/sso-callback/google', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'Processing sign-in...' })).toBeVisible()
  seen.resolve()
  await page.waitForURL('**/sign-in')
})

test('an address at which there is nothing is a page that says so, signed out or in, with a way on', async ({
  page,
}) => {
  expect((await page.goto('/no/such/page'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign In' }).click()
  await page.waitForURL('**/sign-in')
  await signIn(page, DEMO)
  expect((await page.goto('/no/such/page'))?.status()).toBe(404)
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await page.waitForURL('**/dashboard')
  for (const [path, record, list] of [
    ['/contracts/abc', 'Contract', 'Contracts'],
    ['/customers/abc', 'Customer', 'Customers'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: `${record} not found` })).toBeVisible()
    await page.getByRole('link', { name: `Go to ${list}` }).click()
    await page.waitForURL(`**/${list.toLowerCase()}`)
  }
})

test('signed in with a subscription, the sign-in leads to the dashboard', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/sign-in')
  await page.waitForURL('**/dashboard')
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

test('no link to the sign-in leads to another site', async ({ page }) => {
  await signIn(page, DEMO)
  for (const wanted of [
    '//evil.test',
    '/%5Cevil.test',
    '%5C%5Cevil.test',
    'javascript:alert(1)',
    'https://evil.test',
  ]) {
    await page.goto(`/sign-in?redirect_url=${wanted}`)
    await page.waitForURL('**/dashboard')
  }
})

test('on a phone the navigation is a drawer, which leads on and closes', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'Customers', exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Customers' }).click()
  await page.waitForURL('**/customers')
  await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
})

/** In the page: every first heading that was on it for a moment, in their order. */
function recordHeadings() {
  if (location.pathname.startsWith('/__stripe')) return
  const seen: string[] = []
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('h1'))
      if (textContent !== seen.at(-1)) seen.push(textContent)
    sessionStorage.setItem('headings', JSON.stringify(seen))
  }).observe(document, { childList: true, subtree: true })
}

async function headingsSeen(page: Page): Promise<string[]> {
  return JSON.parse((await page.evaluate(() => sessionStorage.getItem('headings'))) ?? '[]')
}
