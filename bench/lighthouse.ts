import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type BrowserContext } from '@playwright/test'
import { z } from 'zod'
import { ensureBrowser } from '#scripts/find-browser.ts'
import { freePort } from '#support/app-process.ts'
import { signInToDemo, startDemoApp } from './demo-app.ts'
import { median } from './measure.ts'

/**
 * `npm run bench -- lighthouse`: the median of five runs a page, with what was set as a goal for it. The tool itself is
 * fetched into npm's cache: it would double what a fresh clone installs. Paths may be named: `node … /contracts`.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const RUNS = 5
const FORMS = ['mobile', 'desktop'] as const
const APP_GOALS = { mobile: 'performance 90, accessibility 100', desktop: 'performance 98, accessibility 100' }
const GOALS = {
  '/': { mobile: 'all four 95', desktop: 'none' },
  '/dashboard': APP_GOALS,
  '/contracts': APP_GOALS,
  '/customers': APP_GOALS,
}

const Report = z.object({ categories: z.record(z.string(), z.object({ score: z.number().nullable() })) })
type Form = (typeof FORMS)[number]

const app = await startDemoApp()
try {
  for (const [path, goals] of Object.entries(GOALS)) {
    if (process.argv.length > 2 && !process.argv.includes(path)) continue
    for (const form of FORMS) await print(path, { form, goal: goals[form] })
  }
} finally {
  await app.stop()
}

async function print(path: string, { form, goal }: { form: Form; goal: string }) {
  const runs: Record<string, number>[] = []
  for (let run = 0; run < RUNS; run += 1) runs.push(await audit(path, form))
  const names = Object.keys(runs[0] ?? {})
  const scores = names.map((name) => `${name} ${median(runs.map((run) => run[name] ?? 0)).toFixed(0)}`)
  console.log(`${path.padEnd(12)} ${form.padEnd(8)} ${scores.join(', ')}  (goal: ${goal})`)
}

/** In a new browser, whose cache is empty but for what signing in has left, which is cleared. */
async function audit(path: string, form: Form): Promise<Record<string, number>> {
  const port = await freePort()
  const profile = mkdtempSync(join(tmpdir(), 'traxx-lighthouse-'))
  const executablePath = await ensureBrowser()
  const args = ['--no-sandbox', `--remote-debugging-port=${port}`]
  const context = await chromium.launchPersistentContext(profile, { executablePath, args })
  try {
    if (path !== '/') await signInToDemo(context, app.origin)
    await clearCache(context)
    return scoresOf(await lighthouse(path, { port, form }))
  } finally {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

async function clearCache(context: BrowserContext) {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await page.close()
}

async function lighthouse(path: string, { port, form }: { port: number; form: Form }): Promise<string> {
  const preset = form === 'desktop' ? ['--preset=desktop'] : []
  const options = [`--port=${port}`, '--disable-storage-reset', '--quiet', '--output=json', ...preset]
  const command = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', `${app.origin}${path}`, ...options]
  const { stdout } = await promisify(execFile)('npm', command, { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

function scoresOf(report: string): Record<string, number> {
  const { categories } = Report.parse(JSON.parse(report))
  return Object.fromEntries(Object.entries(categories).map(([name, { score }]) => [name, (score ?? 0) * 100]))
}
