import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

const HEADLESS_SHELL = 'chromium-headless-shell'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC_APPS = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
const PLAYWRIGHT = join(import.meta.dirname, '../node_modules/.bin/playwright')

/** A Chromium that runs: the one in TRAXX_CHROMIUM, else one of the machine's, else the one Playwright downloaded. */
export function findBrowser(): string | undefined {
  return process.env['TRAXX_CHROMIUM'] || [...onPath(NAMES), ...MAC_APPS, chromium.executablePath()].find(runs)
}

/**
 * A Chromium without a window to draw, which journeys run in with half of the processor's time. It shows no PDFs.
 * Undefined where there is none, or where TRAXX_CHROMIUM says which browser to use.
 */
export function findHeadlessShell(): string | undefined {
  return process.env['TRAXX_CHROMIUM'] ? undefined : onPath([HEADLESS_SHELL]).find(runs)
}

/** Finds a browser or installs one; throws with what to do where neither works. */
export async function ensureBrowser(): Promise<string> {
  const found = findBrowser()
  if (found) return found

  console.error('Chromium was not found; installing it for the browser tests ...')
  for (const install of installers()) {
    install()
    const installed = findBrowser()
    if (installed) return installed
  }
  throw new Error(
    'The browser journeys need Chromium, and none was found or could be installed (see above). ' +
      'Install Chromium or Google Chrome, or set TRAXX_CHROMIUM to the path of one.',
  )
}

function onPath(names: string[]): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}

/** Some systems have a command of this name that only says what to install. */
function runs(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0
}

function installers(): (() => void)[] {
  const isRoot = process.getuid?.() === 0
  const withPlaywright = () =>
    run(PLAYWRIGHT, ['install', '--no-shell', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
  return isRoot ? [withApt, withPlaywright] : [withPlaywright]
}

function withApt(): void {
  if (!run('apt-get', ['update', '-q'])) return
  // Not every system with a Chromium has the other.
  for (const name of ['chromium', HEADLESS_SHELL])
    run('apt-get', ['install', '-y', '-q', '--no-install-recommends', name])
}

function run(file: string, args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(file, args, { stdio: ['ignore', 2, 2], env }).status === 0
}
