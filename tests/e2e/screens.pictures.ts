import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { importContracts } from './support/contracts.ts'
import {
  anEmail,
  dayFromNow,
  DEMO,
  expect,
  expectLoaded,
  OPERATOR_TOKEN,
  pay,
  signUp,
  test,
} from './support/journey.ts'
import {
  ANSWERED,
  answerScreens,
  EMPTY,
  FILLED,
  OPERATED,
  PUBLIC,
  READ_ONLY,
  UNSUBSCRIBED,
  type PicturedScreen,
} from '#support/pictured-screens.ts'
import { remindCustomers } from './support/reminded.ts'
import { sessionToken, signIn, signUpOnly, startTrial } from './support/sessions.ts'

const FOLDER = join(import.meta.dirname, '../../pictures')
const WIDTHS = [1280, 390]
const COLOR_SCHEMES = ['light', 'dark'] as const

test.describe.configure({ mode: 'parallel' })
test.beforeAll(() => mkdirSync(FOLDER, { recursive: true }))
test.afterAll(() => writeFileSync(join(FOLDER, 'index.html'), overview(readdirSync(FOLDER))))

test('what anybody sees', ({ page }) => takeAll(page, PUBLIC))

test('the demo account', async ({ page }) => {
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await expectLoaded(page)
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  const change = async (method: string, path: string, data?: object) =>
    expect(await page.request.fetch(path, { method, headers, ...(data && { data }) })).toBeOK()
  await change('PUT', '/contracts/1', {
    title: 'Front desk software',
    tags: ['Software', 'Key account'],
    nextAmount: 3780,
  })
  await change('PUT', '/customers/1', { tags: ['Key account'] })
  await change('POST', '/contracts/1/renew')
  await change('POST', '/contracts/1/notes', { text: 'Asked for two more seats' })
  await change('DELETE', '/contracts/2')
  await takeAll(page, FILLED)
})

test('an empty account', async ({ page }) => {
  await startTrial(page)
  await takeAll(page, EMPTY)
})

test('an account without a subscription', async ({ page }) => {
  await signUpOnly(page, anEmail())
  await takeAll(page, UNSUBSCRIBED)
})

test('a read-only account', async ({ page }) => {
  await page.goto('/checkout?trial=true')
  await signUp(page, anEmail())
  await pay(page, '4000 0000 0000 0341')
  await page.waitForURL(({ pathname }) => pathname === '/dashboard')
  await page.getByRole('button', { name: 'Load Sample Data' }).click()
  await expect(page.getByText('This is sample data')).toBeVisible()
  for (const days of [14.1, 8]) await page.request.post('/__stripe/clock', { data: { days } })
  await expect(async () => {
    await page.goto('/dashboard')
    await expect(page.getByRole('button', { name: 'Update Card' })).toBeVisible({ timeout: 15_000 })
  }).toPass()
  await takeAll(page, READ_ONLY)
})

test('an account whose customers answer, and its customers', async ({ page }) => {
  await startTrial(page)
  const [reminded] = await remindCustomers(page, ['Harbor'])
  const [answered] = await remindCustomers(page, ['Mill'])
  if (!reminded || !answered) throw new Error('Two customers were reminded')
  await page.goto(`${answered.link}/change`)
  await page.getByLabel('Amount you would like').fill('80')
  await page.getByLabel('Message').fill('We need less space than last year')
  await page.getByRole('button', { name: 'Send to Mill & Sons' }).click()
  await expect(page.getByRole('status')).toContainText('Mill & Sons has been told')
  await page.goto('/dashboard')
  const headings = 'Customer Name,Amount,Start Date,Renewal Cycle,Renewal Date,Status,Renews'
  await importContracts(page, [`Quarry,1200.00,2025-01-01,yearly,${dayFromNow(30)},active,automatic`], headings)
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  const rule = { name: 'Our contracts', unit: 'days', from: 40, until: 10, countedFrom: 'renewal_date' }
  const made = await page.request.post('/notice-rules', { headers, data: { ...rule, means: ['letter'] } })
  const { id } = await made.json()
  expect((await page.request.put('/notice-rules/chosen', { headers, data: { rule: id } })).ok()).toBe(true)
  await takeAll(page, [...ANSWERED, ...answerScreens(reminded.link)])
})

test('what an operator sees', async ({ browser, app }) => {
  const httpCredentials = { username: 'operator', password: OPERATOR_TOKEN }
  await using context = await browser.newContext({ baseURL: app.url, httpCredentials })
  await takeAll(await context.newPage(), OPERATED)
})

async function takeAll(page: Page, screens: PicturedScreen[]): Promise<void> {
  for (const screen of screens) {
    await test.step(screen.name, async () => {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.goto(screen.path)
      await expectLoaded(page)
      await screen.act?.(page)
      await takeEach(page, screen)
    })
  }
}

async function takeEach(page: Page, { name, act }: PicturedScreen): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of COLOR_SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expectLoaded(page)
      await page.evaluate(paintAll)
      // In place of charts and previews whose scripts or answers are still to come.
      const missing = (act ? page.getByRole('dialog') : page.locator('body')).locator('.mantine-Skeleton-root')
      await expect(async () => {
        if (!act) await scrollThrough(page)
        await expect(missing).toHaveCount(0, { timeout: 500 })
      }).toPass()
      const path = join(FOLDER, `${name}.${width}.${colorScheme}.png`)
      // What an act has opened lies over what is in the window.
      await page.screenshot({ path, fullPage: !act, animations: 'disabled' })
    }
  }
}

/** Rows out of sight are not painted, and would be empty in the picture. Run in the page, whose policy takes no other style. */
function paintAll() {
  const style = new CSSStyleSheet()
  style.replaceSync('* { content-visibility: visible !important }')
  document.adoptedStyleSheets = [style]
}

/** Charts and cards are drawn once they are in sight. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.body.scrollHeight; top += innerHeight) {
      scrollTo(0, top)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    }
    scrollTo(0, 0)
  })
}

/** A page with all pictures that there are, each screen with what it has to show. */
function overview(files: string[]): string {
  const sections = [...PUBLIC, ...FILLED, ...EMPTY, ...ANSWERED, ...answerScreens(''), ...OPERATED, ...READ_ONLY].map(
    ({ name, shows }) => {
      const pictures = files.filter((file) => file.startsWith(`${name}.`))
      const images = pictures.map((file) => `<a href="${file}"><img src="${file}" alt="${file}" height="400"></a>`)
      return `<h2>${name}</h2><p>Shows ${shows}.</p>${images.join(' ')}`
    },
  )
  return `<!doctype html><meta charset="utf-8"><title>Pictures of every screen</title>${sections.join('\n')}`
}
