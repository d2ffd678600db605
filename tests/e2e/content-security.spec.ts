import type { Page } from '@playwright/test'
import { DEMO, expect, test } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

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

test('a style that is not of the page is refused', async ({ page, complaints }) => {
  await page.addInitScript(recordRefused)
  await page.goto('/')
  await signIn(page, DEMO)
  for (const path of ['/', '/sign-in', '/dashboard', '/unsubscribe/x']) {
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
  // On the console, where every journey hears of it.
  expect(complaints.splice(0).join()).toContain('Content Security Policy')
})
