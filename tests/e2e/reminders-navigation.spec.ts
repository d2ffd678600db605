import type { Page } from '@playwright/test'
import { expectNoOverflow } from './support/axe.ts'
import { DEMO, expect, expectLoaded, goWithin, test } from './support/journey.ts'
import { layoutShifts, watchLayout } from './support/layout-shifts.ts'
import { signIn } from './support/sessions.ts'
import { PROTECTED } from '#support/screens.ts'

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

test('nothing moves on the dashboard and the reminders of a phone, however late the answers come, and their buttons say what they do', async ({
  page,
}) => {
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
    await expectLoaded(page)
    expect(await layoutShifts(page)).toEqual([])
    // Another journey may have skipped a message, which the ledger then offers to send.
    const words = tab === 'coming' ? [['Send Now', 'Skip', 'Snooze']] : [[], ['Send Now']]
    expect(words).toContainEqual(await wordsOfButtons(page))
  }
  // First as the server renders it, then with all answers still to come.
  await page.goto('/dashboard')
  await expectDashboard(page)
  await page.goto('/tags')
  await expect(page.getByRole('heading', { name: 'Tags', level: 1 })).toBeVisible()
  await goWithin(page, '/dashboard')
  await expectDashboard(page)
})

test('nothing moves on any screen of a phone, however late the answers come, whether it is opened or led to', async ({
  page,
}) => {
  test.setTimeout(600_000)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, DEMO)
  await page.route('**/trpc/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  await watchLayout(page)
  const moved: Record<string, unknown> = {}
  const look = async (how: string, [path, name]: [path: string, name: string]) => {
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1, ...(name && { name }) })).toBeVisible()
    await expectLoaded(page)
    const shifts = await layoutShifts(page)
    if (shifts.length > 0) moved[`${how} ${path}`] = shifts
    await page.evaluate(() => (globalThis.shifts.length = 0))
  }
  for (const screen of Object.entries(PROTECTED)) {
    await page.goto(screen[0])
    await look('opened:', screen)
  }
  for (const screen of Object.entries(PROTECTED)) {
    await goWithin(page, screen[0])
    await look('led to:', screen)
  }
  expect(moved).toEqual({})
})

async function expectDashboard(page: Page) {
  await expect(page.getByRole('region', { name: 'Charts' })).toBeVisible()
  await expectLoaded(page)
  expect(await layoutShifts(page)).toEqual([])
}

/** What is read on the buttons of the rows in sight: others are not laid out. Each is as wide as its words. */
async function wordsOfButtons(page: Page): Promise<string[]> {
  const labels = page.getByRole('table').locator('.mantine-Button-label')
  const words = await labels.evaluateAll((all) =>
    all
      .filter((label) => label.checkVisibility({ contentVisibilityAuto: true }))
      .map((label) => (label.scrollWidth > label.clientWidth ? `${label.textContent} is cut` : label.textContent)),
  )
  return [...new Set(words)].toSorted()
}
