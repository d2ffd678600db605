import { once } from 'node:events'
import { createServer } from 'node:http'
import { chromium, type Browser } from '@playwright/test'
import { ensureBrowser } from '#scripts/find-browser.ts'
import { signedInState, startDemoApp } from './demo-app.ts'
import { median } from './measure.ts'
import { printTimes } from './report.ts'

/**
 * `npm run bench -- first-row`: from going to the contracts page until its first row shows, with an empty cache, against
 * a bare static page that holds the same table; in turn, in one run.
 */
const ROUNDS = 15
const AT_MOST = 4
/** A session token is good for a minute: with one that has run out, the page would come without its rows. */
const ROUNDS_PER_SIGN_IN = 3

const app = await startDemoApp()
const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: ['--no-sandbox'] })
try {
  const ours = { url: `${app.origin}/contracts`, state: await signedInState(browser, app.origin) }
  const page = createServer().on('request', (_, answer) => answer.setHeader('content-type', 'text/html').end(table))
  const table = `<!doctype html><title>Contracts</title>${await tableOf(ours)}`
  page.listen(0, '127.0.0.1')
  await once(page, 'listening')
  const address = page.address()
  const bare = { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/` }
  const took = { ours: new Array<number>(), reference: new Array<number>() }
  for (let round = -2; round < ROUNDS; round += 1) {
    if (round % ROUNDS_PER_SIGN_IN === 0) ours.state = await signedInState(browser, app.origin)
    const [one, other] = [await firstRow(ours), await firstRow(bare)]
    if (round >= 0) took.ours.push(one)
    if (round >= 0) took.reference.push(other)
  }
  page.close()
  printTimes({ what: 'first row of the contracts page', ...took }, AT_MOST)
  console.log(`beyond the bare page: ${(median(took.ours) - median(took.reference)).toFixed(0)} ms`)
} finally {
  await browser.close()
  await app.stop()
}

interface Visit {
  url: string
  state?: Awaited<ReturnType<typeof signedInState>>
}

/** Milliseconds as the page's own clock has them, from the start of its navigation to the frame after the row. */
async function firstRow(visit: Visit): Promise<number> {
  const { page, close } = await open(browser, visit)
  const shown = await page.waitForFunction(() => performance.getEntriesByName('first-row')[0]?.startTime)
  const time = await shown.jsonValue()
  await close()
  return time ?? Number.NaN
}

async function tableOf(visit: Visit): Promise<string> {
  const { page, close } = await open(browser, visit)
  await page.locator('tbody tr').first().waitFor()
  const html = await page.locator('table').evaluate((element) => element.outerHTML)
  await close()
  return html
}

async function open(from: Browser, { url, state }: Visit) {
  const context = await from.newContext(state && { storageState: state })
  await context.addInitScript(markFirstRow)
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'commit' })
  return { page, close: () => context.close() }
}

/** Runs in the page: a skeleton's rows are hidden from assistive technology, and do not count. */
function markFirstRow() {
  const look = () => {
    const row = document.querySelector('tbody tr td:not(:empty)')?.closest('tr:not([aria-hidden] *)')
    if (row && !row.querySelector('[class*="keleton"]')) performance.mark('first-row')
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
