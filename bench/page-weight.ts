import { gzipSync } from 'node:zlib'
import { chromium, type Browser, type Response } from '@playwright/test'
import { ensureBrowser } from '#scripts/find-browser.ts'
import { signedInState, startDemoApp } from './demo-app.ts'

/**
 * `npm run bench -- page-weight`: what a first visit loads, scripts and style sheets together, gzipped at level 9, Clerk's
 * script included.
 */
const BUDGETS = { '/': 20_000, '/dashboard': 400_000, '/contracts': 300_000, '/customers': 300_000 }

const app = await startDemoApp()
try {
  await measure(await chromium.launch({ executablePath: await ensureBrowser(), args: ['--no-sandbox'] }))
} finally {
  await app.stop()
}

async function measure(browser: Browser) {
  const state = await signedInState(browser, app.origin)
  for (const [path, budget] of Object.entries(BUDGETS)) {
    const weights = await weigh(browser, path, path === '/' ? undefined : state)
    const sum = weights.reduce((total, one) => total + one.bytes, 0)
    console.log(
      `${path.padEnd(12)} ${sum} bytes gz in ${weights.length} files, ${(sum / budget).toFixed(2)} of ${budget}`,
    )
    for (const { name, bytes } of weights.slice(0, 4)) console.log(`  ${String(bytes).padStart(7)} ${name}`)
  }
  await browser.close()
}

type State = Awaited<ReturnType<typeof signedInState>>

async function weigh(browser: Browser, path: string, storageState: State | undefined) {
  const context = await browser.newContext({ baseURL: app.origin, ...(storageState && { storageState }) })
  const page = await context.newPage()
  const loaded: Response[] = []
  page.on('response', (response) => {
    if (['script', 'stylesheet'].includes(response.request().resourceType())) loaded.push(response)
  })
  const document = await page.goto(path, { waitUntil: 'networkidle' })
  // It comes only after a while, where nothing on the page needs it sooner.
  if (storageState) await page.waitForFunction(() => globalThis.Clerk?.loaded, undefined, { timeout: 60_000 })
  const weights = await Promise.all(loaded.map(weightOf))
  weights.push({ name: 'styles in the page itself', bytes: gzipped(stylesIn((await document?.text()) ?? '')) })
  await context.close()
  return weights.toSorted((one, other) => other.bytes - one.bytes)
}

async function weightOf(response: Response) {
  return { name: new URL(response.url()).pathname, bytes: gzipped(await response.body()) }
}

/** What a page brings along; a script of its own is hardly a line. */
function stylesIn(html: string): string {
  const [head = ''] = html.split('<body')
  return [...head.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, text]) => text).join('')
}

function gzipped(bytes: Buffer | string): number {
  return gzipSync(bytes, { level: 9 }).length
}
