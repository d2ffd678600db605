import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { freePort, startApp, type AppProcess } from '#support/app-process.ts'

export { expect }

/** The app as a person starts it, on a separate embedded database. */
export interface RunningApp {
  url: string
  /**
   * Stops the server as Ctrl-C does, or kills it with all that it has not finished, and starts it again, with other
   * settings where some are given.
   */
  restart(how?: 'SIGINT' | 'SIGKILL', settings?: Record<string, string>): Promise<void>
}

/** What a browser writes on its console of its own when a call is refused, as refusals are part of these journeys. */
const EXPECTED_ON_CONSOLE = [/^Failed to load resource/, /Clerk has been loaded with development keys/]

interface Options {
  /** False for a journey through what is shown before the app's scripts run. */
  waitsForScripts: boolean
  complaints: string[]
}

export const test = base.extend<Options, { app: RunningApp }>({
  waitsForScripts: [true, { option: true }],
  context: async ({ context, waitsForScripts }, use) => {
    if (waitsForScripts) waitForScripts(context)
    await use(context)
  },
  app: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern, and this fixture needs no other
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'traxx-journey-'))
      // Root's PostgreSQL runs as another user, who must be able to enter.
      chmodSync(folder, 0o755)
      const port = String(await freePort())
      const start = async (settings: Record<string, string> = {}): Promise<AppProcess> => {
        const started = startApp({ PORT: port, DATA_DIR: join(folder, 'data'), OPERATOR_TOKEN, ...settings })
        void started.ended.then(() => tellFaults(started))
        await started.says('TRAXX is ready at')
        return started
      }
      let app = await start()
      await use({
        url: `http://localhost:${port}`,
        restart: async (how = 'SIGINT', settings = {}) => {
          app.child.kill(how)
          await app.ended
          app = await start(settings)
        },
      })
      app.child.kill('SIGINT')
      await app.ended
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ app }, use) => use(app.url),
  // Nothing may go wrong unheard in the browser, which also says here what a page's policy has refused.
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        const text = message.text()
        const isExpected = EXPECTED_ON_CONSOLE.some((pattern) => pattern.test(text))
        if (message.type() === 'error' && !isExpected) complaints.push(text)
      })
      await use(complaints)
      expect(complaints, 'errors on the browser console').toEqual([])
    },
    { auto: true },
  ],
})

/** What a server has logged as a fault: the journey that failed says only what its page showed. */
function tellFaults(app: AppProcess): void {
  for (const line of app.output().split('\n')) if (line.includes('"msg":"fault"')) console.error(line)
}

/**
 * A click or key on a page that the server has rendered is lost until the app's scripts run. A person repeats it; here
 * every page of the context waits for them.
 */
export function waitForScripts(context: BrowserContext): void {
  context.on('page', (page) => {
    const inert = page.locator('#root:not([data-interactive])')
    // A handler that does nothing: actions and expectations then wait until what called for it is gone.
    void page.addLocatorHandler(inert, async () => {})
    // Keys alone call for no handler.
    const goto = page.goto.bind(page)
    const reload = page.reload.bind(page)
    page.goto = async (...how) => {
      const response = await goto(...how)
      await expect(inert).toHaveCount(0)
      return response
    }
    page.reload = async (...how) => {
      const response = await reload(...how)
      await expect(inert).toHaveCount(0)
      return response
    }
  })
}

/** The app reads keys by scripts of their own, which come after those that make a page interactive. */
export async function pressUntilVisible(page: Page, keys: string[], result: Locator): Promise<void> {
  await expect(async () => {
    if (!(await result.isVisible())) for (const key of keys) await page.keyboard.press(key)
    await expect(result).toBeVisible({ timeout: 2000 })
  }).toPass()
}

/** On the pages that are opened from here on, Undo does not go after 10 seconds, which a slow machine may need before. */
export async function keepUndo(page: Page): Promise<void> {
  await skipTimers(page, 10_000)
}

/** The page after a checkout does not lead on by itself after 3 seconds, but only by its button. */
export async function stayAfterCheckout(page: Page): Promise<void> {
  await skipTimers(page, 3000)
}

async function skipTimers(page: Page, milliseconds: number): Promise<void> {
  await page.addInitScript((skipped) => {
    globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
      apply: (set, self, [act, after, ...values]) =>
        Reflect.apply(set, self, [after === skipped ? () => {} : act, after, ...values]),
    })
  }, milliseconds)
}

/** By Tab alone, as somebody without a mouse gets there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  // A dialog that has just opened takes the focus a moment later.
  await expect.poll(() => target.evaluate(isInFocusedDialog)).toBe(true)
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < MOST_TABS && !(await isThere()); presses += 1) await page.keyboard.press('Tab')
  await expect(target).toBeFocused({ timeout: 1000 })
}

/** Run in the page: whether the focus is in the same dialog, if it is in one. */
function isInFocusedDialog(element: Element): boolean {
  return element.closest('[role=dialog]')?.contains(document.activeElement) ?? true
}

/** Beyond these, nobody goes on. */
const MOST_TABS = 100

/** Goes on to another screen of the app as its own links do, in the document that is there. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path)
}

/** The same, to a screen that leads elsewhere. @returns where it leads to */
export function ledFrom(page: Page, path: string): Promise<string> {
  return page.evaluate(async (to) => {
    history.pushState(null, '', to)
    while (location.pathname === to) await new Promise((resolve) => setTimeout(resolve, 10))
    return location.pathname + location.search
  }, path)
}

/** That the page shows what it asked the server for. Quiet on the network says less: a slow machine pauses in between. */
export async function expectLoaded(page: Page): Promise<void> {
  const busy = page.locator('[aria-busy="true"], [role="status"][aria-label="Loading..."]')
  await expect(busy.or(page.getByText('Loading...', { exact: true }))).toHaveCount(0)
}

export const OPERATOR_TOKEN = 'operator-of-the-journeys-1'
export const PASSWORD = 'correct horse battery'
export const DEMO = { email: 'demo@traxx.test', password: 'renewals-in-good-time-14' }

let people = 0
export function anEmail(): string {
  people += 1
  return `ada.${Date.now()}.${people}@example.com`
}

/** A calendar day as the date fields take it, counted from today; UTC is the zone of these browsers. */
export function dayFromNow(days: number, timeZone = 'UTC'): string {
  // Sweden's dates are in this order.
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now() + days * 86_400_000)
}

/** The code of the latest mail to an address, from the development mailbox. */
export async function mailedCode(page: Page, to: string): Promise<string> {
  const answer = await page.request.get('/dev/mailbox', { params: { to }, headers: { accept: 'application/json' } })
  const [mail] = await answer.json()
  return /\b\d{6}\b/.exec(mail.text)?.[0] ?? `no code in ${mail.text}`
}

/** From the checkout's sign-up form to the hosted payment page. */
export async function signUp(page: Page, email: string, firstName = 'Ada'): Promise<void> {
  await page.getByLabel('First name').fill(firstName)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Verification code')).toBeVisible()
  await page.getByLabel('Verification code').fill(await mailedCode(page, email))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/__stripe/checkout/**')
}

export async function pay(page: Page, number = '4242 4242 4242 4242'): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expires').fill('12 / 40')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Ada Lovelace')
  await page.keyboard.press('Enter')
}

export async function signInWithForm(page: Page, { email, password = PASSWORD }: { email: string; password?: string }) {
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
}
