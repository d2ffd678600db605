import { DEMO, expect, expectLoaded, test } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

test('without a connection a screen that was not opened before says so, and opens once there is one', async ({
  page,
  context,
  complaints,
}) => {
  await page.goto('/')
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await page.waitForFunction(() => globalThis.Clerk?.loaded)
  await expectLoaded(page)
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Customers', exact: true }).first().click()
  await expect(page.getByText('There is no connection', { exact: false }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeEnabled()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('table', { name: 'Customers' })).toBeVisible()
  // React reports what a screen's failure replaced, and the router the same once more where the pointer lingers on a link.
  expect(complaints).not.toEqual([])
  for (const complaint of complaints.splice(0)) expect(complaint).toContain('No connection')
})
