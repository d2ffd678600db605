import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findBrowser, findHeadlessShell } from './find-browser.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traxx-browser-'))
  vi.stubEnv('PATH', `${folder}:/bin:/usr/bin`)
  vi.stubEnv('TRAXX_CHROMIUM', '')
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

function aCommand(name: string, exitCode: number): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\nexit ${exitCode}\n`, { mode: 0o755 })
  return path
}

test('TRAXX_CHROMIUM names the browser', () => {
  vi.stubEnv('TRAXX_CHROMIUM', '/opt/my/chromium')
  aCommand('chromium', 0)
  expect(findBrowser()).toBe('/opt/my/chromium')
})

test('a browser on the PATH is found', () => {
  const chromium = aCommand('chromium', 0)
  expect(findBrowser()).toBe(chromium)
})

test('a command that only says what to install is no browser', () => {
  vi.stubEnv('PATH', folder)
  const stub = aCommand('chromium', 1)
  const chrome = aCommand('google-chrome', 0)
  expect(findBrowser()).not.toBe(stub)
  expect(findBrowser()).toBe(chrome)
})

test('a headless shell is taken where one is installed, and never in place of the named browser', () => {
  vi.stubEnv('PATH', folder)
  expect(findHeadlessShell()).toBeUndefined()
  const shell = aCommand('chromium-headless-shell', 0)
  expect(findHeadlessShell()).toBe(shell)
  vi.stubEnv('TRAXX_CHROMIUM', '/opt/my/chromium')
  expect(findHeadlessShell()).toBeUndefined()
})
