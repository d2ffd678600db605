import { expectNoOverflow } from './support/axe.ts'
import { DEMO, expect, mailedCode, PASSWORD, signInWithForm, test } from './support/journey.ts'
import { startTrialUnseen } from './support/sessions.ts'

test('a wrong password and an unknown address are said at their fields', async ({ page }) => {
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(DEMO.email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Password is incorrect/)).toBeVisible()
  await page.getByLabel('Email address').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Couldn't find your account/)).toBeVisible()
})

test('whoever signs in or up can type at once, also by a link within the app', async ({ page }) => {
  await page.goto('/sign-in')
  await expect(page.getByLabel('Email address')).toBeFocused()
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible()
  await expect(page.getByLabel('Email address')).toBeFocused()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await page.getByRole('link', { name: 'Start your free trial' }).click()
  await expect(page.getByLabel('First name')).toBeFocused()
})

test('without a connection the form says so, and signs in once there is one again', async ({ page, context }) => {
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(DEMO.email)
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password)
  await context.setOffline(true)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Network error')
  await context.setOffline(false)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
})

test('after an attempt that failed, Sign In has the focus, and Enter held down does not try again', async ({
  page,
}) => {
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(DEMO.email)
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password)
  const signIn = page.getByRole('button', { name: 'Sign In' })
  let attempts = 0
  const refused = Promise.withResolvers<void>()
  await page.route('**/v1/client/sign_ins**', async (route) => {
    attempts += 1
    await refused.promise
    const errors = [{ code: 'too_many_requests', message: 'Too many requests', long_message: 'Too many requests.' }]
    await route.fulfill({ status: 429, json: { errors } })
  })
  await signIn.focus()
  await page.keyboard.down('Enter')
  await expect(signIn).toBeDisabled()
  await expect(signIn).not.toBeFocused()
  refused.resolve()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(signIn).toBeFocused()
  expect(attempts).toBe(1)
  // Again while it is held: a repeat.
  await page.keyboard.down('Enter')
  await expect(signIn).toBeEnabled()
  expect(attempts).toBe(1)
  await page.keyboard.up('Enter')
  await page.keyboard.press('Enter')
  await expect.poll(() => attempts).toBe(2)
})

test('where the server cannot be reached, the sign-in page says so on a card that leads home', async ({ page }) => {
  await page.route('**/trpc/**', (route) => route.abort())
  await page.goto('/sign-in')
  await expect(page.getByRole('heading', { name: 'This page could not be loaded', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'TRAXX home page' })).toBeVisible()
  await page.unroute('**/trpc/**')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
})

test('what is no address is said before it is sent, and a long one fits the narrowest phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto('/checkout?trial=true')
  await page.getByLabel('Email address').fill('nonsense')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter an email address like name@example.com')).toBeVisible()
  await page.getByLabel('Email address').fill(`${'a-very-long-name'.repeat(3)}.${Date.now()}@example.com`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expectNoOverflow(page, 'the step that asks for the code')
})

test('an address that is taken cannot sign up again', async ({ page }) => {
  await page.goto('/checkout?trial=true')
  await page.getByLabel('Email address').fill(DEMO.email)
  await page.getByLabel('Password', { exact: true }).fill('another good password')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/taken/i)).toBeVisible()
})

test('a forgotten password is set anew by a mailed code', async ({ page, context }) => {
  const email = await startTrialUnseen(page)
  await context.clearCookies()
  await page.goto('/sign-in')
  await page
    .getByRole('link', { name: 'Forgot password?' })
    .or(page.getByRole('button', { name: 'Forgot password?' }))
    .click()
  await page.getByLabel('Email address').fill(email)
  await page.keyboard.press('Enter')
  await page.getByLabel('Verification code').fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/incorrect/i)).toBeVisible()
  await page.getByLabel('Verification code').fill(await mailedCode(page, email))
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'New password' }).fill('a brand new password')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await context.clearCookies()
  await signInWithForm(page, { email, password: 'a brand new password' })
})
