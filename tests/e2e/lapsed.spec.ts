import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { anEmail, DEMO, expect, goWithin, pay, signUp, test } from './support/journey.ts'
import { PROTECTED } from '#support/screens.ts'
import { signIn } from './support/sessions.ts'

const FAILS_LATER = '4000 0000 0000 0341'
const REASON = 'Your last payment failed, so TRAXX is read-only until you update your card'

/** Lets billing's time pass; it comes back once the webhooks of it have been heard. */
async function passDays(page: Page, days: number): Promise<void> {
  expect((await page.request.post('/__stripe/clock', { data: { days } })).status()).toBe(200)
}

async function subjectsTo(page: Page, to: string): Promise<string[]> {
  const answer = await page.request.get('/dev/mailbox', { params: { to }, headers: { accept: 'application/json' } })
  const mails: { subject: string }[] = await answer.json()
  return mails.map(({ subject }) => subject)
}

/** Run in the page: whether text and buttons are within the edges. */
function showsAllOfIt(box: Element): boolean {
  const { top, right, bottom, left } = box.getBoundingClientRect()
  return [...box.querySelectorAll('p, button')].every((part) => {
    const inner = part.getBoundingClientRect()
    return inner.top >= top && inner.bottom <= bottom && inner.left >= left && inner.right <= right
  })
}

async function startTrialThatFails(page: Page): Promise<string> {
  const email = anEmail()
  await page.goto('/checkout?trial=true')
  await signUp(page, email)
  await pay(page, FAILS_LATER)
  await page.waitForURL(({ pathname }) => pathname === '/dashboard')
  await page.getByRole('button', { name: 'Load Sample Data' }).click()
  await expect(page.getByText('This is sample data')).toBeVisible()
  return email
}

test('a lapsed account sees and exports everything, is told what it cannot change, is warned of its deletion, and comes back', async ({
  page,
  app,
}) => {
  test.setTimeout(600_000)
  const email = await startTrialThatFails(page)
  const banner = page.getByRole('status').filter({ hasText: REASON })

  await test.step('a week after the payment failed, it is read-only and says so', async () => {
    await passDays(page, 14.1)
    await passDays(page, 8)
    await expect(async () => {
      await page.goto('/dashboard')
      await expect(banner).toBeVisible({ timeout: 15_000 })
    }).toPass()
    await expect(banner.getByRole('button', { name: 'Update Card' })).toBeVisible()
  })

  await test.step('every screen opens, and none offers to save', async () => {
    for (const [path, title] of Object.entries(PROTECTED)) {
      await goWithin(page, path)
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    }
    for (const path of ['/company', '/notifications/settings', '/notifications/texts']) {
      await page.goto(path)
      await expect(page.getByRole('note').first()).toContainText(REASON)
      await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(0)
      await expect(page.getByRole('textbox').or(page.getByRole('switch')).first()).toBeDisabled()
      if (path === '/company') await expectAccessible(page, 'a form of a read-only account')
    }
  })

  await test.step('what would change something says why it does not, and leads to the card', async () => {
    await page.goto('/dashboard')
    // A press of the key, as Playwright waits before a click until the button is no longer disabled.
    await page
      .getByRole('button', { name: /^Send Reminder/ })
      .first()
      .press('Enter')
    const toast = page.getByRole('alert').filter({ hasText: REASON })
    await expect(toast.getByRole('button', { name: 'Update Card' })).toBeVisible()
    const desk = page.viewportSize()
    await page.setViewportSize({ width: 320, height: 800 })
    await expect.poll(() => toast.evaluate(showsAllOfIt), 'a toast on a narrow phone').toBe(true)
    if (desk) await page.setViewportSize(desk)
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Create Key' }).press('Enter')
    await expect(toast).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await toast.getByRole('button', { name: 'Update Card' }).click()
    await page.waitForURL('**/__stripe/portal/**')
  })

  await test.step('contracts can be read and exported', async () => {
    await page.goto('/contracts')
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.csv$/)
  })

  await test.step('once it has ended, it is told until when its data is kept, and exports all of it', async () => {
    await passDays(page, 40)
    await expect(async () => {
      await page.goto('/contracts')
      await page.waitForURL('**/checkout?trial=true', { timeout: 15_000 })
    }).toPass()
    await expect(page.getByText(/We will keep your account, customers, and contracts until/)).toBeVisible()
    await page.getByRole('link', { name: 'export them' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export Everything' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.zip$/)
  })

  await test.step('its deletion is announced by mail, 30 days before and 7 days before', async () => {
    await passDays(page, 30)
    // Nothing is fetched from a server that stops.
    await page.goto('about:blank')
    // The job that looks for such accounts runs when the server starts.
    await app.restart()
    const first = /^Your TRAXX data will be deleted on /
    await expect.poll(() => subjectsTo(page, email)).toContainEqual(expect.stringMatching(first))
    await passDays(page, 25)
    await app.restart()
    const last = /^Last reminder: your TRAXX data will be deleted on /
    await expect.poll(() => subjectsTo(page, email)).toContainEqual(expect.stringMatching(last))
  })

  await test.step('whoever subscribes again finds everything as it was', async () => {
    await page.goto('/checkout?trial=true')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.waitForURL('**/__stripe/checkout/**')
    await pay(page)
    await page.waitForURL(({ pathname }) => ['/dashboard', '/contracts', '/profile'].includes(pathname))
    await page.goto('/contracts')
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    await expect(banner).toHaveCount(0)
    await page.getByRole('button', { name: 'Add Contract' }).click()
    await expect(page.getByRole('dialog', { name: 'Add Contract' })).toBeVisible()
  })

  await test.step('who has paid all the time notices nothing of it', async () => {
    await page.context().clearCookies()
    await signIn(page, DEMO)
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  })
})
