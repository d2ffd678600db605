import { expectNoOverflow } from './support/axe.ts'
import { DEMO, expect, test } from './support/journey.ts'
import { layoutShifts, watchLayout } from './support/layout-shifts.ts'
import { signIn } from './support/sessions.ts'

const SCREENS = {
  Templates: 'Email Templates',
  Settings: 'Notification Settings',
  Notifications: 'Notifications',
  Reminders: 'Reminders',
}

for (const width of [1280, 800, 390]) {
  test(`reminders, templates, settings and notifications lead to each other at a width of ${width}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    await signIn(page, DEMO)
    await page.goto('/dashboard')
    if (width < 992) await page.getByRole('button', { name: 'Open navigation' }).click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reminders' }).click()
    await expect(page.getByRole('heading', { name: 'Reminders', level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Profile menu' })).toBeInViewport({ ratio: 1 })
    const others = page.getByRole('navigation', { name: 'Reminders and notifications' })
    for (const [name, heading] of Object.entries(SCREENS)) {
      const link = others.getByRole('link', { name, exact: true })
      await link.click()
      await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
      await expect(link).toHaveAttribute('aria-current', 'page')
      await expectNoOverflow(page, heading)
    }
  })
}

test('nothing moves on the reminders of a phone, however late the answers come', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, DEMO)
  await page.route('**/trpc/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  await watchLayout(page)
  for (const tab of ['coming', 'ledger']) {
    await page.goto(`/reminders?tab=${tab}`)
    await expect(page.getByRole('heading', { name: 'Reminders', level: 1 })).toBeVisible()
    await expect(page.getByText('Loading...')).toBeHidden()
    expect(await layoutShifts(page)).toEqual([])
  }
})
