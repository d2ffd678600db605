import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'

let project: string

beforeEach(() => {
  project = mkdtempSync(join(realpathSync(tmpdir()), 'traxx-ensure-'))
  mkdirSync(join(project, 'scripts'))
  copyFileSync(new URL('ensure.mjs', import.meta.url), join(project, 'scripts/ensure.mjs'))
  writeFileSync(join(project, 'package.json'), '{ "name": "small", "version": "1.0.0" }')
  lockWith('1.0.0')
})

afterEach(() => rmSync(project, { recursive: true, force: true }))

function lockWith(version: string): void {
  const packages = { '': { name: 'small', version } }
  writeFileSync(
    join(project, 'package-lock.json'),
    JSON.stringify({ name: 'small', version, lockfileVersion: 3, packages }),
  )
}

function ensure(env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(project, 'scripts/ensure.mjs')], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, stdout, stderr }
}

const INSTALLED = { status: 0, stdout: '', stderr: expect.stringContaining('Dependencies installed') }
const NOTHING_TO_DO = { status: 0, stdout: '', stderr: '' }

test('dependencies are installed once, and again when the lock file changes', () => {
  expect(ensure()).toEqual(INSTALLED)
  expect(ensure()).toEqual(NOTHING_TO_DO)
  lockWith('1.0.1')
  expect(ensure()).toEqual(INSTALLED)
})

test('of two that run at once, one installs and the other waits', async () => {
  const both = await Promise.all([0, 1].map(ensureBeside))
  expect(both.filter((said) => said.includes('Dependencies installed'))).toHaveLength(1)
  expect(ensure()).toEqual(NOTHING_TO_DO)
})

async function ensureBeside(): Promise<string> {
  const child = spawn(process.execPath, [join(project, 'scripts/ensure.mjs')], { stdio: ['ignore', 'inherit', 'pipe'] })
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return said
}

test('one that was killed while it installed holds up nobody', () => {
  const lock = join(tmpdir(), `traxx-install-${createHash('sha256').update(`${project}/`).digest('hex').slice(0, 16)}`)
  const ended = spawnSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).stdout.trim()
  mkdirSync(lock)
  writeFileSync(join(lock, 'pid'), ended)

  expect(ensure()).toEqual(INSTALLED)
  expect(existsSync(lock)).toBe(false)
})

test('a failed installation says so and is tried again the next time', () => {
  writeFileSync(join(project, 'package-lock.json'), 'no json')
  expect(ensure()).toMatchObject({ status: 1, stderr: expect.stringContaining('npm ci failed for the reason above.') })
  lockWith('1.0.0')
  expect(ensure()).toEqual(INSTALLED)
})

test('a Node that is too old is named, with what to do', () => {
  const old = join(project, 'old')
  mkdirSync(old)
  writeFileSync(join(old, 'node'), '#!/bin/sh\necho v20.1.0\n', { mode: 0o755 })
  const npm = join(project, 'npm-cli.js')
  writeFileSync(npm, '')

  const outcome = ensure({
    PATH: `${old}:${process.env['PATH']}`,
    npm_execpath: npm,
    npm_node_execpath: process.execPath,
  })
  expect(outcome).toMatchObject({ status: 1, stderr: expect.stringContaining('the node on the PATH is v20.1.0') })
})
