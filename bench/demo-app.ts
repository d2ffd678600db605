import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from '@playwright/test'
import { DEMO_SIGN_IN } from '#standins/demo/demo.ts'
import { freePort, startApp } from '#support/app-process.ts'

interface DemoApp {
  origin: string
  stop(): Promise<void>
}

/** TRAXX as `npm start` runs it, with the demo account and a separate database. */
export async function startDemoApp(): Promise<DemoApp> {
  const folder = mkdtempSync(join(tmpdir(), 'traxx-demo-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const app = startApp({ PORT: String(port), DATA_DIR: join(folder, 'data') })
  const stop = async () => {
    app.child.kill('SIGINT')
    await app.ended
    rmSync(folder, { recursive: true, force: true })
  }
  await app.says('TRAXX is ready at').catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { origin: `http://localhost:${port}`, stop }
}

/** A browser's cookies after signing in to the demo account. */
export async function signedInState(browser: Browser, origin: string) {
  const context = await browser.newContext({ baseURL: origin })
  await signInToDemo(context, origin)
  const state = await context.storageState()
  await context.close()
  return state
}

export async function signInToDemo(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${origin}/sign-in`)
  await page.getByLabel('Email address').fill(DEMO_SIGN_IN.email)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_SIGN_IN.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await page.close()
}
