import { defineConfig, type LaunchOptions } from '@playwright/test'
import { findBrowser, findHeadlessShell } from './scripts/find-browser.ts'

const browser = findBrowser()
const headlessShell = findHeadlessShell() ?? browser
const isRoot = process.getuid?.() === 0

/** The browser asks nobody but the app: no updates, no synchronisation, no experiments. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']

/** Each page lives for seconds: optimizing its scripts takes longer than it saves. */
const NO_OPTIMIZING = '--js-flags=--no-opt --no-maglev'

const SHOWS_PDFS = /pdf\.spec\.ts$/

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  // Also on two cores: much of the time is waited for pages and processes.
  workers: 2,
  // A slow machine takes its time; what does not come at all still fails.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  use: { trace: 'off', screenshot: 'only-on-failure' },
  projects: [
    { name: 'app', testIgnore: SHOWS_PDFS, use: { launchOptions: launchOptions(headlessShell) } },
    { name: 'pdf', testMatch: SHOWS_PDFS, use: { launchOptions: launchOptions(browser) } },
  ],
})

function launchOptions(executablePath: string | undefined): LaunchOptions {
  return {
    ...(executablePath && { executablePath }),
    args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-gpu', '--disable-quic', NO_OPTIMIZING, ...QUIET],
  }
}
