import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { DEMO_SIGN_IN } from '#standins/demo/demo.ts'
import { freePort, startApp } from '#support/app-process.ts'
import { ensureBrowser } from './find-browser.ts'
import { palettePng, type Bitmap } from './png-palette.ts'

/**
 * `npm run screenshots`: retakes the pictures of the dashboard that the landing page and the README show, from
 * the demo account of a server of its own.
 */
const IMAGES = join(import.meta.dirname, '../src/client/public/images')
const SIZE = { width: 1280, height: 800 }
const PICTURES = [
  { file: 'dashboard.png', colorScheme: 'light' },
  { file: 'dashboard-dark.png', colorScheme: 'dark' },
] as const

const folder = mkdtempSync(join(tmpdir(), 'traxx-screenshots-'))
// Root's PostgreSQL runs as another user, who must be able to enter.
chmodSync(folder, 0o755)
const port = await freePort()
const app = startApp({ PORT: String(port), DATA_DIR: join(folder, 'data') })
try {
  await app.says('TRAXX is ready at')
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: ['--no-sandbox'] })
  for (const { file, colorScheme } of PICTURES) {
    const png = palettePng(await bitmapOf(browser, await photograph(browser, colorScheme)))
    await writeFile(join(IMAGES, file), png)
    console.log(`${file}: ${png.length} bytes`)
  }
  await browser.close()
} finally {
  app.child.kill('SIGINT')
  await app.ended
  rmSync(folder, { recursive: true, force: true })
}

/** The dashboard as the demo account sees it, once all of it is there. */
async function photograph(browser: Browser, colorScheme: 'light' | 'dark'): Promise<Buffer> {
  const page = await browser.newPage({ baseURL: `http://localhost:${port}`, viewport: SIZE, colorScheme })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(DEMO_SIGN_IN.email)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_SIGN_IN.password)
  await page.keyboard.press('Enter')
  // The charts below are drawn once they are in sight.
  await page
    .getByRole('button', { name: /^Renew: / })
    .first()
    .waitFor()
  await page.waitForLoadState('networkidle')
  const png = await page.screenshot()
  await page.close()
  return png
}

/** The pixels of a PNG, which a browser knows how to read. */
async function bitmapOf(browser: Browser, png: Buffer): Promise<Bitmap> {
  const page = await browser.newPage()
  const pixels = await page.evaluate(async (base64) => {
    const image = new Image()
    image.src = `data:image/png;base64,${base64}`
    await image.decode()
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context?.drawImage(image, 0, 0)
    return [...(context?.getImageData(0, 0, image.width, image.height).data ?? [])]
  }, png.toString('base64'))
  await page.close()
  return { ...SIZE, rgba: Buffer.from(pixels) }
}
