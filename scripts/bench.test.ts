import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { benchNames } from './bench.ts'

const ROOT = join(import.meta.dirname, '..')

test('every measurement can be named, and what they share cannot', () => {
  expect(benchNames()).toEqual(
    expect.arrayContaining(['lists', 'page-weight', 'plan', 'imports', 'first-row', 'start']),
  )
  expect(benchNames()).not.toContain('measure')
})

test.each(['README.md', 'CONTRIBUTING.md'])(
  '%s names no measurement that is not there, nor one by its file',
  (file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const [, name] of text.matchAll(/npm run bench -- ([a-z-]+)/g)) expect(benchNames()).toContain(name)
    expect(text).not.toContain('node bench/')
  },
)

test('without a name, or with a wrong one, it says which there are', () => {
  for (const name of [[], ['nonsense'], ['../scripts/build']]) {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/bench.ts', ...name], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toContain('npm run bench -- NAME, where NAME is one of')
  }
})
