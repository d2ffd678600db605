import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { anEmail, expect, pay, signUp, stayAfterCheckout, test } from './support/journey.ts'

const FAILS_LATER = '4000 0000 0000 0341'

const card = (page: Page) => page.getByRole('region', { name: 'TRAXX Pro', exact: true })
const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'payment failed' })

/** Lets billing's time pass; it comes back once the webhooks of it have been heard. */
async function passDays(page: Page, days: number): Promise<void> {
  expect((await page.request.post('/__stripe/clock', { data: { days } })).status()).toBe(200)
}

/** Does something on the payment provider's page, and comes back to the profile. */
async function inPortal(page: Page, button: 'Update Card' | 'Manage Subscription', work: () => Promise<void>) {
  await page.getByRole('button', { name: button }).click()
  await page.waitForURL('**/__stripe/portal/**')
  await work()
  await page.getByRole('link', { name: /Return to TRAXX/ }).click()
  await page.waitForURL(({ pathname, search }) => pathname === '/profile' && search === '')
}

async function cancel(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Cancel plan' }).click()
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await expect(page.getByText('Your plan was canceled.')).toBeVisible()
}

/** Of two checkouts that are asked for at once, the later closes the earlier. */
async function subscribeInTwoTabs(page: Page, other: Page): Promise<void> {
  await other.goto('/checkout?trial=true')
  const tabs = [page, other]
  await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Subscribe' }).click()))
  await Promise.all(tabs.map((tab) => tab.waitForURL('**/__stripe/checkout/**')))
  await page.goto(await theOneThatCanBePaid(tabs))
  await other.close()
  await pay(page)
}

async function theOneThatCanBePaid(tabs: Page[]): Promise<string> {
  const answers = await Promise.all(tabs.map((tab) => tab.request.get(tab.url())))
  expect(answers.filter((answer) => answer.ok())).toHaveLength(1)
  return answers.find((answer) => answer.ok())?.url() ?? ''
}

test('a subscription from its trial over a failed payment to its end, and anew', async ({ page, context }) => {
  await stayAfterCheckout(page)
  await test.step('the trial begins', async () => {
    await page.goto('/checkout?trial=true')
    await expect(page.getByRole('heading', { name: 'Start Your Free Trial' })).toBeVisible()
    await expect(page.getByText('14 days free, then $29/month. Cancel anytime.')).toBeVisible()
    await expect(page.getByText('Sign up to continue to Stripe checkout')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/sign-in')
    await signUp(page, anEmail())
    await pay(page, FAILS_LATER)
    await expect(page.getByRole('heading', { name: 'Your free trial has started!' })).toBeVisible()
    await expect(page.getByText('cs_')).toHaveCount(0)
    await page.getByRole('button', { name: 'Go to Dashboard' }).click()
    await expect(page.getByText('Welcome to TRAXX! Your free trial has started successfully.')).toBeVisible()
    await page.waitForURL(({ pathname, search }) => pathname === '/dashboard' && search === '')
    await page.getByRole('button', { name: 'Profile menu' }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await expect(card(page)).toContainText(/Trial14 days left.*Next charge\$29\.00 on/)
  })

  await test.step('the first payment fails, and the banner leads to where it is made good', async () => {
    await passDays(page, 14.1)
    // On a busy machine the last webhook may come after the clock's answer.
    await expect(async () => {
      await page.goto('/profile')
      await expect(banner(page)).toContainText('Your last payment failed. Update your card by')
    }).toPass()
    await expect(card(page)).toContainText('Past due since')
    await expectAccessible(page, 'the profile of somebody past due')
    await inPortal(page, 'Update Card', async () => {
      await page.getByRole('link', { name: 'Update card' }).click()
      await pay(page)
      await expect(page.getByText('Your card was updated.')).toBeVisible()
    })
    await expect(card(page)).toContainText(/Active.*Next charge\$29\.00 on/)
    await expect(banner(page)).toBeHidden()
  })

  await test.step('it is canceled, resumed and canceled again', async () => {
    await inPortal(page, 'Manage Subscription', () => cancel(page))
    await expect(card(page)).toContainText(/Canceled on.*Ends on/)
    await expect(card(page)).not.toContainText('Next charge')
    await page.getByRole('button', { name: 'Manage Subscription' }).click()
    await page.getByRole('button', { name: 'Renew plan' }).click()
    await expect(page.getByText('Your plan goes on.')).toBeVisible()
    await cancel(page)
  })

  await test.step('once it has ended the way leads to a checkout without a trial', async () => {
    await passDays(page, 32)
    await expect(async () => {
      await page.goto('/profile')
      await page.waitForURL('**/checkout?trial=true', { timeout: 15_000 })
    }).toPass()
    await expect(page.getByRole('heading', { name: 'Your subscription has ended' })).toBeVisible()
    await expect(page.getByText(/Welcome/)).toHaveCount(0)
    await expect(
      page.getByText(/We will keep your account, customers, and contracts until .*, and then delete them/),
    ).toBeVisible()
    await expect(page.getByText('Free trial discount')).toBeHidden()
    await subscribeInTwoTabs(page, await context.newPage())
    await expect(page.getByRole('heading', { name: 'Your subscription has started!' })).toBeVisible()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(({ pathname, search }) => pathname === '/profile' && search === '')
    await expect(card(page)).toContainText(/Active.*Next charge\$29\.00 on/)
    await expect(card(page)).not.toContainText('Trial')
  })
})
