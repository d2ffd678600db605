import type { Page } from '@playwright/test'
import { DEMO, expect, test } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

const OPEN = ['/', '/privacy', '/terms', '/contact', '/sign-in', '/sign-up', '/unsubscribe/x', '/debug']
const SIGNED_IN = [
  '/dashboard',
  '/customers',
  '/contracts',
  '/notifications',
  '/notifications/settings',
  '/notifications/texts',
  '/reminders',
  '/profile',
  '/nowhere',
]

/** What the page's policy has refused since the page was loaded, by directive. */
function refusedOn(page: Page): Promise<string[]> {
  return page.evaluate(() => Reflect.get(globalThis, 'refusedByPolicy'))
}

function recordRefused() {
  const refused: string[] = []
  Object.assign(globalThis, { refusedByPolicy: refused })
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    refused.push(`${effectiveDirective} ${blockedURI}`)
  })
}

test('no page needs anything that its policy refuses', async ({ page }) => {
  test.setTimeout(120_000)
  await page.addInitScript(recordRefused)
  for (const path of OPEN) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect({ path, refused: await refusedOn(page) }).toEqual({ path, refused: [] })
  }
  await signIn(page, DEMO)
  for (const path of SIGNED_IN) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect({ path, refused: await refusedOn(page) }).toEqual({ path, refused: [] })
  }
  // A dialog keeps the page under it from scrolling by a style of its own.
  await page.goto('/customers')
  await page.getByRole('button', { name: 'Add Customer' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.locator('body')).toHaveCSS('overflow', 'hidden')
  expect(await refusedOn(page)).toEqual([])
})

test('a style that is not of the page is refused', async ({ page, complaints }) => {
  await page.addInitScript(recordRefused)
  for (const path of ['/', '/sign-in']) {
    await page.goto(path)
    const policy = (await page.request.get(path, { headers: { accept: 'text/html' } })).headers()[
      'content-security-policy'
    ]
    expect(policy).not.toMatch(/style-src [^;]*unsafe-inline/)
    await page.evaluate(() => {
      const style = Object.assign(document.createElement('style'), { textContent: 'body { display: none }' })
      document.head.append(style)
    })
    await expect.poll(() => refusedOn(page)).toEqual(['style-src-elem inline'])
    await expect(page.locator('body')).toBeVisible()
  }
  // Chromium says so on its console as well.
  complaints.length = 0
})
